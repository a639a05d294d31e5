package gui

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"

	"palimpsest/assets"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/kit"
	"palimpsest/gui/sched"
	"palimpsest/gui/settings"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/gui/workbench"
	"palimpsest/internal/until"
	"palimpsest/model"
	"palimpsest/model/store"
)

// stage is the whole window on the toolkit's test driver, with a store of its
// own. Background work waits until settle runs it.
type stage struct {
	*window
	q *sched.Queue
	t *testing.T
}

func newStage(t *testing.T, files ...string) *stage {
	t.Helper()
	st, err := store.Open(filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	a := test.NewTempApp(t)
	words.Set(words.English)
	kit.Use(a, kit.Dark, 1)
	q := sched.NewQueue()
	d := desk.New(q.Dispatch, st)
	t.Cleanup(func() {
		d.Close()
		st.Close()
		words.Set(words.English)
		software.NewCanvas().Capture() // the toolkit forgets the windows of former tests, which hold their sessions
	})
	s := &stage{newWindow(a, d, settings.New(a.Preferences()), Options{Files: files, Store: st}), q, t}
	s.begin()
	s.settle()
	return s
}

func (s *stage) settle() { s.q.DrainUntilIdle(s.Desk.Scheduler()) }

// press sends keys as the table writes them, to what has the focus, a dialog,
// or the window.
func (s *stage) press(keys ...string) {
	s.t.Helper()
	c := s.Win.Canvas()
	for _, k := range keys {
		p := commands.ParseKey(k)
		switch f := c.Focused(); {
		case p.Shortcut != nil:
			i := slices.IndexFunc(s.Commands.List, func(c *commands.Command) bool { return slices.Contains(c.Keys, k) })
			s.key(s.Commands.List[i].ID) // the test canvas takes no shortcuts
		case p.Name != "" && f != nil:
			f.TypedKey(&fyne.KeyEvent{Name: p.Name})
		case p.Name != "":
			c.OnTypedKey()(&fyne.KeyEvent{Name: p.Name})
		case f != nil:
			f.TypedRune(p.Char)
		default:
			c.OnTypedRune()(p.Char)
		}
		s.settle()
	}
}

// write types text into what has the focus.
func (s *stage) write(text string) {
	s.t.Helper()
	f := s.Win.Canvas().Focused()
	if f == nil {
		s.t.Fatal("nothing has the focus")
	}
	for _, r := range text {
		f.TypedRune(r)
	}
}

func TestEveryCommandHasWordsAndKeysOfItsOwn(t *testing.T) {
	s := newStage(t)
	for _, lang := range words.Languages {
		words.Set(lang)
		ids, keys := map[string]bool{}, map[string]string{}
		for _, c := range s.Commands.List {
			if ids[c.ID] {
				t.Errorf("%s stands twice", c.ID)
			}
			ids[c.ID] = true
			if strings.HasPrefix(c.Title(), "command.") || c.Title() == "" {
				t.Errorf("%s: no words for %s", lang, c.ID)
			}
			if c.Run == nil && !slices.Contains([]string{"copyText", "copyRedacted"}, c.ID) {
				t.Errorf("nobody does %s", c.ID)
			}
			if c.Menu != "" && !slices.ContainsFunc(menus, func(m struct{ name, commands string }) bool { return m.name == c.Menu }) {
				t.Errorf("%s is of no group", c.ID)
			}
			for _, k := range c.Keys {
				if was := keys[k]; was != "" && !apart(t, s, was, c.ID) {
					t.Errorf("%s means %s and %s", k, was, c.ID)
				}
				keys[k] = c.ID
			}
		}
	}
}

// apart reports whether one of two commands is of the workbench and the other of the
// preview, so that a key may mean both.
func apart(t *testing.T, s *stage, a, b string) bool {
	t.Helper()
	can := func(id string) bool { return s.Commands.ByID[id].Can() }
	s.LeaveSheet()
	s.settle()
	work := [2]bool{can(a), can(b)}
	s.Commands.Run(commands.Preview)
	s.settle()
	defer s.LeaveSheet()
	return work == [2]bool{true, false} && [2]bool{can(a), can(b)} == [2]bool{false, true}
}

// Every problem that the packages below can have is told in every language.
func TestProblemsAreTranslated(t *testing.T) {
	code := regexp.MustCompile(`model\.Problem\{Code: "([a-z-]+)"`)
	words.Set(words.Chinese)
	defer words.Set(words.English)
	found := 0
	for _, dir := range []string{"../model/transcript", "../model/transcript/internal/source", "../model/store", "../compaction", "../compaction/session",
		"../compaction/toolconfig", "desk"} {
		files, _ := filepath.Glob(dir + "/*.go")
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range code.FindAllStringSubmatch(string(b), -1) {
				found++
				if _, ok := show.Translated("problem." + m[1]); !ok && m[1] != "choose" { // which asks for a flag, in a verb
					t.Errorf("%s: no words for the problem %q", f, m[1])
				}
			}
		}
	}
	if found == 0 {
		t.Error("no problem found: the test looks for the wrong thing")
	}
}

