package summarize

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"palimpsest/model"
)

func noteOf(t *testing.T, entries []Entry, tokens int) string {
	t.Helper()
	r := Request{Entries: entries, Strategy: model.NoteText, Count: roughTokens}
	if tokens > 0 {
		r.Budget = model.Amount{N: tokens, Unit: model.Tokens}
	}
	return mustMake(t, r).Text
}

// under are the lines below a heading of a note, as a reader finds them.
func under(text, heading string) (lines []string) {
	in := false
	for _, l := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(l, "## ") || strings.HasPrefix(l, "["):
			in = l == "## "+heading || strings.HasPrefix(l, "## "+heading+", ")
		case in && l != "":
			lines = append(lines, l)
		}
	}
	return lines
}

// work is a session with all that a note tells.
func worked() []Entry {
	h := &history{}
	h.typed("Please port the importer to Rust. Never push to main. Always run the tests before you commit.")
	h.does("TaskCreate", `{"subject":"Port the reader","description":"x"}`, "Task #1 created successfully: Port the reader")
	h.does("TaskCreate", `{"subject":"Port the writer","description":"x"}`, "Task #2 created successfully: Port the writer")
	h.does("TaskUpdate", `{"taskId":"1","status":"in_progress"}`, "Updated task #1 status")
	h.does("Bash", `{"command":"git checkout -b port-reader"}`, "Switched to a new branch 'port-reader'")
	h.does("Edit", `{"file_path":"/srv/imp/src/read.rs","old_string":"a","new_string":"b"}`, "The file has been updated.")
	h.does("Edit", `{"file_path":"/srv/imp/src/read.rs","old_string":"b","new_string":"c"}`, "The file has been updated.")
	h.does("Write", `{"file_path":"/srv/imp/src/lib.rs","content":"x"}`, "File created.")
	h.does("Edit", `{"file_path":"/srv/imp/src/gone.rs","old_string":"b","new_string":"c"}`, "!String to replace not found in file.")
	h.does("apply_patch", "*** Begin Patch\n*** Update File: /srv/imp/src/main.rs\n@@\n-a\n+b\n*** End Patch", "Success")
	h.does("Bash", `{"command":"cargo test"}`, "!exit code 101\ntest result: FAILED. 3 passed; 1 failed")
	h.does("Bash", `{"command":"cargo test"}`, "test result: ok. 4 passed; 0 failed")
	h.does("Bash", `{"command":"git commit -am 'Port the reader'"}`, "[port-reader 1a2b3c4] Port the reader\n 2 files changed")
	h.does("Bash", `{"command":"gh pr create --fill"}`, "https://github.com/acme/imp/pull/12")
	h.does("TaskUpdate", `{"taskId":"1","status":"completed"}`, "Updated task #1 status")
	h.says("The reader is ported. The old one dropped the last row because it never flushed its buffer. Shall I 1) do the writer next or 2) stop here?")
	h.typed("1")
	h.does("Bash", `{"command":"cargo build"}`, "!exit code 101\nerror[E0433]: failed to resolve: use of undeclared crate `csv`")
	h.says("The build lacks the csv crate. Next I'll add csv to Cargo.toml.")
	return h.entries
}

func TestANoteTellsHowToGoOn(t *testing.T) {
	text := noteOf(t, worked(), 0)
	for heading, want := range map[string][]string{
		"Goal and asks": {"- Please port the importer to Rust. Never push to main. Always run the tests before you commit. (#1)",
			"- 1 (asked: Shall I 1) do the writer next or 2) stop here?) (#31)"},
		"Standing orders": {"- Never push to main (#1)", "- Always run the tests before you commit (#1)"},
		"To-dos":          {"- [ ] Port the writer (task 2) (#4–5)", "- [x] Port the reader (task 1) (#28)"},
		"State now": {"- Last said: The build lacks the csv crate. (#34)",
			"- Failed, not seen to work later: cargo build → exit 101: error[E0433]: failed to resolve: use of undeclared crate `csv` (#32–33)",
			"- Last test: cargo test → test result: ok. 4 passed; 0 failed (#22–23)", "- Branch: port-reader (#25)",
			"- Next: Next I'll add csv to Cargo.toml (#34)"},
		"Files changed": {"- /srv/imp/src/{main.rs, lib.rs, read.rs ×2} (#10–18)"},
		"Commits":       {"- https://github.com/acme/imp/pull/12 (#27)", "- 1a2b3c4 Port the reader (#24–25)"},
	} {
		if got := under(text, heading); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s:\n%s\nwant\n%s", heading, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	if got := strings.Join(under(text, "Decisions and findings"), "\n"); !strings.Contains(got, "because it never flushed its buffer") {
		t.Errorf("findings:\n%s", got)
	}
}

