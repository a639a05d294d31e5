package gui

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/online"
	"palimpsest/compaction/summarize/redact"
	"palimpsest/compaction/summarize/remote"
	"palimpsest/gui/desk"
	"palimpsest/gui/preferences"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// sampleFile is a copy of a sample that a test may change.
func sampleFile(t *testing.T, dir, sample string) string {
	t.Helper()
	src, err := os.ReadFile("../assets/samples/" + sample)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, sample)
	if err := os.WriteFile(file, src, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// What the help menu opens says what it should, and closes again.
func TestHelpDialogs(t *testing.T) {
	s := newStage(t)
	s.Version = "9.8.7"
	looks(s, func() {
		s.Commands.Run("about")
		s.sees("9.8.7", words.T("about.promise"))
		s.tap(words.T("do.close"))
		s.Commands.Run("formats")
		s.sees(show.FormatTitle(transcript.Formats()[0].Format), show.FormatHow(transcript.Formats()[0].Format))
		s.press("↓", "Enter")
		s.closed()
		s.Commands.Run("keys")
		s.sees(s.Commands.ByID["palette"].Title(), "Ctrl+K")
		s.press("Esc")
		s.closed()
	})
}

// Go to message takes a number that there is, with or without its sign, and no other.
func TestGoToAMessage(t *testing.T) {
	s := newStage(t)
	looks(s, func() {
		s.Desk.SelectMessage(0)
		s.Commands.Run("goto")
		s.fill(0, "100000")
		s.press("Enter")
		if s.topDialog() == nil || s.Desk.Row(s.Desk.Selected()).Num != 1 {
			t.Fatal("it went to a message that is not there")
		}
		s.fill(0, "#42")
		s.tap(words.T("goto.do"))
		s.closed()
		if n := s.Desk.Row(s.Desk.Selected()).Num; n != 42 {
			t.Errorf("at %d", n)
		}
	})
}

// What is chosen in the settings holds at once, and the settings come back at their
// page in the new look; they open again where they were closed.
func TestSettingsHoldAtOnce(t *testing.T) {
	s := newStage(t)
	s.Commands.Run("settings")
	s.sees(words.T("settings.about.models"))
	s.tap(words.T("settings.page.appearance"))
	s.tap(words.T("theme.light"))
	if s.Settings.Mode() != "light" {
		t.Errorf("theme %q", s.Settings.Mode())
	}
	between := func() (high float32) { // two rows of the sample
		walk(s.top(), nil, func(o fyne.CanvasObject, _ []fyne.CanvasObject) {
			if t, ok := o.(*canvas.Text); ok && (t.Text == "141" || t.Text == "142") {
				high = s.App.Driver().AbsolutePositionForObject(o).Y - high
			}
		})
		return high
	}
	compact := between()
	s.tap(words.T("density.comfortable"))
	if high := between(); compact != 24 || high != 30 {
		t.Errorf("rows of the sample are %v and %v high", compact, high)
	}
	s.tap("A+")
	s.sees("110")
	s.tap("A−")
	if s.Settings.Scale() != 1 {
		t.Errorf("scale %v", s.Settings.Scale())
	}
	s.tap(words.T("settings.page.language"))
	s.tap(words.Name(words.Chinese))
	if s.Settings.Language() != words.Chinese || !strings.Contains(s.Win.Title(), "长编码任务") {
		t.Errorf("%q, title %q", s.Settings.Language(), s.Win.Title())
	}
	s.sees(words.T("settings.about.language"))
	s.press("Esc")
	s.closed()
	s.press("Ctrl+,")
	s.sees(words.T("settings.about.language"))
	s.tap(words.T("settings.page.storage"))
	s.sees(s.Desk.StorePath())
	s.press("Esc")
	s.closed()
}

// Each command of a setting opens its page, and a setting is found by its words over
// all of them.
func TestSettingsAreFound(t *testing.T) {
	s := newStage(t)
	looks(s, func() {
		for id, page := range map[string]string{"watched": "folders", "storage": "storage", "factors": "tokens", "modelPrices": "tokens",
			"summaryModel": "models", "keys": "keys"} {
			s.Commands.Run(id)
			s.sees(words.T("settings.about." + page))
			s.press("Esc")
			s.closed()
		}
		s.Commands.Run("settings")
		s.press("Ctrl+F")
		s.write("PostgreSQL")
		s.settle()
		s.press("Enter")
		s.sees(words.T("settings.about.storage"), "PostgreSQL")
		if strings.Contains(shown(s.top()), words.T("settings.page.keys")) {
			t.Error("pages without such a setting are still listed")
		}
		s.press("Esc", "Esc")
		s.closed()
	})
}

// A test of a model asks it for one word, and says why it failed.
func TestTheTestOfAModel(t *testing.T) {
	s, srv := askingStage(t)
	for behaviour, want := range map[string]string{"good": "modeltest.passed", "slow": "modeltest.passed", "status-401": "modeltest.failed", "status-500": "modeltest.failed",
		"html": "modeltest.failed"} {
		s.use(srv, behaviour)
		asked := len(srv.Requests())
		x := preferences.ShowModels(s.Host)
		x.Test()
		s.settle()
		s.sees(words.T(want, "model", behaviour))
		want := 1 // the first failure ends it
		if behaviour == "good" || behaviour == "slow" {
			want = 2 // one word, a sample
			s.sees(words.T("modeltest.asAsked"))
			s.tap(words.T("modeltest.read"))
			s.sees("thirty files hold", words.T("modeltest.sent"))
			s.press("Esc")
		}
		// What answers at once may come in one piece, or not.
		if behaviour != "good" && strings.Contains(shown(s.top()), words.T("modeltest.whole")) {
			t.Errorf("%s: in one piece", behaviour)
		}
		if n := len(srv.Requests()) - asked; n != want {
			t.Errorf("%s: the model was asked %d times, not %d", behaviour, n, want)
		}
		for _, q := range srv.Requests()[asked:] {
			if strings.Contains(q.User, "package clause") {
				t.Errorf("%s: a word of the history was sent", behaviour)
			}
		}
		s.press("Esc")
		s.closed()
		preferences.ShowModels(s.Host) // as if another day
		s.settle()
		at, _, _ := strings.Cut(words.T("modeltest.at", "time", time.Now().Format("2006-01-02 15:04")), ":")
		s.sees(at)
		if reads := strings.Contains(shown(s.top()), strings.Fields(words.T("modeltest.reads", "tokens", ""))[0]); reads && want == 1 {
			t.Errorf("%s: it reads, and has never answered", behaviour)
		} else if !reads && behaviour == "slow" {
			t.Errorf("%s: how fast it reads is not said", behaviour)
		}
		s.press("Esc")
		s.closed()
	}
}

// A rule of one's own is tried on the session at once, holds in a file that is
// exported, and goes again.
func TestOwnRulesWithhold(t *testing.T) {
	s := newStage(t)
	looks(s, func() {
		preferences.Show(s.Host, preferences.Privacy)
		s.tap(words.T("ownrules.add"))
		s.write("project")
		s.fill(1, "larch")
		s.tap(words.T("ownrules.do"))
		s.sees("project", "[redacted:project-1]")
		s.tap(words.T("do.done"))
		out := filepath.Join(t.TempDir(), "out.jsonl")
		s.Desk.Export(desk.Export{Output: session.Output{Path: out, Redact: true}, Format: s.Desk.Session().File().Doc.Format, What: desk.Full}, func(_ *session.Written, err error) {
			if err != nil {
				t.Error(err)
			}
		})
		s.settle()
		b, err := os.ReadFile(out)
		if err != nil || strings.Contains(strings.ToLower(string(b)), "larch") || !strings.Contains(string(b), "[redacted:project-1]") {
			t.Errorf("%v; the words are in the export", err)
		}

		// Kinds and rules are switched where they are listed, and it is kept.
		preferences.Show(s.Host, preferences.Privacy)
		s.tap(words.T("privacy.kind.email"))
		s.tap(words.T("privacy.kind.phone"))
		s.tap("project")
		rules := s.Desk.OwnRules()
		if redact.LooksFor(rules, redact.Email) || !redact.LooksFor(rules, redact.Phone) || !redact.LooksFor(rules, redact.Home) || !rules[0].Off {
			t.Errorf("%+v", rules)
		}
		s.tap(words.T("privacy.kind.email"))
		var kept []redact.Own
		if _, err := s.Desk.Store().Setting(t.Context(), session.OwnRulesSetting, &kept); err != nil || !reflect.DeepEqual(kept, s.Desk.OwnRules()) ||
			!redact.LooksFor(kept, redact.Email) || len(kept) != 2 {
			t.Errorf("%+v are kept (%v)", kept, err)
		}
		s.tap(words.T("do.done"))
		s.Desk.SetOwnRules(nil)
		s.settle()
	})
}

// Several servers are set up, one of them is asked, and all are there again when the
// settings are opened the next time.
func TestSeveralServersAreSetUp(t *testing.T) {
	s := newStage(t)
	s.Desk.SetProvider(online.Provider{Endpoint: remote.Endpoint{BaseURL: "http://localhost:11434/v1", Model: "first", Tries: 2}, Window: 8000})
	s.settle()
	preferences.ShowModels(s.Host)
	s.tap(words.T("servers.add"))
	s.fill(0, "http://10.0.0.7:8080/v1")
	s.fill(1, "second")
	s.tap(words.T("do.done"))
	s.closed()
	p := s.Desk.Provider()
	if p.Model != "first" || p.Tries != 2 || len(p.Others) != 1 || p.Others[0].Model != "second" || p.Others[0].Tries != 0 || p.Others[0].Window != 0 {
		t.Fatalf("%+v", p)
	}
	preferences.ShowModels(s.Host)
	s.sees("first", "second", words.T("servers.used"))
	s.tap("second")
	s.tap(words.T("servers.use"))
	s.tap(words.T("do.done"))
	p = s.Desk.Provider()
	if p.Model != "second" || p.Window != 0 || len(p.Others) != 1 || p.Others[0].Model != "first" || p.Others[0].Window != 8000 || p.Others[0].Tries != 2 {
		t.Fatalf("%+v", p)
	}
	preferences.ShowModels(s.Host)
	s.tap(words.T("servers.remove"))
	s.tap(words.T("do.done"))
	if p = s.Desk.Provider(); p.Model != "first" || len(p.Others) != 0 {
		t.Fatalf("%+v", p)
	}
}

// The row for no server is one of the list: it gives way to a server and is not lost by
// that, and using it keeps the servers.
func TestWorkingOfflineIsOneOfTheServers(t *testing.T) {
	s := newStage(t)
	s.Desk.SetProvider(online.Provider{})
	s.settle()
	preferences.ShowModels(s.Host)
	none := words.T("provider.none")
	s.sees(none, words.T("servers.now"))
	s.tap(words.T("servers.add"))
	s.fill(0, "http://10.0.0.7:8080/v1")
	s.fill(1, "second")
	s.tap(words.T("servers.use"))
	s.sees("second", words.T("servers.used"), none, words.T("servers.none"))
	if strings.Contains(shown(s.top()), words.T("servers.new")) {
		t.Error("the row for no server is listed as a new one")
	}
	s.tap(words.T("do.done"))
	s.closed()
	preferences.ShowModels(s.Host)
	s.sees("second", none)
	s.tap(none)
	s.tap(words.T("servers.use"))
	s.tap(words.T("do.done"))
	if p := s.Desk.Provider(); p.BaseURL != "" || len(p.Others) != 1 || p.Others[0].Model != "second" {
		t.Fatalf("%+v", p)
	}
}

// What would be withheld from a question is listed with its message, masked, and
// nothing is sent.
func TestLookingThroughASession(t *testing.T) {
	secret := "ghp_" + "a8Fk2LmQ9xZr7TbN4cVw1YdE6uHs3JpG0oKi"
	path := filepath.Join(t.TempDir(), "talk.json")
	talk := `{"model":"gpt-4o","messages":[{"role":"user","content":"Hello."},{"role":"assistant","content":"Hi."},` +
		`{"role":"user","content":"Use GITHUB_TOKEN=` + secret + ` for it."},{"role":"assistant","content":"Done with ` + secret + `"}]}`
	if err := os.WriteFile(path, []byte(talk), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newStage(t, path)
	looks(s, func() {
		preferences.Show(s.Host, preferences.Privacy)
		s.tap(words.T("privacy.try"))
		s.sees("#3", "[redacted:")
		if strings.Contains(shown(s.top()), secret) {
			t.Error("the secret is on the screen")
		}
		s.tap(words.T("privacy.goto"))
		s.closed()
		if n := s.Desk.Row(s.Desk.Selected()).Num; n != 3 {
			t.Errorf("at %d", n)
		}
	})
}

// A file is found by walking through folders: up, into one, to what is hidden,
// or by its path.
func TestOpeningAFileFromAFolder(t *testing.T) {
	dir := t.TempDir()
	inner := filepath.Join(dir, "inner")
	if err := os.Mkdir(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	file := sampleFile(t, inner, "lab-notebook.jsonl")
	if err := os.WriteFile(filepath.Join(inner, "picture.png"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := newStage(t)
	s.Settings.SetFolder(dir)
	looks(s, func() {
		s.Desk.Select(s.Desk.Entries()[0])
		s.Settings.SetFolder(dir)
		s.Commands.Run("openFile")
		s.Win.Canvas().Focused().TypedRune('/') // before the folder is listed
		s.settle()
		if got := s.field(0).Text(); got != "/" {
			t.Errorf("what was typed at once became %q", got)
		}
		s.Win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		s.closed()
		s.Commands.Run("openFile")
		s.settle()
		s.sees("inner", words.T("files.count", "count", 1))
		s.press("Enter") // into the only folder
		s.sees("lab-notebook.jsonl", inner)
		if strings.Contains(shown(s.top()), "picture.png") {
			t.Error("what is no transcript is listed")
		}
		s.tap(words.T("files.all"))
		s.sees("picture.png")
		s.Win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
		s.settle()
		s.sees("inner", words.T("files.count", "count", 1))
		s.fill(0, filepath.Join(dir, "nowhere"))
		s.press("Enter")
		s.sees("No such file or directory.")
		s.fill(0, filepath.Join(dir, "in")) // the list follows what is typed, and Enter and Tab take the first
		s.settle()
		s.sees("inner", words.T("files.count", "count", 1))
		s.Win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyTab})
		if got := s.field(0).Text(); got != inner+string(filepath.Separator) {
			t.Errorf("Tab makes the path %q", got)
		}
		s.settle()
		s.sees("lab-notebook.jsonl")
		s.fill(0, filepath.Join(inner, "LAB"))
		s.press("Enter")
		s.closed()
		if s.Desk.Current().Path != file || s.Settings.Folder() != inner {
			t.Errorf("at %q, the next dialog begins at %q", s.Desk.Current().Path, s.Settings.Folder())
		}
	})
}

// A folder that is opened puts its transcripts into the list.
func TestOpeningAFolder(t *testing.T) {
	dir := t.TempDir()
	sampleFile(t, dir, "lab-notebook.jsonl")
	sampleFile(t, dir, "mixed-languages.json")
	s := newStage(t)
	before := len(s.Desk.Entries())
	s.Settings.SetFolder(filepath.Join(dir, "gone"))
	t.Setenv("HOME", dir)
	s.Commands.Run("openFolder")
	s.settle()
	s.sees("mixed-languages.json", words.T("files.count", "count", 2)) // home stands in for the folder that is gone
	s.tap(words.T("open.this"))
	s.closed()
	if n := len(s.Desk.Entries()); n != before+2 || s.Settings.Folder() != dir {
		t.Errorf("%d sessions were added; %s", n-before, s.Settings.Folder())
	}
}

// A folder is watched by choosing it, offered again as watched, and let go.
func TestWatchingFolders(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	projects := filepath.Join(home, ".claude", "projects")
	if err := os.MkdirAll(projects, 0o700); err != nil {
		t.Fatal(err)
	}
	sampleFile(t, projects, "lab-notebook.jsonl")
	logs := filepath.Join(home, "logs")
	if err := os.Mkdir(logs, 0o700); err != nil {
		t.Fatal(err)
	}
	s := newStage(t)
	looks(s, func() {
		s.Commands.Run("watched")
		s.settle()
		s.sees(words.T("watched.none"), words.T("files.claude"), words.T("watched.sessions", "count", 1))
		s.tap(words.T("watched.watch"))
		s.sees(words.T("watched.already"))
		s.Settings.SetFolder(logs)
		s.tap(words.T("watched.choose"))
		s.tap(words.T("watched.here"))
		if list := s.Desk.Watched(); len(list) != 2 || list[0].Path != projects || list[1].Path != logs {
			t.Fatalf("%+v", list)
		}
		s.sees("~/logs")
		before := len(s.Desk.Entries())
		s.tap(words.T("watched.listAll"))
		s.closed()
		if len(s.Desk.Entries()) != before+1 {
			t.Errorf("%d sessions were listed", len(s.Desk.Entries())-before)
		}
		s.Desk.Remove(s.Desk.Current())
		s.Commands.Run("watched")
		s.settle()
		s.tap(words.T("watched.stop"))
		s.tap(words.T("watched.stop"))
		if len(s.Desk.Watched()) != 0 {
			t.Errorf("%+v", s.Desk.Watched())
		}
		s.tap(words.T("do.done"))
		s.closed()
	})
}

// The database is measured, checked, copied, made smaller, repaired, and thinned
// out; another one can be tried and chosen.
func TestStorageDialog(t *testing.T) {
	s := newStage(t)
	s.Opened = s.Desk.Store()
	for _, e := range s.Desk.Entries()[:2] {
		s.Desk.Select(e)
		s.settle()
		s.Desk.CompactNow()
		s.settle()
	}
	if n := s.Desk.RecordList.StoredCount(); n != 2 {
		t.Fatalf("%d records", n)
	}
	looks(s, func() {
		s.Commands.Run("storage")
		s.settle()
		s.sees(s.Desk.StorePath())
		s.tap(words.T("storage.check"))
		s.sees(words.T("storage.whole", "records", words.T("count.records", "count", 2), "files", words.T("count.files", "count", 2)))
		s.tap(words.T("storage.backup"))
		s.sees(words.T("storage.backedUp"))
		s.tap(words.T("storage.compact"))
		if !strings.Contains(shown(s.top()), strings.TrimSpace(words.T("storage.compacted", "size", ""))) {
			t.Errorf("nothing is said about the smaller database:\n%s", shown(s.top()))
		}

		s.fill(1, "0")
		s.sees(words.T("storage.badNumber"))
		s.fill(0, "30")
		s.fill(1, "100000")
		s.tap(words.T("storage.keep"))
		s.sees(words.T("storage.kept"))

		missing := filepath.Join(t.TempDir(), "other.db")
		s.fill(2, missing)
		s.tap(words.T("provider.test"))
		s.sees(words.T("storage.willBeMade"))
		s.tap(words.T("storage.use"))
		s.sees(words.T("storage.used"))
		if s.Settings.Database() != missing {
			t.Errorf("the next start takes %q", s.Settings.Database())
		}
		s.fill(2, s.Desk.StorePath())
		s.tap(words.T("provider.test"))
		if strings.Contains(shown(s.top()), words.T("storage.willBeMade")) {
			t.Error("the database that is open is said not to be there")
		}
		s.tap(words.T("do.done"))
		s.closed()
	})

	s.Commands.Run("storage")
	s.settle()
	s.fill(0, "")
	s.fill(1, "1")
	s.sees(strings.SplitN(words.T("storage.would", "count", 1, "size", "%"), "%", 2)[0])
	s.tap(words.T("storage.expire"))
	s.sees(words.T("storage.expire.title", "count", 1))
	s.tap(words.T("do.delete"))
	if n := s.Desk.RecordList.StoredCount(); n != 1 {
		t.Errorf("%d records are left", n)
	}
	s.tap(words.T("storage.repair"))
	s.tap(words.T("storage.repair.do"))
	if text := shown(s.top()); !strings.Contains(text, "rows were saved, 0 could not be.") ||
		!strings.Contains(text, words.T("storage.aside", "path", s.Desk.StorePath())) {
		t.Errorf("after a repair:\n%s", text)
	}
	if s.Opened != s.Desk.Store() {
		t.Error("the window holds the database that was replaced")
	}
}

// A line of the table of prices is added, refused while it holds no price, kept
// with the day, and removed.
func TestPricesAreKept(t *testing.T) {
	s := newStage(t)
	looks(s, func() {
		families := len(preferences.ShowTokens(s.Host).Factors.Rows)
		row := families // behind the factors
		s.fill(row, "small-model")
		s.fill(row+1, "much")
		s.fill(row+2, "2,5")
		s.tap(words.T("do.done"))
		if s.topDialog() == nil || len(s.Desk.Provider().Prices) != 0 {
			t.Fatal("a word was taken for a price")
		}
		s.fill(row+1, "0.5")
		s.tap(words.T("prices.add")) // left empty: none
		s.tap(words.T("do.done"))
		s.closed()
		p := s.Desk.Provider().Prices
		if len(p) != 1 || p[0].Model != "small-model" || p[0].Input != .5 || p[0].Output != 2.5 || p[0].Date == "" {
			t.Fatalf("%+v", p)
		}
		s.Commands.Run("modelPrices")
		s.sees(p[0].Date)
		s.fill(row, "")
		s.tap(words.T("do.done"))
		if len(s.Desk.Provider().Prices) != 0 {
			t.Errorf("%+v", s.Desk.Provider().Prices)
		}
	})
}

// The lines that an import left out are listed, with their numbers.
func TestSkippedLinesAreListed(t *testing.T) {
	s := newStage(t)
	for _, e := range s.Desk.Entries() {
		if e.Damaged > 0 {
			s.Desk.Select(e)
		}
	}
	s.settle()
	looks(s, func() {
		s.Commands.Run("skippedLines")
		s.sees(words.T("skipped.title"), words.Int(int64(firstBad(s))))
		s.tap(words.T("do.copyDetails"))
		if text := fyne.CurrentApp().Clipboard().Content(); text != show.SkippedText(s.Desk.Current()) || text == "" {
			t.Errorf("copied %q", text)
		}
		s.tap(words.T("do.close"))
		s.closed()
	})
}

// What fills the context is shown for the selected message, and the largest one of a part
// is gone to.
func TestWhatFillsTheContext(t *testing.T) {
	s := newStage(t)
	looks(s, func() {
		s.Desk.SelectMessage(99)
		s.settle()
		s.Commands.Run("filling")
		s.settle()
		kind, _ := show.MessageKind(model.KindResult)
		s.sees(words.T("filling.title"), kind, "Read", "/srv/code/larch/")
		s.press("↓", "Enter")
		s.closed()
		if at := s.Desk.SelectedMessage(); at >= 99 || s.Desk.Session().Thread().Messages[s.Desk.Session().Thread().History[at]].Kind != model.KindResult {
			t.Errorf("at message %d, not at the largest result before message 100", at+1)
		}
	})
}

func firstBad(s *stage) int {
	for _, n := range s.Desk.Current().File.Doc.Notes {
		if n.Bad {
			return n.Line
		}
	}
	s.t.Fatal("no line was left out")
	return 0
}

// One of the conversations of a file is chosen with the keyboard.
func TestChoosingAConversation(t *testing.T) {
	s := newStage(t, realdata.Files(t, "multi_agent")...)
	for _, e := range s.Desk.Entries() {
		if e.Threads > 1 {
			s.Desk.Select(e)
			break
		}
	}
	s.settle()
	e := s.Desk.Current()
	if !s.Commands.Enabled("threads") {
		t.Fatal("no file holds more than one conversation")
	}
	choices := e.File.Choices()
	s.Commands.Run("threads")
	s.sees(words.T("command.threads"), words.T("count.messages", "count", choices[1].Messages))
	s.press("↓", "Enter")
	s.closed()
	if s.Desk.Current().Ref != choices[1].Ref {
		t.Errorf("at %v, not %v", s.Desk.Current().Ref, choices[1].Ref)
	}
}
