package preferences

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/assets"
	"palimpsest/compaction/session/online"
	"palimpsest/compaction/summarize/remote"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/kit/reading"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model/body"
)

// modelTest tries a model in steps and stops at the first that fails:
//
//	✓ Connect          3 models offered, “qwen3:30b” is one of them     18 ms
//	✓ Ask one word     answered “ready” · 23 tokens in, 2 out          412 ms
//	✓ Summarise a sample   2,000 tokens in, 371 out · as it was asked   6.8 s
//	! Context window   not reported: 8,192 assumed
//
// None of them sends a word of a history. What came of it is kept for each server.
type modelTest struct {
	p     *ModelsPage
	when  *kit.Text
	steps [testSteps]*testStep
	only  *kit.Button // connect only
	test  *kit.Button
	stop  *kit.Button
	run   int // number of the test; an answer to an older one is dropped

	read   *kit.Link // what came back for the sample, beside what was sent
	sample testSample
	kept   map[string]testResult // by [testKey]
}

// testResult is what came of the test of one server.
type testResult struct {
	At     time.Time
	Failed bool
	Lang   string // of the words in its steps
	Steps  [testSteps]testLine
	Sample testSample
}

// testSample is what a model made of a sample.
type testSample struct {
	Sent, Wrote string
	In, Out     int // tokens, as counted here
	Reads       int // tokens a second until its first word; 0: not known
}

// testLine is what a step shows.
type testLine struct {
	Sign kit.Glyph
	Ink  fyne.ThemeColorName
	Said string
	Took time.Duration
}

// testsSetting is the name under which the results of tests are kept.
const testsSetting = "modelTest"

// The steps.
const (
	stepConnect = iota
	stepAsk
	stepSample
	stepWindow
	testSteps
)

// testStep is one line: a sign, what is done, what came of it, how long it took.
type testStep struct {
	is         testLine
	sign       *kit.Sign
	said, took *kit.Text
	obj        fyne.CanvasObject
}

func newModelTest(p *ModelsPage) *modelTest {
	t := &modelTest{p: p, when: kit.NewText("", kit.ColorMuted, 12).Fit(), kept: map[string]testResult{}}
	_ = json.Unmarshal([]byte(p.w.Settings.P.String(testsSetting)), &t.kept) // else nothing was tested
	t.read = kit.NewLink(words.T("modeltest.read"), t.showSample).WithTip("modeltest.read.tip")
	for i, key := range []string{"modeltest.connect", "modeltest.ask", "modeltest.sample", "modeltest.window"} {
		s := &testStep{sign: kit.NewSign(kit.GlyphRing, kit.ColorFaint, 14), said: kit.NewText("", kit.ColorMuted, 12).Fit(),
			took: kit.NewText("", kit.ColorText, 12).Right()}
		row := kit.Row(10, s.sign, kit.Sized(130, 18, kit.Label(words.T(key))), kit.Stretch(s.said))
		if i == stepSample {
			row.Add(t.read)
		}
		row.Add(kit.Sized(70, 18, s.took))
		s.obj = kit.Sized(0, 26, row)
		t.steps[i] = s
	}
	t.only = kit.NewButton(words.T("modeltest.only"), kit.Secondary, func() { t.start(false) }).WithTip("modeltest.only.tip")
	t.test = kit.NewButton(words.T("modeltest.test"), kit.Secondary, func() { t.start(true) }).WithTip("modeltest.test.tip")
	t.stop = kit.NewButton(words.T("do.cancel"), kit.Secondary, t.cancel)
	t.stop.Hide()
	return t
}

func (t *modelTest) object() fyne.CanvasObject {
	rows := kit.Column(0, kit.Row(8, kit.Label(words.T("modeltest.title")).Bold(), kit.Stretch(t.when), t.only, t.test, t.stop),
		kit.Sized(0, 6, kit.Spring()))
	for _, s := range t.steps {
		rows.Add(s.obj)
	}
	return rows
}

// key is the name under which the result of a server is kept.
func testKey(s *online.Server) string { return s.BaseURL + "\n" + s.Model }

// show shows what came of the test of a server, if it was tested.
func (t *modelTest) show(s *online.Server) {
	r, ok := t.kept[testKey(s)]
	t.when.SetText(words.T("modeltest.sends"))
	if ok {
		t.when.SetText(words.T("modeltest.at", "time", r.At.Local().Format("2006-01-02 15:04")))
	}
	for i := range t.steps {
		l := r.Steps[i]
		if l.Ink == "" {
			l = testLine{Sign: kit.GlyphRing, Ink: kit.ColorFaint}
		}
		if r.Lang != words.Language() {
			l.Said = "" // its sign says how it went
		}
		t.steps[i].set(l.Sign, l.Ink, l.Said, l.Took)
	}
	t.made(r.Sample)
}

