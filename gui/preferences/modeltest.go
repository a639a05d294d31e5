package preferences

import (
	"errors"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/assets"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/online"
	"palimpsest/compaction/summarize/remote"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// modelTest tries a model in steps and stops at the first that fails:
//
//	✓ Connect          3 models offered, “qwen3:30b” is one of them     18 ms
//	✓ Ask one word     answered “ready” · 23 tokens in, 2 out          412 ms
//	✓ Summarise a sample   2,000 tokens in, 371 out · as it was asked   6.8 s
//	✓ Stream and cancel    first words after 240 ms, ended at once      0.9 s
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

	wrote *kit.TextView // text: what came back for the sample
	text  string
	kept  map[string]testResult
}

// testResult is what came of the test of one server.
type testResult struct {
	at     time.Time
	failed bool
	steps  [testSteps]testLine
	wrote  string
}

// testLine is what a step shows.
type testLine struct {
	sign kit.Glyph
	ink  fyne.ThemeColorName
	said string
	took time.Duration
}

// The steps.
const (
	stepConnect = iota
	stepAsk
	stepSample
	stepStream
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
	t := &modelTest{p: p, when: kit.NewText("", kit.ColorMuted, 12).Fit(),
		wrote: kit.NewTextView(true, false), kept: map[string]testResult{}}
	for i, key := range []string{"modeltest.connect", "modeltest.ask", "modeltest.sample", "modeltest.stream", "modeltest.window"} {
		s := &testStep{sign: kit.NewSign(kit.GlyphRing, kit.ColorFaint, 14), said: kit.NewText("", kit.ColorMuted, 12).Fit(),
			took: kit.NewText("", kit.ColorText, 12).Right()}
		s.obj = kit.Sized(0, 26, kit.Row(10, s.sign, kit.Sized(130, 18, kit.Label(words.T(key))), kit.Stretch(s.said),
			kit.Sized(70, 18, s.took)))
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
	rows.Add(kit.Sized(0, 96, t.wrote))
	return rows
}

// key is the name under which the result of a server is kept.
func testKey(s *online.Server) string { return s.BaseURL + "\n" + s.Model }

// show shows what came of the test of a server, if it was tested.
func (t *modelTest) show(s *online.Server) {
	r, ok := t.kept[testKey(s)]
	t.when.SetText(words.T("modeltest.sends"))
	if ok {
		t.when.SetText(words.T("modeltest.at", "time", r.at.Format(time.TimeOnly)))
	}
	for i := range t.steps {
		l := r.steps[i]
		if l.ink == "" {
			l = testLine{sign: kit.GlyphRing, ink: kit.ColorFaint}
		}
		t.steps[i].set(l.sign, l.ink, l.said, l.took)
	}
	t.text = r.wrote
	t.wrote.SetText(t.text, 1)
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
	s := online.Server{Endpoint: p.Endpoint}
	r := testResult{at: time.Now(), failed: failed, wrote: t.text}
	for i := range t.steps {
		r.steps[i] = t.steps[i].is
	}
	t.kept[testKey(&s)] = r
	t.show(&s)
	t.p.servers.list.Update()
	t.running(false)
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
	t.p.x.attend(Models, words.T("modeltest.urgent"))
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
		ask := func(done func(*session.Draft, error)) { d.SummariseSample(p, sample.File, sample.Bytes(), done) }
		tried(t, stepSample, ask, func(dr *session.Draft) {
			t.summarised(dr, time.Since(began))
			tried(t, stepStream, func(done func(online.Streamed, error)) { d.StreamAndCancel(p, done) }, func(s online.Streamed) {
				t.streamed(s)
				t.windowIs(p, reported)
			})
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
func (t *modelTest) summarised(dr *session.Draft, took time.Duration) {
	g, ink, said := kit.GlyphOK, kit.ColorKept, words.T("modeltest.asAsked")
	if len(dr.Flaws) > 0 {
		g, ink, said = kit.GlyphWarning, kit.ColorWarning, words.T("flaw."+string(dr.Flaws[0].Code))
	}
	if a := dr.Asked(); a != nil && a.Input > 0 {
		said = words.T("modeltest.tokens", "in", a.Input, "out", a.Output) + " · " + said
	}
	t.steps[stepSample].set(g, ink, said, took)
	t.text = dr.Text.Text
	t.wrote.SetText(t.text, 1)
}

// streamed shows whether words are seen while they are written.
func (t *modelTest) streamed(s online.Streamed) {
	if s.Whole {
		t.steps[stepStream].set(kit.GlyphWarning, kit.ColorWarning, words.T("modeltest.whole"), s.First)
		return
	}
	t.steps[stepStream].set(kit.GlyphOK, kit.ColorKept, words.T("modeltest.streamed", "first", words.Duration(s.First)), s.First+s.Stopped)
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
	t.p.x.attend(Models, "")
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