// What another agent handed over, which answers no call, is told in its place.
func TestANoteTellsWhatWasHandedOver(t *testing.T) {
	h := &history{}
	h.typed("Deploy the importer.").does("Bash", `{"command":"make plan"}`, "planned").says("The plan is made.")
	h.add(model.Message{Role: model.RoleTool, Kind: model.KindResult, Name: "handoff"},
		model.Part{Kind: model.PartResult, Text: "reviewer: the migration must run before the deploy"})
	h.typed("Go on with the deploy, please.").does("Bash", `{"command":"make deploy"}`, "deployed").says("It is deployed.")
	done := strings.Join(under(noteOf(t, h.entries, 0), "Done"), "\n")
	if strings.Count(done, "the migration must run before the deploy (#5)") != 1 {
		t.Error(done)
	}
}

// A note that is summarised again tells the same, and what came since; what is settled is
// told no more.
func TestANoteIsCarriedOn(t *testing.T) {
	first := noteOf(t, worked(), 0)
	h := &history{before: 40}
	h.entries = append(h.entries, Entry{Former: first, Num: 40})
	h.does("Edit", `{"file_path":"/srv/imp/src/read.rs","old_string":"a","new_string":"b"}`, "The file has been updated.")
	h.does("Bash", `{"command":"cargo build"}`, "Finished")
	h.does("TaskUpdate", `{"taskId":"2","status":"completed"}`, "Updated task #2 status")
	h.says("The writer is ported too.")
	second := noteOf(t, h.entries, 0)
	for _, heading := range []string{"Goal and asks", "Standing orders", "Commits"} {
		if a, b := under(first, heading), under(second, heading); strings.Join(a, "\n") != strings.Join(b, "\n") {
			t.Errorf("%s:\n%s\nwant\n%s", heading, strings.Join(b, "\n"), strings.Join(a, "\n"))
		}
	}
	for heading, want := range map[string]string{
		"To-dos":        "- [x] Port the writer (task 2) (#46)\n- [x] Port the reader (task 1) (#28)",
		"Files changed": "- /srv/imp/src/{read.rs ×3, lib.rs, main.rs} (#10–42)",
		"State now":     "- Last said: The writer is ported too. (#48)\n- Changed and not committed: read.rs (#42)",
	} {
		if got := strings.Join(under(second, heading), "\n"); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", heading, got, want)
		}
	}
}

// What a note holds is read back exactly, whatever its budget.
func TestANoteIsReadBack(t *testing.T) {
	for name, entries := range map[string][]Entry{"worked": worked(), "coding": coding(), "long": longTurn(300), "chinese": chineseChat()} {
		for _, tokens := range []int{0, 2000, 700, 300, 120, 60} {
			text := noteOf(t, entries, tokens)
			n, before := readNote(text)
			if n == nil {
				continue
			}
			w := english
			if strings.HasPrefix(text, chinese.heading) {
				w = chinese
			}
			again := strings.TrimRight(before, "\n")
			for p := range n {
				switch len(n[p]) {
				case 0:
				case 1: // in no order
					head, _, _ := strings.Cut(w.parts[p], ", oldest")
					again += "\n\n" + strings.TrimSuffix(head, "（由早到晚，以后者为准）")
				default:
					again += "\n\n" + w.parts[p]
				}
				for i := range n[p] {
					again += "\n" + n[p][i].line(w)
				}
			}
			if got, _, _ := strings.Cut(text, "\n\n[Fact"); again != got && again != strings.Split(text, "\n\n[事实")[0] {
				t.Errorf("%s in %d tokens:\n%s\nread back:\n%s", name, tokens, got, again)
			}
		}
	}
}

