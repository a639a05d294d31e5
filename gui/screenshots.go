package gui

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/driver/software"

	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/sched"
	"palimpsest/gui/settings"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/program"
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

func shots(o Options) []shot {
	list := []shot{
		{name: "workbench-sample-dark", mode: kit.Dark, lang: words.English, size: large, do: (*studio).advice},
		{name: "workbench-sample-light", mode: kit.Light, lang: words.English, size: large, do: (*studio).advice},
		{name: "workbench-zh-dark", mode: kit.Dark, lang: words.Chinese, size: large, do: func(s *studio) { s.sample("mixed-languages") }},
		{name: "workbench-1280-dark", mode: kit.Dark, lang: words.English, size: small, do: (*studio).advice},
		{name: "preview-dark", mode: kit.Dark, lang: words.English, size: large,
			do: func(s *studio) { s.w.Commands.Run(commands.Preview) }},
		{name: "preview-light", mode: kit.Light, lang: words.English, size: large,
			do: func(s *studio) { s.w.Commands.Run(commands.Preview) }},
		{name: "preview-zh-1280-dark", mode: kit.Dark, lang: words.Chinese, size: small,
			do: func(s *studio) { s.w.Commands.Run(commands.Preview) }},
		{name: "preview-needed-light", mode: kit.Light, lang: words.English, size: large, do: (*studio).previewEarlier},
		{name: "preview-needed-zh-1280-dark", mode: kit.Dark, lang: words.Chinese, size: small, do: (*studio).previewEarlier},
		{name: "recorded-dark", mode: kit.Dark, lang: words.English, size: large,
			do: func(s *studio) { s.w.Commands.Run(commands.Recorded) }},
		{name: "recorded-zh-1280-light", mode: kit.Light, lang: words.Chinese, size: small,
			do: func(s *studio) { s.w.Commands.Run(commands.Recorded) }},
		{name: "why-light", mode: kit.Light, lang: words.English, size: large, do: func(s *studio) { s.w.Commands.Run(commands.Why) }},
		{name: "why-dark", mode: kit.Dark, lang: words.English, size: large, do: func(s *studio) { s.w.Commands.Run(commands.Why) }},
		{name: "prompt-light", mode: kit.Light, lang: words.English, size: large,
			do: func(s *studio) { s.w.Commands.Run(commands.Prompt) }},
		{name: "prompt-zh-1280-dark", mode: kit.Dark, lang: words.Chinese, size: small,
			do: func(s *studio) { s.w.Commands.Run(commands.Prompt) }},
		{name: "metrics-light", mode: kit.Light, lang: words.English, size: large, do: (*studio).metrics},
		{name: "records-dark", mode: kit.Dark, lang: words.English, size: large, do: (*studio).records},
		{name: "records-light", mode: kit.Light, lang: words.English, size: large, do: (*studio).records},
		{name: "records-zh-1280-dark", mode: kit.Dark, lang: words.Chinese, size: small, do: (*studio).records},
		{name: "records-compare-light", mode: kit.Light, lang: words.English, size: large, do: (*studio).recordPair},
		{name: "agents-dark", mode: kit.Dark, lang: words.English, size: large, do: (*studio).agents},
		{name: "agents-light", mode: kit.Light, lang: words.English, size: large, do: (*studio).agents},
		{name: "agents-zh-1280-light", mode: kit.Light, lang: words.Chinese, size: small, do: (*studio).agents},
		{name: "sweep-dark", mode: kit.Dark, lang: words.English, size: large, do: (*studio).sweep},
		{name: "sweep-light", mode: kit.Light, lang: words.English, size: large, do: (*studio).sweep},
		{name: "sweep-zh-1280-light", mode: kit.Light, lang: words.Chinese, size: small, do: (*studio).sweep},
		{name: "compare-dark", mode: kit.Dark, lang: words.English, size: large, do: (*studio).compare},
		{name: "compare-light", mode: kit.Light, lang: words.English, size: large, do: (*studio).compare},
		{name: "compare-zh-1280-dark", mode: kit.Dark, lang: words.Chinese, size: small, do: (*studio).compare},
	}
	list = append(list, draftShots()...)
	for i, f := range o.Files {
		name := "workbench-real"
		if i > 0 {
			name = fmt.Sprintf("%s%d", name, i+1)
		}
		list = append(list,
			shot{name: name + "-dark", mode: kit.Dark, lang: words.English, size: large, file: f},
			shot{name: name + "-light", mode: kit.Light, lang: words.English, size: large, file: f})
	}
	return list
}

// studio is one window off the screen, driven to where its picture is taken.
type studio struct {
	w      *window
	canvas software.WindowlessCanvas
	queue  *sched.Queue
	blind  bool // draws nothing while it settles
}

// Screenshots writes pictures of the window into a folder: of the samples, and
// of the files. It draws off the screen, with the same panes
// and the same state as the window, and needs no display. Records are kept in
// a database of its own.
func Screenshots(dir string, files []string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the folder for the pictures: %w", err)
	}
	app.SetMetadata(metadata(program.Version))
	a := app.NewWithID(appID + ".screenshots")
	for _, s := range shots(Options{Files: files, Version: program.Version}) {
		if err := s.take(a, dir); err != nil {
			return fmt.Errorf("draw %s: %w", s.name, err)
		}
	}
	return nil
}

// take draws one picture.
func (s shot) take(a fyne.App, dir string) error {
	tmp, err := os.MkdirTemp("", "palimpsest-pictures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	st, err := store.Open(filepath.Join(tmp, "pictures.db"))
	if err != nil {
		return err
	}
	defer st.Close()

	words.Set(s.lang)
	kit.Use(a, s.mode, 1)
	x := &studio{canvas: software.NewCanvas(), queue: sched.NewQueue()}
	x.canvas.SetPadded(false)
	o := Options{Store: st, canvas: x.canvas, Language: s.lang}
	if s.file != "" {
		o.Files = []string{s.file}
	}
	d := desk.New(x.queue.Dispatch, st)
	x.w = newWindow(a, d, settings.New(&forgetful{}), o)
	x.canvas.Resize(s.size)
	x.w.begin()
	x.settle()
	x.again(s.size)
	if s.do != nil {
		s.do(x)
		x.settle()
	}
	err = x.save(filepath.Join(dir, s.name+".png"))
	d.Close()
	return err
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

func (x *studio) save(path string) error { return savePNG(path, x.canvas.Capture()) }

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

// metrics adds these records up.
func (x *studio) metrics() {
	x.records()
	x.w.Commands.Run("metrics")
	x.settle()
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
