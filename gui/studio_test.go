package gui

import (
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/test"

	"palimpsest/compaction/session/online"
	"palimpsest/compaction/summarize/remote"
	"palimpsest/compaction/summarize/remote/trial"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/preferences"
	"palimpsest/gui/sched"
	"palimpsest/gui/settings"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/store"
)

// shot is one picture of the window.
type shot struct {
	name string
	mode kit.Mode
	lang string
	size fyne.Size
	file string // a person's file instead of the first sample
	do   func(s *studio)
}

var (
	large = fyne.NewSize(1600, 1000)
	small = fyne.NewSize(1280, 720)
)

// shots are the pictures of the documentation.
func shots() []shot {
	list := []shot{
		{name: "workbench-sample-dark", mode: kit.Dark, lang: words.English, size: large, do: (*studio).advice},
		{name: "workbench-sample-light", mode: kit.Light, lang: words.English, size: large, do: (*studio).advice},
		{name: "workbench-zh-dark", mode: kit.Dark, lang: words.Chinese, size: large, do: func(s *studio) { s.sample("mixed-languages") }},
		{name: "workbench-1280-dark", mode: kit.Dark, lang: words.English, size: small, do: (*studio).advice},
		{name: "preview-dark", mode: kit.Dark, lang: words.English, size: large,
			do: func(s *studio) { s.w.Commands.Run(commands.Preview) }},
		{name: "preview-needed-light", mode: kit.Light, lang: words.English, size: large, do: (*studio).previewEarlier},
		{name: "recorded-dark", mode: kit.Dark, lang: words.English, size: large,
			do: func(s *studio) { s.w.Commands.Run(commands.Recorded) }},
		{name: "records-dark", mode: kit.Dark, lang: words.English, size: large, do: (*studio).records},
		{name: "records-compare-light", mode: kit.Light, lang: words.English, size: large, do: (*studio).recordPair},
		{name: "agents-dark", mode: kit.Dark, lang: words.English, size: large, do: (*studio).agents},
		{name: "sweep-dark", mode: kit.Dark, lang: words.English, size: large, do: (*studio).sweep},
		{name: "sweep-light", mode: kit.Light, lang: words.English, size: large, do: (*studio).sweep},
		{name: "compare-dark", mode: kit.Dark, lang: words.English, size: large, do: (*studio).compare},
		{name: "compare-light", mode: kit.Light, lang: words.English, size: large, do: (*studio).compare},
		{name: "provider-dark", mode: kit.Dark, lang: words.English, size: large, do: (*studio).provider},
		{name: "draft-beside-dark", mode: kit.Dark, lang: words.English, size: large, do: (*studio).drafts},
	}
	const real = "../../shared/data/transcripts/codex_rollout/agentv_1f4427_0_compacted.jsonl"
	if _, err := os.Stat(real); err == nil {
		list = append(list, shot{name: "workbench-real-dark", mode: kit.Dark, lang: words.English, size: large, file: real},
			shot{name: "workbench-real-light", mode: kit.Light, lang: words.English, size: large, file: real})
	}
	return list
}

// studio brings a window to its screens.
type studio struct {
	w      *window
	canvas software.WindowlessCanvas
	queue  *sched.Queue
	blind  bool // draws nothing while it settles
}

// take draws one picture.
func (s shot) take(t *testing.T) image.Image {
	t.Helper()
	a := test.NewTempApp(t)
	st, err := store.Open(filepath.Join(t.TempDir(), "pictures.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	words.Set(s.lang)
	defer words.Set(words.English)
	kit.Use(a, s.mode, 1)
	o := Options{Store: st, Language: s.lang}
	if s.file != "" {
		o.Files = []string{s.file}
	}
	x := &studio{queue: sched.NewQueue()}
	d := desk.New(x.queue.Dispatch, st)
	defer d.Close()
	x.w = newWindow(a, d, settings.New(a.Preferences()), o)
	x.canvas = x.w.Win.Canvas().(software.WindowlessCanvas)
	x.canvas.Resize(s.size)
	x.w.begin()
	x.settle()
	x.again(s.size)
	if s.do != nil {
		s.do(x)
		x.settle()
	}
	return x.canvas.Capture()
}

// settle runs all background work; drawing may start more, such as the wrapping
// of a text that has its width now.
func (x *studio) settle() {
	for range 3 {
		if x.blind {
			break
		}
		x.queue.DrainUntilIdle(x.w.Desk.Scheduler())
		x.canvas.Resize(x.canvas.Size())
		x.canvas.Capture()
	}
	x.queue.DrainUntilIdle(x.w.Desk.Scheduler())
}

// again builds the window anew now that its state is known. A canvas in memory
// does not lay things out again when words grow, as one on the screen does.
func (x *studio) again(size fyne.Size) {
	x.canvas.Resize(fyne.NewSize(0, 0))
	x.w.rebuild()
	x.canvas.Resize(size)
	x.settle()
}

func savePNG(path string, picture image.Image) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = png.Encode(f, picture)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// sample looks at one of the samples with a tail short enough to compact it.
func (x *studio) sample(name string) {
	for _, e := range x.w.Desk.Entries() {
		if strings.Contains(e.Sample, name) {
			x.w.Desk.Select(e)
			x.settle()
			x.w.Desk.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 3000, Unit: model.Tokens} })
		}
	}
}

// previewEarlier shows the preview from an earlier message, where what follows
// shows what was needed later.
func (x *studio) previewEarlier() {
	x.w.Desk.Planning.SetAt(212)
	x.settle()
	x.w.Commands.Run(commands.Preview)
}