func TestFirstStartShowsTheSample(t *testing.T) {
	s := newStage(t)
	if got := s.Win.Title(); got != "Palimpsest — Long coding run" {
		t.Errorf("title %q", got)
	}
	if s.Desk.Planning.Plan() == nil || s.Desk.RowCount() < 480 || s.InSheet() {
		t.Errorf("%d rows, a screen over them %v", s.Desk.RowCount(), s.InSheet())
	}
	s.press("]")
	if s.Desk.Current().Sample != "sample-tool-heavy-build" {
		t.Errorf("at %s", s.Desk.Current().Sample)
	}
	if n := s.Desk.Current().Messages; n != 120 {
		t.Errorf("%d messages", n)
	}
}

// Who has opened nothing yet meets what the program is for, and the sessions found where
// agents keep them; opening one of these leads to it.
func TestFirstStepsLeadToASession(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	folder := filepath.Join(home, ".claude", "projects", "larch")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	session := assets.Samples[0].Bytes()
	for i, name := range []string{"old", "new", "newer", "newest"} {
		path := filepath.Join(folder, name+".jsonl")
		if err := os.WriteFile(path, session, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Unix(int64(1e9+i), 0)); err != nil {
			t.Fatal(err)
		}
	}
	s := newStage(t)
	s.showFirstSteps()
	s.settle()
	s.sees(words.T("first.purpose"))
	s.sees(words.T("watched.sessions", "count", 4))
	if all := shown(s.Win.Canvas().Content()); strings.Contains(all, "old.jsonl") || strings.Index(all, "newest.jsonl") > strings.Index(all, "new.jsonl") {
		t.Errorf("the newest three are not shown, newest first:\n%s", all)
	}
	s.tap("larch · newest.jsonl")
	s.settle()
	if e := s.Desk.Current(); s.InSheet() || e == nil || filepath.Base(e.Path) != "newest.jsonl" {
		t.Errorf("at %+v, a screen over it %v", e, s.InSheet())
	}
}

// From open to export and back with the keyboard alone.
func TestKeyboardFromOpenToRestore(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.jsonl")
	src, err := os.ReadFile("../assets/samples/long-coding-run.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, src, 0o600); err != nil {
		t.Fatal(err)
	}
	s := newStage(t)
	s.press("Ctrl+K")
	s.write(file)
	s.press("Enter")
	if s.Desk.Current().Path != file || s.Desk.Planning.Plan() == nil {
		t.Fatalf("not open: %+v", s.Desk.Current())
	}
	before := s.Desk.Planning.Plan().Before
	s.press("Ctrl+Enter") // the draft on the screen
	if j := s.Desk.Job(); j == nil || j.Record == nil || j.Record.Outcome != model.Applied {
		t.Fatalf("not applied: %+v", j)
	}
	s.press("Ctrl+E", "Enter")
	out := filepath.Join(filepath.Dir(file), "run.compacted.jsonl")
	written, err := os.ReadFile(out)
	if err != nil || len(written) >= len(src) {
		t.Fatalf("not exported: %v, %d of %d bytes", err, len(written), len(src))
	}
	s.press("Ctrl+E", "Enter") // the file is there: asked, and left alone
	if s.Win.Canvas().Overlays().Top() == nil {
		t.Fatal("a file was replaced without a question")
	}
	s.press("Esc", "Esc")

	s.press("Ctrl+2") // it is newer than the two compactions that the file tells of
	if !s.records.Visible() || s.records.Found() != 3 || s.Desk.RecordView.Record() == nil || s.Desk.RecordView.Record().ID != "R-0001" {
		t.Fatalf("%d records shown", s.records.Found())
	}
	s.Commands.Run("restore")
	s.press("Enter")
	if got := s.Desk.Planning.Plan().Before; got != before {
		t.Fatalf("%+v after the restore, %+v before", got, before)
	}
	if s.records.Found() != 3 || !s.Desk.RecordList.RecordAt(0).Off || s.Desk.RecordView.Record().ID != "R-0001" {
		t.Fatalf("records %+v", s.Desk.RecordList.Records())
	}
	s.press("Esc")
	if s.InSheet() {
		t.Error("Esc does not go back")
	}
}

