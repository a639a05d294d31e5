package gui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/online"
	"palimpsest/compaction/summarize"
	"palimpsest/compaction/summarize/remote"
	"palimpsest/compaction/summarize/remote/trial"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/kit"
	"palimpsest/gui/preferences"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/internal/until"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// askingStage is the window with a history, a strategy that asks a model and a
// server.
func askingStage(t *testing.T) (*stage, *trial.Server) {
	t.Helper()
	srv, err := trial.Listen("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { srv.Close() })
	srv.Text = func(string, string) string { return "Conversation summary: thirty files hold a package clause each." }
	var b strings.Builder
	b.WriteString(`{"model":"gpt-4o","messages":[`)
	for i := range 30 {
		fmt.Fprintf(&b, `{"role":"user","content":"Look at src/f%d.go."},{"role":"assistant","content":"%s"},`, i, strings.Repeat("It holds a package clause. ", 20))
	}
	path := filepath.Join(t.TempDir(), "talk.json")
	if err := os.WriteFile(path, []byte(b.String()+`{"role":"user","content":"Bye."}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newStage(t, path)
	s.Desk.Planning.Set(func(p *model.Policy) {
		p.Strategy, p.Tail = model.ModelText, model.Amount{N: 4, Unit: model.Messages}
	})
	s.settle()
	return s, srv
}

func (s *stage) use(srv *trial.Server, behaviour string) {
	timeout := time.Minute // what answers is not held to the machine's speed
	switch name, _, _ := strings.Cut(behaviour, "@"); name {
	case "first-byte", "stall", "endless":
		timeout = 3 * time.Second // also for the answer that follows
	}
	s.Desk.SetProvider(online.Provider{Endpoint: remote.Endpoint{BaseURL: srv.URL(), Model: behaviour, Tries: 1, Timeout: timeout, Minute: 1000}, Window: 32000,
		Prices: []online.ModelPrice{{Model: "good", Price: session.Price{Input: 2.5, Output: 10, Currency: "USD", Date: "2026-11-21"}}}})
	s.settle()
}

// markup is all words on the screen.
func (s *stage) markup() string { return test.RenderToMarkup(s.Win.Canvas()) }

func (s *stage) askAndSend() {
	s.Commands.Run("ask")
	s.settle()
	s.asking.Send()
	s.settle()
}

// For every way to misbehave the window says one sentence or shows a draft with
// its flaws, the history is as it was, and asking again works.
func TestTheWindowAndEveryMisbehaviour(t *testing.T) {
	for _, behaviour := range trial.Behaviours() {
		switch behaviour {
		case "good", "plain", "slow", "reason":
			continue
		}
		t.Run(behaviour, func(t *testing.T) {
			s, srv := askingStage(t)
			s.use(srv, behaviour+"@1")
			before := s.Desk.Session().Items()
			s.askAndSend()
			if list := s.Desk.DraftSet.Drafts(); len(list) == 1 {
				if len(list[0].Flaws) == 0 || !strings.Contains(s.markup(), words.T("flaw."+string(list[0].Flaws[0].Code))) {
					t.Errorf("the draft's flaws %v are not shown", list[0].Flaws)
				}
			} else {
				n := s.Desk.Notices()
				if len(n) != 1 || n[0].Code != "askFailed" || !strings.Contains(s.markup(), "No summary was made; ") || !strings.Contains(s.markup(), "The reason: ") {
					t.Fatalf("%d notices: %+v", len(n), n)
				}
				if r := s.Desk.RecordList.Records(); len(r) != 1 || r[0].Outcome != model.Failed || r[0].Reason == "" {
					t.Errorf("records: %+v", r)
				}
			}
			if after := s.Desk.Session().Items(); len(after) != len(before) || len(s.Desk.Session().Stack()) != 0 {
				t.Errorf("%d messages before, %d after", len(before), len(after))
			}
			s.askAndSend()
			if dr := s.Desk.DraftSet.Draft(); dr == nil || len(dr.Flaws) > 0 || len(s.Desk.Notices()) > 0 {
				t.Errorf("asked again: %+v, notices %v", dr, s.Desk.Notices())
			}
		})
	}
}

// A person asks, adds an instruction, lays the drafts beside each other in every
// way, edits one and applies it; exactly that text is the record's.
func TestDraftsFromAskingToApplying(t *testing.T) {
	s, srv := askingStage(t)
	if !strings.Contains(s.markup(), "Offline") {
		t.Error("offline is not said")
	}
	s.use(srv, "good")
	if text := s.markup(); strings.Contains(text, "Offline") || !strings.Contains(text, "Summaries: good at 127.0.0.1") {
		t.Error("who makes summaries is not said")
	}
	s.Commands.Run("ask")
	s.settle()
	if text := s.markup(); !strings.Contains(text, "1 call · ") || !strings.Contains(text, "USD, by the price entered on 2026-11-21") || len(srv.Requests()) != 0 {
		t.Errorf("the cost is not told before:\n%s", text)
	}
	s.asking.Send()
	s.settle()
	for i := range 3 {
		srv.Text = func(string, string) string {
			return fmt.Sprintf("Conversation summary: files src/f%d.go and src/f%d.go.\n\n- and number %d", i, i+1, i)
		}
		s.Commands.Run("ask")
		s.settle()
		s.asking.Instruction.SetText(fmt.Sprintf("Name %d files.", i))
		s.asking.Send()
		s.settle()
	}
	reqs := srv.Requests()
	if len(reqs) != 4 || len(s.Desk.DraftSet.Drafts()) != 4 || !strings.Contains(reqs[3].User, "Name 2 files.") {
		t.Fatalf("%d requests, %d drafts", len(reqs), len(s.Desk.DraftSet.Drafts()))
	}
	s.Commands.Run(commands.Preview)
	s.settle()
	s.sees("number 2", "4 Model")
	for _, beside := range []bool{false, true} {
		s.preview.ShowDiff(beside)
		s.settle()
		text := strings.Join(strings.Fields(shown(s.top())), " ") // what changed within a line is drawn by itself
		if !strings.Contains(text, "number 1") || !strings.Contains(text, "number 2") {
			t.Errorf("the drafts are not set against each other:\n%s", text)
		}
	}
	s.Desk.DraftSet.ChooseDraft(1)
	shown := s.Desk.DraftSet.Draft().Text.Text + "\nBy hand:\t„ok“ "
	s.Desk.DraftSet.EditDraft(shown)
	dialogs.ApplyDraft(s.Host)
	s.settle()
	r := s.Desk.Job().Record
	if r == nil || r.Summary != shown || !r.Edited || r.Asked.Instruction != "Name 0 files." {
		t.Fatalf("%+v", r)
	}
}

// The wording can be changed, is refused with a placeholder of no meaning, is
// sent, and goes back to the built-in one.
func TestTheWordingIsEdited(t *testing.T) {
	s, srv := askingStage(t)
	s.use(srv, "good")
	var x *dialogs.TemplateDialog
	open := func() {
		x = dialogs.ShowTemplate(s.Host)
	}
	open()
	x.Edit[0].SetText("Begin with 'Conversation summary:' {limits}")
	if !x.Keep.Disabled() || !strings.Contains(s.markup(), "nothing is put in for {limits}") {
		t.Error("a placeholder of no meaning is taken")
	}
	x.Edit[0].SetText("Begin with 'Conversation summary:'{limit}. Only files.")
	x.Mode.Select(dialogs.TemplateChanges)
	x.Show()
	x.Keep.Tapped(&fyne.PointEvent{})
	s.settle()
	s.askAndSend()
	if q := srv.Requests(); len(q) != 1 || !strings.HasPrefix(q[0].User, "Begin with 'Conversation summary:' (at most ") || !strings.Contains(q[0].User, "Only files.") {
		t.Fatalf("%+v", q)
	}
	if a := s.Desk.DraftSet.Draft().Asked; !strings.HasPrefix(a.Template, dialogs.OwnWording+"@") {
		t.Errorf("%+v", a)
	}
	open()
	x.Reset()
	x.Use()
	s.settle()
	if s.Desk.Provider().Template != nil {
		t.Error("the built-in wording did not come back")
	}
	for _, f := range summarize.TemplateFaults() {
		if _, ok := show.Translated("template.fault." + string(f)); !ok {
			t.Errorf("no words for %s", f)
		}
	}
}

// The table of prices keeps what is a price, with its day, and nothing else.
func TestThePricesAreEdited(t *testing.T) {
	s, srv := askingStage(t)
	s.use(srv, "other")
	if s.Desk.Provider().Prices[0].Date == "" || func() bool { p := s.Desk.Provider(); return p.Price().Known() }() {
		t.Fatal("a price of another model is taken for this one's")
	}
	x := preferences.ShowTokens(s.Host).Prices
	if len(x.Rows) != 2 {
		t.Fatalf("%d lines", len(x.Rows))
	}
	field := s.App.Driver().AbsolutePositionForObject(x.Rows[1].Input)
	if head := s.leftOf(words.T("prices.in")); head != field.X {
		t.Errorf("the heading begins at %v, its field at %v", head, field.X)
	}
	x.Rows[1].Input.SetText("1,5 dollars")
	s.tap(words.T("do.done"))
	if s.topDialog() == nil || len(s.Desk.Provider().Prices) != 1 {
		t.Fatal("words are taken for a price")
	}
	x.Rows[1].Input.SetText("1,5")
	before := time.Now().Format(time.DateOnly)
	s.tap(words.T("do.done"))
	s.closed()
	p := s.Desk.Provider()
	if price := p.Price(); price.Input != 1.5 || price.Currency != "USD" || price.Date != before && price.Date != time.Now().Format(time.DateOnly) {
		t.Errorf("%+v", p.Prices)
	}
	if p.Prices[0].Date != "2026-11-21" || p.Prices[0].Model != "good" {
		t.Errorf("a line nobody changed has another day: %+v", p.Prices[0])
	}
}

// recorder notes all that the window has its preferences remember.
type recorder struct {
	fyne.Preferences
	kept bytes.Buffer
}

func (r *recorder) SetString(k, v string) { fmt.Fprintln(&r.kept, k, v); r.Preferences.SetString(k, v) }
func (r *recorder) SetBool(k string, v bool) {
	fmt.Fprintln(&r.kept, k, v)
	r.Preferences.SetBool(k, v)
}
func (r *recorder) SetInt(k string, v int) { fmt.Fprintln(&r.kept, k, v); r.Preferences.SetInt(k, v) }
func (r *recorder) SetFloat(k string, v float64) {
	fmt.Fprintln(&r.kept, k, v)
	r.Preferences.SetFloat(k, v)
}
func (r *recorder) SetStringList(k string, v []string) {
	fmt.Fprintln(&r.kept, k, v)
	r.Preferences.SetStringList(k, v)
}

// A key planted in a variable, the key store and a server's answers is in
// nothing that is kept, written or shown.
func TestAPlantedKeyIsNowhere(t *testing.T) {
	const key = "sk-planted-7f3e9b21c8d640aa"
	t.Setenv("PALIMPSEST_PLANTED_KEY", key)
	var kept bytes.Buffer
	log.SetOutput(&kept)
	slog.SetDefault(slog.New(slog.NewTextHandler(&kept, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	s, srv := askingStage(t)
	srv.Key = key
	remembered := &recorder{Preferences: s.Settings.P}
	s.Settings.P = remembered
	s.rebuild()
	look := func(what string, text []byte) {
		t.Helper()
		if len(text) == 0 || bytes.Contains(text, []byte(key)) {
			t.Errorf("%s (%d bytes) holds the key, or nothing", what, len(text))
		}
	}
	for _, behaviour := range []string{"echo-key", "status-500", "good"} {
		s.Desk.SetProvider(online.Provider{Endpoint: remote.Endpoint{BaseURL: srv.URL(), Model: behaviour, Tries: 1, Key: remote.KeyRef{Env: "PALIMPSEST_PLANTED_KEY"}}, Window: 32000})
		s.settle()
		s.Commands.Run("ask")
		s.settle()
		look("the question's dialog", []byte(s.markup()))
		s.asking.Send()
		s.settle()
		look("the window after "+behaviour, []byte(s.markup()))
	}
	provider := preferences.ShowModels(s.Host)
	look("the settings of the model", []byte(s.markup()))
	provider.Secret.SetText(key)
	look("a typed key on the screen", []byte(s.markup()))
	s.topDialog().Hide()
	s.Desk.Planning.SavePreset("mine") // the draft stays
	s.settle()
	s.Desk.ApplyDraft()
	s.settle()
	if r := s.Desk.Job().Record; r == nil || r.Outcome != model.Applied || len(srv.Requests()) == 0 {
		t.Fatalf("%+v", r)
	}
	dir := t.TempDir()
	forms := []model.Format{s.Desk.Session().File().Doc.Format}
	for _, f := range transcript.Targets() {
		forms = append(forms, f.Format)
	}
	for i, f := range forms {
		path := filepath.Join(dir, fmt.Sprint(i))
		s.Desk.Export(desk.Export{Output: session.Output{Path: path}, Format: f}, func(_ *session.Written, err error) {
			if err != nil {
				t.Error(err)
			}
		})
		s.settle()
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		look("the export as "+string(f), text)
	}
	for _, r := range s.Desk.RecordList.Records() {
		whole, err := s.Desk.Store().Record(t.Context(), r.ID)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		look("record "+r.ID, text)
	}
	files, _ := filepath.Glob(s.Desk.Store().Path() + "*")
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > 0 {
			look("the database "+filepath.Base(f), text)
		}
	}
	for _, change := range []func(){func() { s.setMode(kit.Light) }, func() { s.setScale(1.1) }, func() { s.togglePane("chart") }, s.close} {
		change()
		s.settle()
	}
	look("what the toolkit remembers", remembered.kept.Bytes())
	slog.Info("the log is being looked at")
	look("the log", kept.Bytes())
	look("a setting", []byte(fmt.Sprintf("%+v", s.Desk.Provider())))
}

// The list of what a redacted export takes out can be looked through, and what
// is let through goes.
func TestExportsAreRedactedInTheWindow(t *testing.T) {
	secret := "ghp_" + "x7Kq2mVb9LtRw4ZcY8nHs3JpDfGa6UeQ1TiM"
	path := filepath.Join(t.TempDir(), "talk.json")
	const phone = "+1-415-555-0142"
	if err := os.WriteFile(path, []byte(`{"messages":[{"role":"user","content":"Use `+secret+` and jane@acme-corp.com or `+phone+`"},{"role":"assistant","content":"Yes."}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newStage(t, path)
	x := dialogs.ShowExport(s.Host)
	x.Redact.On.Tapped(&fyne.PointEvent{})
	s.settle()
	text := s.markup()
	if !strings.Contains(text, "[redacted:github-pat-1]") || !strings.Contains(text, "jane…") || strings.Contains(text, "github-pat: "+secret) {
		t.Fatalf("the findings are not listed:\n%s", text)
	}
	if strings.Contains(text, "[redacted:phone-1]") {
		t.Error("telephone numbers are taken out unasked")
	}
	if !strings.Contains(text, "in 1 line from line 1 on") {
		t.Errorf("of the source's own form lines are looked through:\n%s", text)
	}
	s.tap("Markdown")
	s.settle()
	if text := s.markup(); !strings.Contains(text, "in 2 places, the first in a title or summary") {
		t.Errorf("of another form title and messages are looked through:\n%s", text)
	}
	s.tap("Same as source (.json)")
	s.settle()
	s.tap(words.T("redact.also.phone"))
	s.settle()
	if text := s.markup(); !strings.Contains(text, "[redacted:phone-1]") || !strings.Contains(text, "[redacted:github-pat-1]") {
		t.Errorf("telephone numbers are not taken out where a person wants it:\n%s", text)
	}
	x.Redact.Keep["jane@acme-corp.com"] = true
	out := filepath.Join(t.TempDir(), "out.json")
	x.To.Field.SetText(out)
	x.Save(false)
	s.settle()
	got, err := os.ReadFile(out)
	if err != nil || bytes.Contains(got, []byte(secret)) || bytes.Contains(got, []byte(phone)) || !bytes.Contains(got, []byte("jane@acme-corp.com")) {
		t.Errorf("%s, %v", got, err)
	}
}

// A text is copied as it is, or without secrets where a person chooses that.
func TestTextIsCopiedWithoutSecrets(t *testing.T) {
	secret := "ghp_" + "x7Kq2mVb9LtRw4ZcY8nHs3JpDfGa6UeQ1TiM"
	path := filepath.Join(t.TempDir(), "talk.json")
	if err := os.WriteFile(path, []byte(`{"messages":[{"role":"user","content":"Use `+secret+` now"},{"role":"assistant","content":"Yes."}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newStage(t, path)
	s.Desk.SelectRow(0)
	for _, c := range [][2]string{{"copyText", "Use " + secret + " now"}, {"copyRedacted", "Use [redacted:github-pat-1] now"}} {
		s.Commands.Run(c[0])
		s.settle()
		if got := s.App.Clipboard().Content(); got != c[1] {
			t.Errorf("%s: %q", c[0], got)
		}
	}
	s.sees("1 finding hidden")
}

// While a model is asked in the background the status bar tells how long, and
// leads back to it; Cancel ends it.
func TestAskingInTheBackground(t *testing.T) {
	s, srv := askingStage(t)
	s.use(srv, "first-byte")
	s.Commands.Run("ask")
	s.settle()
	s.asking.Send()
	if !s.asking.Dlg.Shown() || !s.Desk.Asking().Running() {
		t.Fatal("nothing is shown while the model is asked")
	}
	s.asking.Dlg.Close()
	if text := s.markup(); !strings.Contains(text, "Asking the model · ") || !s.Desk.Asking().Running() {
		t.Error("the status bar does not tell that a model is asked")
	}
	s.status.Bar.OnTapped(0)
	if s.asking.Dlg == nil || !s.asking.Dlg.Shown() {
		t.Error("the status bar does not lead back")
	}
	s.Desk.CancelAsking()
	s.settle()
	if s.Desk.Asking() != nil || len(s.Desk.RecordList.Records()) != 1 || s.Desk.RecordList.Records()[0].Outcome != model.Cancelled {
		t.Errorf("%+v, %+v", s.Desk.Asking(), s.Desk.RecordList.Records())
	}
}

// The pane of the summary shows what a model has written so far, and says that there is
// none once it was called off.
func TestThePaneOfTheSummaryShowsWhatIsBeingWritten(t *testing.T) {
	s, srv := askingStage(t)
	s.use(srv, "first-byte")
	for i := range s.Desk.RowCount() {
		if s.Desk.Row(i).Kind == session.RowSummary {
			s.Desk.SelectRow(i)
		}
	}
	s.settle()
	pane := func(want, not string) {
		t.Helper()
		until.True(t, "the pane has "+want, func() bool { // the text is laid out beside the window, while the asking goes on
			s.q.Drain()
			return strings.Contains(s.markup(), want)
		})
		if text := shown(s.Win.Canvas().Content()); !strings.Contains(text, want) || strings.Contains(text, not) {
			t.Errorf("want %q, not %q:\n%s", want, not, text)
		}
	}
	none, writing := strings.ToUpper(words.T("detail.noSummary")), strings.ToUpper(words.T("asking.running"))
	pane(none, writing)
	s.Commands.Run("ask")
	s.settle()
	s.asking.Send()
	s.asking.Dlg.Close()
	pane(writing, none)
	tail := s.Desk.Planning.Params().Tail
	s.Desk.Planning.Set(func(p *model.Policy) { p.Tail.N += 2 })
	pane(none, writing) // what is written is not of this plan
	s.Desk.Planning.Set(func(p *model.Policy) { p.Tail = tail })
	pane(writing, none)
	s.Desk.CancelAsking()
	s.settle()
	pane(none, writing)
}

// The only draft, edited by hand, is laid beside what the model wrote; an attempt
// that failed is told while the next is under way, and a row of which no model was
// asked does not say that its text is being made.
func TestAnEditIsLaidBesideTheAnswer(t *testing.T) {
	s, srv := askingStage(t)
	if show.ToCome(show.Of(s.Desk)) != "row.notAsked" {
		t.Error("a summary that nobody asked for is said to be made")
	}
	s.use(srv, "good")
	s.askAndSend()
	wrote := s.Desk.DraftSet.Draft()
	if s.Desk.DraftSet.Unedited() != nil {
		t.Error("what the model wrote is taken for an edit")
	}
	s.Desk.DraftSet.EditDraft(wrote.Text.Text + "\n\n- and one line by hand")
	s.settle()
	s.Commands.Run(commands.Preview)
	for _, beside := range []bool{false, true} {
		s.preview.ShowDiff(beside)
		s.settle()
		if text := s.markup(); !strings.Contains(text, ">- and one line by hand<") {
			t.Errorf("beside %v:\n%s", beside, text)
		}
	}
	s.Desk.Undo()
	if s.Desk.DraftSet.Draft() != wrote || s.Desk.DraftSet.Unedited() != nil {
		t.Error("the edit is not discarded")
	}
}

// A model is asked from the preview of another strategy's draft, which stays beside the
// model's; the strategy of the parameters is one step of the undo.
func TestAModelIsAskedBesideADraft(t *testing.T) {
	s, srv := askingStage(t)
	s.Desk.Planning.Set(func(p *model.Policy) { p.Strategy = model.Extract })
	s.use(srv, "good")
	s.Commands.Run(commands.Preview)
	s.settle()
	first := s.Desk.DraftSet.Draft()
	s.preview.Edits.Ask(model.ModelText)
	s.settle()
	s.asking.Send()
	s.settle()
	list := s.Desk.DraftSet.Drafts()
	if len(list) != 2 || list[0] != first || s.Desk.DraftSet.Draft() != list[1] || list[1].Plan.Policy.Strategy != model.ModelText {
		t.Fatalf("%d drafts, %+v is shown", len(list), s.Desk.DraftSet.Draft())
	}
	if s.Desk.Planning.Params().Strategy != model.ModelText || !s.preview.Open {
		t.Errorf("the strategy is %s", s.Desk.Planning.Params().Strategy)
	}
}

// What was applied is what the export proposes, and not what the plan of the parameters
// would take next.
func TestTheExportProposesWhatWasApplied(t *testing.T) {
	s := newStage(t)
	proposed := func() string {
		x := dialogs.ShowExport(s.Host)
		defer s.Win.Canvas().Overlays().Remove(s.Win.Canvas().Overlays().Top())
		return x.To.Path()
	}
	s.Desk.Planning.Set(func(q *model.Policy) {
		q.Tail, q.Batch = model.Amount{N: 10, Unit: model.Messages}, model.Amount{N: 60, Unit: model.Messages}
	})
	s.settle()
	if name := proposed(); !strings.Contains(name, ".previewed") {
		t.Errorf("before anything is applied %q is proposed", name)
	}
	s.Desk.CompactNow()
	s.settle()
	if s.Desk.CanExport(desk.Previewed) != "" {
		t.Fatal("nothing more can go: the test proves nothing")
	}
	if name := proposed(); strings.Contains(name, ".previewed") {
		t.Errorf("after a compaction was applied %q is proposed", name)
	}
}
