package workbench

import (
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// StatusBar shows below everything how tokens are counted, how much was read
// whether work is under way, and who makes summaries.
type StatusBar struct {
	d     *desk.Desk
	Bar   *kit.StatusBar
	lefts int    // facts at the left
	busy  bool   // work has been under way for a while
	stop  func() // waiting for that
}

// aWhile is how long work is under way before that is said: looking every few seconds at
// what other programs did would flicker.
const aWhile = 300 * time.Millisecond

func NewStatusBar(d *desk.Desk, c *commands.Table) *StatusBar {
	s := &StatusBar{d: d, Bar: kit.NewStatusBar(), stop: func() {}}
	s.Bar.OnTapped = func(right int) {
		switch {
		case right == 1:
			c.Run(commands.Keys)
		case d.Asking().Running():
			c.Run(commands.Ask)
		case d.CanCount():
			c.Run(commands.Count)
		default:
			c.Run(commands.StopCounting)
		}
	}
	s.Bar.Card = s.explain
	for _, t := range []desk.Topic{desk.TopicFiles, desk.TopicSession, desk.TopicJob, desk.TopicRecords, desk.TopicAsking} {
		d.Listen(t, s.update)
	}
	s.update()
	return s
}

// Object is what the window shows.
func (s *StatusBar) Object() fyne.CanvasObject { return s.Bar }

func (s *StatusBar) SetBusy(busy bool) {
	s.stop()
	if s.busy = false; busy {
		s.stop = s.d.Scheduler().After(aWhile, func() { s.busy = true; s.update() })
	}
	s.update()
}

func (s *StatusBar) update() {
	left, dot := []string{words.T("status.offline")}, kit.ColorMuted
	if p := s.d.Provider(); p.Set() {
		left, dot = []string{words.T("status.model", "model", p.Model, "host", p.Host())}, kit.ColorAccent
	}
	if ses := s.d.Session(); ses != nil {
		method := words.T("status.counted", "method", string(ses.Counter().Encoding()))
		switch fit := ses.Calibration(); {
		case s.d.CanCount():
			method = words.T("status.sketch")
		case ses.Sketched():
			method = words.T("status.sketched")
		case fit.Factor > 0:
			method += " · " + words.T("status.calibrated", "factor", words.Decimal(fit.Factor, 2), "count", fit.Calls)
		case ses.Estimated():
			method = words.T("status.estimated", "method", show.CounterOf(ses))
		}
		left = append(left, method)
	}
	if e := s.d.Current(); e != nil && e.State == desk.Ready {
		format := show.GuessWords(e)
		if e.Sample != "" {
			format = words.T("status.sample", "name", show.EntryTitle(e), "format", format)
		}
		n := e.Messages
		if e.Session.Conversation().KeepsContexts() { // where each agent has messages of the others
			n = len(e.Session.Thread().History)
		}
		left = append(left, format, words.T("count.messages", "count", n)+", "+words.T("status.skipped", "count", e.Damaged))
	}
	state, share := s.state()
	s.lefts = len(left)
	s.Bar.Set(dot, left, []string{state, words.T("status.keys")})
	s.Bar.SetProgress(share)
}

// The facts at the left, in their order.
const factModel, factCounting, factFormat, factFile = 0, 1, 2, 3

// explain is the card of a fact. What happened last is the first at the right.
func (s *StatusBar) explain(fact int) func() kit.Card {
	ses, e, last := s.d.Session(), s.d.Current(), s.d.LastStep()
	card := func(c kit.Card) func() kit.Card { return func() kit.Card { return c } }
	switch {
	case fact == factModel:
		return s.modelCard
	case fact == s.lefts && last != nil:
		return card(kit.Card{Name: words.T("history.title"), Value: show.StepName(last), About: show.StepDetail(last)})
	case fact == factCounting && ses != nil:
		return s.countingCard
	case fact == factFormat && e != nil:
		return card(kit.Card{Name: words.T("status.format.name"), Value: show.GuessWords(e), About: words.T("status.format.how")})
	case fact == factFile && e != nil:
		return card(kit.Card{Name: words.T("status.file.name"), Value: words.Int(int64(e.Lines)), About: e.Path,
			Parts: [][2]string{{words.T("status.file.read"), words.Int(int64(e.Lines - e.Damaged))},
				{words.T("status.file.damaged"), words.Int(int64(e.Damaged))}}})
	}
	return nil
}

// modelCard says who writes summaries, and that nothing is sent unasked.
func (s *StatusBar) modelCard() kit.Card {
	c := kit.Card{Name: words.T("status.model.name"), About: words.T("status.model.offline")}
	if p := s.d.Provider(); p.Set() {
		c.Value, c.About = p.Model, words.T("status.model.set")
	}
	return c
}

// countingCard says how tokens are counted.
func (s *StatusBar) countingCard() kit.Card {
	ses := s.d.Session()
	c := kit.Card{Name: words.T("status.counting.name"), About: show.CounterNote(ses)}
	if fit := ses.Calibration(); fit.Calls > 0 && ses.Estimated() {
		c.Value = "×" + words.Decimal(fit.Factor, 2)
	}
	if off := s.d.FigureError(); off > 0 {
		c.Parts = [][2]string{{words.T("status.counting.error"), "±" + words.PercentTenths(off)}}
	}
	return c
}

// state says what is under way and how far it is; a share below 0 has no bar.
func (s *StatusBar) state() (string, float64) {
	j, e := s.d.Job(), s.d.Current()
	switch a := s.d.Asking(); {
	case a.Running():
		h := a.Heard()
		return words.T("status.asking", "time", words.Elapsed(time.Since(a.Started))), progressOf(int64(h.Done), int64(h.Calls))
	case j.Running():
		return words.T("status.compacting"), progressOf(j.Done, j.Total)
	case s.d.Many().Running():
		m := s.d.Many()
		done := len(m.Rows) - m.Count(desk.ManyReady)
		return words.T("many.doing", "done", done, "total", len(m.Rows)), progressOf(int64(done), int64(len(m.Rows)))
	case e != nil && e.State == desk.Loading:
		return words.T("status.reading"), progressOf(e.Done, e.Total)
	case s.d.CanCount():
		return words.T("status.notCounted"), -1
	case s.d.Counting():
		return words.T("status.counting", "done", e.Done, "total", e.Total), progressOf(e.Done, e.Total)
	case s.busy:
		return words.T("status.working"), -1
	case s.d.Store() == nil:
		return words.T("status.memory"), -1
	case s.d.Store().ReadOnly():
		return words.T("status.readOnly"), -1
	case s.d.LastStep() != nil:
		return words.T("status.last", "step", show.StepName(s.d.LastStep())), -1
	}
	return "", -1
}

func progressOf(done, total int64) float64 {
	if total <= 0 {
		return 0
	}
	return float64(done) / float64(total)
}