func TestDroppedFilesAndBadOnes(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "notes.json")
	if err := os.WriteFile(bad, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newStage(t)
	dialogs.Dropped(s.Host, []fyne.URI{storage.NewFileURI(bad)})
	s.settle()
	if e := s.Desk.Current(); e.Path != bad || e.State != desk.Unavailable {
		t.Fatalf("%+v", e)
	}
	head, rest, details := show.ErrorWords(s.Desk.Current().Err)
	if !strings.Contains(head, "notes.json") || rest == "" || details == "" {
		t.Errorf("%q %q %q", head, rest, details)
	}
	s.sees(words.T("chart.noHistory"))
	for i, l := range s.sessions.Lines {
		if l.Kind == workbench.LineEntry && l.Entry.Damaged > 0 {
			s.sessions.List.Select(i)
			s.sessions.Open(i)
		}
	}
	s.settle()
	if s.Desk.Current().Sample != "sample-damaged" || len(s.notice.box.Objects) != 1 {
		t.Fatalf("at %s, %d banners", s.Desk.Current().Path, len(s.notice.box.Objects))
	}
	if strings.Contains(shown(s.top()), words.T("chart.noHistory")) {
		t.Error("the chart of an open history says that none is")
	}
}

func TestLanguageAndTextSizeAtRunTime(t *testing.T) {
	s := newStage(t)
	s.Desk.SelectMessage(100)
	s.Commands.Run("language." + words.Chinese)
	s.settle()
	if s.Win.Title() != "Palimpsest — 长编码任务" || s.Desk.Row(s.Desk.Selected()).Num != 101 {
		t.Errorf("title %q, message %d", s.Win.Title(), s.Desk.Row(s.Desk.Selected()).Num)
	}
	s.press("Ctrl+=", "Ctrl+=")
	if s.Settings.Scale() != 1.2 || kit.Scale() < 1.19 {
		t.Errorf("scale %v, drawn %v", s.Settings.Scale(), kit.Scale())
	}
	s.press("Ctrl+0", "Ctrl+B")
	if s.Settings.Scale() != 1 || !s.Settings.Hidden("sessions") || s.sessions.Object().Visible() {
		t.Error("the sessions are still there")
	}
}

func TestPaletteRunsWhatWasFound(t *testing.T) {
	s := newStage(t)
	s.press("Ctrl+K")
	s.write("lab note")
	s.press("Enter")
	if s.Desk.Current().Sample != "sample-lab-notebook" {
		t.Errorf("at %s", s.Desk.Current().Sample)
	}
}

// Words find a command in any order and by other names; nothing found is said.
func TestPaletteFindsByOtherWords(t *testing.T) {
	for _, lang := range words.Languages {
		s := newStage(t)
		s.setLanguage(lang)
		p := &dialogs.Palette{W: s.Host}
		dialogs.ShowPaletteOf(s.Host, p)
		find := func(text string) (first string) {
			p.Field.SetText(text)
			p.Search()
			if len(p.Shown) > 0 {
				first = p.Shown[0].Text
			}
			if p.None.Visible() != (len(p.Shown) == 0) {
				t.Errorf("%s: %d choices, and nothing-found is %v", text, len(p.Shown), p.None.Visible())
			}
			return first
		}
		wanted := map[string]string{"compaction records": "records", "settings preferences": "settings", "pareto": "sweep", "cmpnow": "compact", "shortcuts": "keys"}
		if lang == words.Chinese {
			wanted = map[string]string{"压缩 记录": "records", "pareto": "sweep", "快捷键": "keys"}
		}
		for text, id := range wanted {
			if got := find(text); got != s.Commands.ByID[id].Title() {
				t.Errorf("%s: %q finds %q, not %q", lang, text, got, s.Commands.ByID[id].Title())
			}
		}
		// What no command is called may be in the messages.
		find("qqzzxx")
		for _, c := range p.Shown {
			if !strings.Contains(c.Text, "qqzzxx") {
				t.Errorf("%q is found", c.Text)
			}
		}
		if len(p.Shown) != 2 {
			t.Errorf("%d choices: to find it in this session, and in all", len(p.Shown))
		}
	}
}