// records makes records of the sample, three of them on top of each other, and
// shows them.
func (x *studio) records() {
	d := x.w.Desk
	do := func(f func()) { f(); x.settle() }
	history := len(d.Session().Thread().History)
	do(func() { d.Planning.SetAt(history / 3) })
	do(d.CompactNow)
	do(d.CompactNow) // refused: nothing is left to take
	do(func() { d.RecordView.Restore(d.Session().Stack()[0].ID) })
	do(func() { d.Planning.Set(func(p *model.Policy) { p.Former = model.MergeFormer }) })
	for _, at := range []int{history - 60, history - 30, history} { // behind the last compaction of the file
		do(func() { d.Planning.SetAt(at) })
		do(d.CompactNow)
	}
	for _, n := range slices.Clone(d.Notices()) {
		d.CloseNotice(n)
	}
	x.w.Overlay.HideToast()
	do(x.w.showRecords)
	do(func() { d.RecordView.SelectRecord(d.Session().Stack()[2].ID) })
	do(d.RecordView.ReadOrigins)
}

// recordPair sets two of these records beside each other.
func (x *studio) recordPair() {
	x.records()
	do := func(f func()) { f(); x.settle() }
	for i, n := 0, 0; i < 8 && n < 2; i++ {
		if r := x.w.Desk.RecordList.RecordAt(i); r != nil && r.Cause != model.CauseRestore && r.Cause != model.CauseFound &&
			r.Outcome == model.Applied {
			do(func() { x.w.Desk.RecordList.Tick(i) })
			n++
		}
	}
	do(func() { x.w.Commands.Run(commands.CompareRecords) })
}

// agents shows the agents of the sample that has some, one of them with a
// parameter of its own.
func (x *studio) agents() {
	x.sample("crew")
	x.settle()
	do := func(f func()) { f(); x.settle() }
	do(x.w.showAgents)
	do(func() { x.w.agents.Choose(2); x.w.agents.OpenAgent() })
	do(func() {
		x.w.Desk.Planning.Set(func(p *model.Policy) { p.Budget = model.Amount{N: 3000, Unit: model.Tokens} })
	})
	do(x.w.showAgents)
	do(func() { x.w.agents.Choose(2) })
	size := x.canvas.Size() // words have grown, see again
	x.canvas.Resize(fyne.NewSize(0, 0))
	x.canvas.Resize(size)
}

// advice has settings suggested.
func (x *studio) advice() { x.w.Desk.SeekAdvice() }

// sweep runs a sweep of the sample and chooses a cell.
func (x *studio) sweep() {
	do := func(f func()) { f(); x.settle() }
	do(func() { x.w.Desk.Planning.Set(func(p *model.Policy) { p.Window = 120_000 }) })
	do(x.w.showSweep)
	do(func() { x.w.Commands.Run(commands.RunSweep) })
	p := x.w.sweep
	do(func() { p.Heat.Select(2*len(p.Shown.Grid.X.Values) + 2); p.Choose(p.Heat.Selected()) })
}

// compare sets the parameters on the screen beside a preset.
func (x *studio) compare() {
	do := func(f func()) { f(); x.settle() }
	do(func() { x.w.Desk.Planning.Set(func(p *model.Policy) { p.Window = 120_000 }) })
	do(x.w.showCompare)
	do(func() { x.w.compare.List.Select(2); x.w.compare.Look(2) })
}

// provider shows the settings of a summary model on this machine.
func (x *studio) provider() {
	x.w.Desk.SetProvider(online.Provider{Endpoint: remote.Endpoint{BaseURL: "http://localhost:11434/v1", Model: "qwen3:30b"},
		Window: 32768})
	x.settle()
	preferences.ShowModels(x.w.Host)
}

// asking sets up a model that answers as the pictures want it: a server of this
// process, which nobody else is asked beside.
func (x *studio) asking(behaviour string, answers ...string) func() {
	srv, err := trial.Listen("")
	if err != nil {
		return func() {} // the picture shows that it was not reached
	}
	n := 0
	srv.Text = func(string, string) string {
		n++
		return answers[(n-1)%len(answers)]
	}
	x.w.Desk.SetProvider(online.Provider{Endpoint: remote.Endpoint{BaseURL: srv.URL(), Model: behaviour, Tries: 1}, Window: 200_000})
	x.settle()
	x.w.Desk.Planning.Set(func(p *model.Policy) { p.Strategy = model.ModelText })
	x.settle()
	return func() { _ = srv.Close() }
}

// ask puts the question with an instruction.
func (x *studio) ask(instruction string) {
	x.w.Commands.Run(commands.Ask)
	x.settle()
	x.w.asking.Instruction.SetText(instruction)
	x.w.asking.Send()
	x.settle()
}

// drafts shows two drafts of one range beside each other.
func (x *studio) drafts() {
	const first = "Conversation summary: the person wants the parser of the config language to name line and column" +
		" of both sides of a fault.\n\n" +
		"Done:\n- schema/unify.go tells both positions\n- 12 tests of TestUnifyText pass\n\nNext:\n- the same for schema/check.go"
	const second = "Conversation summary: the person wants the parser of the config language to name line and column" +
		" of both sides of a fault.\n\n" +
		"Done:\n- schema/unify.go tells both positions, and the file of each\n- 12 tests of TestUnifyText pass: go test ./schema" +
		" -run TestUnifyText\n\nOpen:\n- TestUnifyText/both_files\n\nNext:\n- the same for schema/check.go"
	defer x.asking("good", first, second)()
	x.ask("")
	x.ask("Name every command that was run.")
	x.w.preview.ShowDiff(true)
	x.settle()
}