// made offers to read what was made of the sample.
func (t *modelTest) made(s testSample) {
	t.sample = s
	show.SetVisible(t.read, s.Wrote != "")
	t.steps[stepSample].obj.Refresh()
}

// showSample shows what was sent beside what came back.
func (t *modelTest) showSample() {
	side := func(title string, tokens int, text string) fyne.CanvasObject {
		view := reading.New(t.p.w.Desk.Scheduler())
		view.Set(body.Plain(text))
		head := kit.Row(8, kit.Label(words.T(title)).Bold(),
			kit.NewText(words.T("count.tokens", "count", tokens, "tokens", words.Int(int64(tokens))), kit.ColorMuted, 12), kit.Spring())
		return kit.Column(6, head, kit.Stretch(view))
	}
	both := kit.NewSplit(false, kit.Pad(10, 12, 12, 12, side("modeltest.sent", t.sample.In, t.sample.Sent)),
		kit.Pad(10, 12, 12, 12, side("modeltest.wrote", t.sample.Out, t.sample.Wrote)), kit.KeepShare, .5).Within()
	p := t.p.read()
	dlg := kit.NewDialog(words.T("modeltest.sample"), p.Model+" · "+p.Host(), both, 1080, 600)
	dlg.SetButtons(kit.NewButton(words.T("do.close"), kit.Primary, dlg.Hide))
	dlg.ShowOn(t.p.w.Win.Canvas())
}

func (s *testStep) set(g kit.Glyph, c fyne.ThemeColorName, said string, took time.Duration) {
	s.is = testLine{g, c, said, took}
	s.sign.Set(g, c)
	s.said.SetText(said)
	s.took.SetText("")
	if took > 0 {
		s.took.SetText(words.Duration(took))
	}
}

// Test runs all steps with what the fields say.
func (x *ModelsPage) Test() { x.test.start(true) }

// start begins with the connection; ask goes on to the other steps.
func (t *modelTest) start(ask bool) {
	t.run++
	run, p := t.run, t.p.read()
	t.show(&online.Server{})
	t.running(true)
	t.steps[stepConnect].set(kit.GlyphHalf, kit.ColorAccent, words.T("provider.testing"), 0)
	t.p.withKey(p, func() {
		t.p.w.Desk.TestProvider(p, func(f *remote.Found, err error) {
			if run != t.run {
				return
			}
			if err != nil {
				t.failed(stepConnect, err)
				return
			}
			t.connected(p, f, ask)
		})
	})
}

func (t *modelTest) running(on bool) {
	t.only.Hidden, t.test.Hidden, t.stop.Hidden = on, on, !on
	t.p.body.Refresh()
}

func (t *modelTest) cancel() {
	t.run++
	t.p.w.Desk.StopTest()
	t.show(&t.p.servers.all[t.p.servers.at])
	t.running(false)
}

// ended keeps what came of the test, and says when it was made.
func (t *modelTest) ended(failed bool) {
	p := t.p.read()
	t.running(false)
	if p.BaseURL == "" {
		return // no server was tested
	}
	s := online.Server{Endpoint: p.Endpoint}
	r := testResult{At: time.Now(), Failed: failed, Lang: words.Language(), Sample: t.sample}
	for i := range t.steps {
		r.Steps[i] = t.steps[i].is
	}
	t.kept[testKey(&s)] = r
	if b, err := json.Marshal(t.kept); err == nil {
		t.p.w.Settings.P.SetString(testsSetting, string(b))
	}
	s.Window = p.Window
	t.p.servers.all[t.p.servers.at] = s // its row says what was tested
	t.show(&s)
	t.p.servers.list.Update()
	t.p.body.Refresh()
	t.p.x.attend(Models, map[bool]string{true: words.T("modeltest.urgent")}[failed])
}

// failed marks the step that failed: its status, the server's own words, and what
// to do.
func (t *modelTest) failed(step int, err error) {
	t.steps[step].set(kit.GlyphError, kit.ColorError, show.UpperFirst(show.FailureWords(err)), 0)
	next := ""
	var f *remote.Failure
	if errors.As(err, &f) {
		next, _ = show.Translated("modeltest.next." + string(f.Kind))
		if next == "modeltest.next."+string(f.Kind) {
			next = ""
		}
	}
	t.p.result.Set(kit.Failure, words.T("modeltest.failed"), next)
	t.ended(true)
}