// Orders are whole or not there, and where something is left out a line says how much.
func TestOrdersAreNeverCut(t *testing.T) {
	h := &history{}
	var orders []string
	for i := range 30 {
		o := fmt.Sprintf("Never rename the column total_%d of the yearly report, whatever the linter says about it", i)
		orders = append(orders, o)
		h.typed(fmt.Sprintf("Look at table %d. %s.", i, o)).says(fmt.Sprintf("Table %d is fine: nothing depends on it.", i))
	}
	for _, tokens := range []int{200, 400, 1000, 3000} {
		kept, more := 0, 0
		for _, l := range under(noteOf(t, h.entries, tokens), "Standing orders") {
			l = regexp.MustCompile(` \(#[\d–]+\)$`).ReplaceAllString(strings.TrimPrefix(l, "- "), "")
			if _, err := fmt.Sscanf(l, "… %d more", &more); err == nil {
				continue
			}
			kept++
			if !strings.Contains(strings.Join(orders, "\n"), l) {
				t.Errorf("%d tokens: %q is no order", tokens, l)
			}
		}
		if kept+more != len(orders) {
			t.Errorf("%d tokens: %d orders kept, %d left out of %d", tokens, kept, more, len(orders))
		}
	}
}

// debris is what no line of a note may be: brackets alone, a cut path, marks of a list, one letter.
var debris = regexp.MustCompile(`^- (?:[^\pL\pN]*|\S)(?: \(#[\d–]+\))?$|[{(\[]$|^- .*[{][^}]*$|\x60{3}`)

func TestNoLineIsDebris(t *testing.T) {
	for name, entries := range map[string][]Entry{"worked": worked(), "coding": coding(), "long": longTurn(300), "text": textProtocol()} {
		for _, tokens := range []int{0, 1000, 500, 250} {
			for _, l := range strings.Split(noteOf(t, entries, tokens), "\n") {
				if debris.MatchString(l) {
					t.Errorf("%s in %d tokens: %q", name, tokens, l)
				}
			}
		}
	}
	for _, bad := range []string{"- }", "- x", "- ../page/{breadcrumbs.page", "- } (#3)"} {
		if !debris.MatchString(bad) {
			t.Errorf("%q is taken for a line", bad)
		}
	}
}

// What an agent said it would do is not carried on where the person then refused.
func TestAPlanThatIsOverruledIsDropped(t *testing.T) {
	h := &history{}
	h.typed("Make the build faster.")
	h.says("I'll move everything to Bazel because it caches remotely.")
	h.typed("No, keep make.")
	h.says("The build caches its objects now.")
	if text := noteOf(t, h.entries, 0); strings.Contains(text, "Bazel") {
		t.Error(text)
	}
}

func BenchmarkNote(b *testing.B) {
	entries := longTurn(500)
	for b.Loop() {
		if _, err := Make(b.Context(), Request{Entries: entries, Strategy: model.NoteText, Count: roughTokens,
			Budget: model.Amount{N: 1000, Unit: model.Tokens}}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(time.Millisecond), "ms")
}

// An announcement that was carried out is no next step, a failed run is no good test whatever its
// pipe says, and a bare first ask names the document that it goes by.
func TestANoteIsOfTheLastMoment(t *testing.T) {
	h := &history{}
	h.typed("implement")
	h.does("Read", `{"file_path":"docs/plan.md"}`, "# Plan")
	h.says("The reader fails because its buffer is empty at the end of a file.")
	h.does("Edit", `{"file_path":"read.go","old_string":"a","new_string":"b"}`, "The file has been updated.")
	h.says("The reader reads to the end now.")
	h.does("Bash", `{"command":"bun test src 2>&1 | tail -50"}`, " 3 pass\n 14 fail")
	h.typed("Always on")
	h.says("Let me look at the writer.")
	h.does("Read", `{"file_path":"write.go"}`, "package x")
	text := noteOf(t, h.entries, 0)
	for _, want := range []string{"- implement (read first: docs/plan.md) (#1)", "→ 14 fail", "Last call: Read write.go → ok"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not told", want)
		}
	}
	for _, not := range []string{"Standing orders", "buffer is empty", "Last test"} {
		if strings.Contains(text, not) {
			t.Errorf("%q is told", not)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}