// Other words belong to commands that there are.
func TestOtherWordsAreOfCommands(t *testing.T) {
	s := newStage(t)
	raw, err := assets.Lang.ReadFile("lang/palette.en.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`"also\.([^"]+)"`).FindAllStringSubmatch(string(raw), -1) {
		if s.Commands.ByID[m[1]] == nil {
			t.Errorf("other words for %s, which is no command", m[1])
		}
	}
}

// A key with a name of several letters is known to the toolkit by that name: read
// as a character it would be its first letter.
func TestNamedKeysAreKnown(t *testing.T) {
	s := newStage(t)
	for _, c := range s.Commands.List {
		for _, k := range c.Keys {
			if p := commands.ParseKey(k); p.Char != 0 && len([]rune(k)) > 1 {
				t.Errorf("%s: %s is taken for the letter %c", c.ID, k, p.Char)
			}
		}
	}
}

// Banners press the panes and sheets together; they push neither the window over
// the screen nor the status bar out of it.
func TestBannersLeaveTheStatusBarInSight(t *testing.T) {
	s := newStage(t)
	const screen = 720
	for range 3 {
		s.Desk.Say(desk.Notice{Severity: desk.Warning, Code: "fileRewritten", Args: []any{"title", "a.jsonl"}})
	}
	for _, command := range []string{"workbench", "records", "sweep", "compare", "agents"} {
		s.Commands.Run(command)
		s.settle()
		s.Win.Resize(fyne.NewSize(1280, screen))
		if least := s.Overlay.MinSize().Height; least > screen {
			t.Errorf("%s: the window needs %.0f", command, least)
		}
		bar := s.status.Object()
		if end := fyne.CurrentApp().Driver().AbsolutePositionForObject(bar).Y + bar.Size().Height; end > screen || bar.Size().Height < 26 {
			t.Errorf("%s: the status bar ends at %.0f", command, end)
		}
	}
}

// The smallest window shows six parameters and every action, in the largest text, too,
// and scrolls nothing to do so.
func TestTheSmallestWindowHoldsTheWorkbench(t *testing.T) {
	x := newTour(t)
	for _, lang := range words.Languages {
		for _, scale := range []float32{1, kit.MaxScale} {
			x.setScale(scale)
			x.setLanguage(lang)
			x.Win.Resize(leastWindow)
			x.studio().sample("long-coding-run")
			x.settle()
			x.fit()
			if m, z := x.room.Content.MinSize(), x.room.Size(); m.Width > z.Width || m.Height > z.Height {
				t.Errorf("%s at %.0f %%: the panes need %v and have %v", lang, scale*100, m, z)
			}
			seen := map[string]bool{}
			for _, o := range look(x.Win.Canvas()).all {
				if text, ok := o.obj.(*canvas.Text); ok && o.clip.holds(o.place) {
					seen[text.Text] = true
				}
			}
			for _, key := range []string{"parameter.window", "parameter.trigger", "parameter.tail", "parameter.batch",
				"do.preview", "do.compactNow"} {
				if !seen[words.T(key)] {
					t.Errorf("%s at %.0f %%: %q is out of sight", lang, scale*100, words.T(key))
				}
			}
		}
	}
}

// What is wrong with the file looked at is said on the workbench, and covers no other
// screen's buttons.
func TestABannerOfTheFileStaysOnTheWorkbench(t *testing.T) {
	s := newStage(t, sampleFile(t, t.TempDir(), "damaged.jsonl"))
	s.sees(words.T("do.showLines"))
	s.showRecords()
	s.settle()
	if strings.Contains(shown(s.top()), words.T("do.showLines")) {
		t.Error("it lies over the records")
	}
	s.LeaveSheet()
	s.settle()
	s.sees(words.T("do.showLines"))
}

// The toolkit must not queue anything behind its loop: it may wait for it for ever.
func TestNothingIsQueuedBehindTheToolkitsLoop(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	a := app.NewWithID("palimpsest.test")
	queued := func() func() { return a.Lifecycle().(interface{ OnStopped() func() }).OnStopped() }
	if queued() == nil {
		t.Fatal("the toolkit has no hook any more: takeStopHook can go")
	}
	save := takeStopHook(a)
	if queued() != nil {
		t.Error("the toolkit still queues its hook behind its loop")
	}
	save()
}

// Work that is over at once is not said: what looks every few seconds at other programs would
// flicker, and have the whole window drawn.
func TestShortWorkIsNotSaid(t *testing.T) {
	s := newStage(t, sampleFile(t, t.TempDir(), "damaged.jsonl"))
	before := s.markup()
	s.status.SetBusy(true)
	s.settle()
	if s.markup() != before {
		t.Error("said at once")
	}
	s.status.SetBusy(false)
	s.status.SetBusy(true)
	until.True(t, "work that lasts is said", func() bool {
		s.settle()
		return strings.Contains(s.markup(), words.T("status.working"))
	})
	s.status.SetBusy(false)
	if s.settle(); s.markup() != before {
		t.Error("it is not as before")
	}
}