// connected shows the models that the server offers.
func (t *modelTest) connected(p online.Provider, f *remote.Found, ask bool) {
	at := t.p.offered(p, f)
	s := t.steps[stepConnect]
	switch {
	case p.Model == "":
		s.set(kit.GlyphWarning, kit.ColorWarning, words.T("modeltest.choose", "count", len(f.Models)), f.Took)
		t.ended(false)
		return
	case !f.Has:
		s.set(kit.GlyphWarning, kit.ColorWarning, words.T("modeltest.notThere", "model", p.Model), f.Took)
	default:
		s.set(kit.GlyphOK, kit.ColorKept, words.T("modeltest.there", "count", len(f.Models), "model", p.Model), f.Took)
		t.p.take(f.Models[at])
		p = t.p.read()
	}
	if !ask {
		t.ended(false)
		return
	}
	sample := assets.Samples[slices.IndexFunc(assets.Samples, func(s assets.Sample) bool { return s.ID == "sample-lab-notebook" })]
	reported := at >= 0 && f.Models[at].Window > 0
	d := t.p.w.Desk
	tried(t, stepAsk, func(done func(*remote.Answer, error)) { d.AskOneWord(p, done) }, func(a *remote.Answer) {
		t.answered(a)
		began := time.Now()
		ask := func(done func(*desk.Summarised, error)) { d.SummariseSample(p, sample.File, sample.Bytes(), done) }
		tried(t, stepSample, ask, func(made *desk.Summarised) {
			t.summarised(made, time.Since(began))
			t.windowIs(p, reported)
		})
	})
}

// tried does a step and goes on with what came of it, unless it failed or the test was
// cancelled.
func tried[T any](t *modelTest, step int, do func(done func(T, error)), next func(T)) {
	run := t.run
	t.steps[step].set(kit.GlyphHalf, kit.ColorAccent, words.T("modeltest.asking"), 0)
	do(func(got T, err error) {
		switch {
		case run != t.run:
		case err != nil:
			t.failed(step, err)
		default:
			next(got)
		}
	})
}

// summarised shows what came back for the sample, and what is wrong with it.
func (t *modelTest) summarised(made *desk.Summarised, took time.Duration) {
	dr := made.Draft
	g, ink, said := kit.GlyphOK, kit.ColorKept, words.T("modeltest.asAsked")
	if len(dr.Flaws) > 0 {
		g, ink, said = kit.GlyphWarning, kit.ColorWarning, words.T("flaw."+string(dr.Flaws[0].Code))
	}
	s := testSample{Sent: made.Sent, Wrote: dr.Text.Text, In: made.Tokens, Out: dr.Text.Tokens}
	if a := dr.Asked; a != nil && a.Input > 0 {
		said = words.T("modeltest.tokens", "in", a.Input, "out", a.Output) + " · " + said
	}
	if made.First > 0 {
		s.Reads = int(float64(s.In) / made.First.Seconds())
	} else {
		said += " · " + words.T("modeltest.whole")
	}
	t.steps[stepSample].set(g, ink, said, took)
	t.made(s)
}

// answered shows the word.
func (t *modelTest) answered(a *remote.Answer) {
	said := words.T("modeltest.answered", "answer", firstWords(a.Text))
	if a.Input > 0 {
		said += " · " + words.T("modeltest.tokens", "in", a.Input, "out", a.Output)
	}
	t.steps[stepAsk].set(kit.GlyphOK, kit.ColorKept, said, a.Took)
}

// windowIs shows which context window holds; the test has passed.
func (t *modelTest) windowIs(p online.Provider, reported bool) {
	n, assumed := p.ContextWindow()
	window := words.Int(int64(n))
	s := t.steps[stepWindow]
	switch {
	case reported:
		s.set(kit.GlyphOK, kit.ColorKept, words.T("modeltest.reported", "window", window), 0)
	case assumed:
		s.set(kit.GlyphWarning, kit.ColorWarning, words.T("modeltest.assumed", "window", window), 0)
	case p.Window > 0:
		s.set(kit.GlyphOK, kit.ColorKept, words.T("modeltest.entered", "window", window), 0)
	default:
		s.set(kit.GlyphOK, kit.ColorKept, words.T("modeltest.table", "window", window), 0)
	}
	t.p.result.Set(kit.Info, words.T("modeltest.passed", "model", p.Model), "")
	t.ended(false)
}

// firstWords is the beginning of an answer, on one line.
func firstWords(s string) string {
	const most = 60
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > most {
		return string(r[:most]) + "…"
	}
	return string(r)
}

// offered puts the models that a server offers into the list; it returns the place of
// the present one, or −1.
func (x *ModelsPage) offered(p online.Provider, f *remote.Found) int {
	x.found = f.Models
	names, at := make([]string, len(f.Models)), -1
	for i, m := range f.Models {
		if names[i] = m.ID; m.ID == p.Model {
			at = i
		}
	}
	x.models.SetNames(names, at)
	x.models.SetEnabled(len(names) > 0)
	return at
}
