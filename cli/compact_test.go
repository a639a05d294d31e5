package cli

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// The main job on every sample: the file is smaller and loads again, the
// preview was right, nothing is overwritten, and everything comes back.
func TestCompactAndBack(t *testing.T) {
	for _, f := range samples(t) {
		t.Run(filepath.Base(f), func(t *testing.T) {
			b := newBench(t)
			out := b.path("out")
			told := value[preview](b.run("preview", f, "--json", "--window", "6"))
			r := b.run("compact", f, "--window", "6", "-o", out, "--json").ends(exitDone)
			got := value[compacted](r)
			if got.Outcome != model.Applied || *got.Record != "R-0001" || *got.Output != out || got.Reason != "" ||
				*got.Before != told.Before || *got.After != told.After {
				t.Fatalf("%s\npreview: %+v → %+v", r.out, told.Before, told.After)
			}
			in, after := value[inspection](b.run("inspect", f, "--json")), value[inspection](b.run("inspect", out, "--json"))
			if after.Tokens.Count >= in.Tokens.Count || after.Format != in.Format || after.Conversations != in.Conversations {
				t.Errorf("from %+v to %+v", in, after)
			}
			if after.Continues == nil || *after.Continues != "R-0001" {
				t.Errorf("the output does not name its record: %v", after.Continues)
			}
			input := b.read(f)
			b.run("compact", f, "--window", "6", "-o", out).ends(exitFailed, "exists already", "--force")
			b.run("restore", "R-0001", "-o", out).ends(exitFailed, "exists already")
			b.run("restore", "1", "-o", b.path("new")+"/").ends(exitDone) // a folder that is made
			b.same(filepath.Join(b.path("new"), filepath.Base(f)), f)
			b.run("restore", "1", "-o", b.path("back")).ends(exitDone).says("verified")
			b.same(b.path("back"), f)
			b.run("export", "R-0001", "-o", b.path("again")).ends(exitDone)
			b.same(b.path("again"), out)
			b.run("restore", "r-1", "--state", "-o", b.path("state")).ends(exitDone)
			b.same(b.path("state"), f)
			b.run("restore", "R-0001", "-o", out, "--force").ends(exitDone)
			b.same(out, f)
			if string(input) != string(b.read(f)) {
				t.Error("the input was touched")
			}
		})
	}
}

func TestChain(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 40)
	one, two := b.path("one.json"), b.path("two.json")
	first := value[compacted](b.run("compact", f, "--window", "60", "-o", one, "--json").ends(exitDone))
	second := value[compacted](b.run("compact", one, "--window", "10", "-o", two, "--json").ends(exitDone))
	if first.Continues != nil || second.Continues == nil || *second.Continues != *first.Record {
		t.Errorf("%v %v", first.Continues, second.Continues)
	}
	b.run("compact", two, "--window", "4").ends(exitDone).says("R-0003 applied", "continues R-0002")
	b.run("restore", "R-0001", "-o", b.path("b1")).ends(exitDone)
	b.run("restore", "R-0002", "-o", b.path("b2")).ends(exitDone)
	b.run("restore", "R-0003", "-o", b.path("b3")).ends(exitDone)
	b.same(b.path("b1"), f)
	b.same(b.path("b2"), one)
	b.same(b.path("b3"), two)
	b.run("export", "2", "-o", b.path("e2")).ends(exitDone)
	b.same(b.path("e2"), two)
	// An export that was made later names its record, too.
	b.run("export", "3", "-o", b.path("e3")).ends(exitDone)
	if c := value[inspection](b.run("inspect", b.path("e3"), "--json")).Continues; c == nil || *c != "R-0003" {
		t.Errorf("continues %v", c)
	}
	// The same file again begins with the file, not with what was made of it.
	again := value[compacted](b.run("compact", f, "--window", "60", "--json").ends(exitDone))
	if *again.Before != *first.Before || *again.After != *first.After || again.Continues != nil {
		t.Errorf("%+v", again)
	}
}

// A file that was written from a record goes on from it when its agent has gone on; every
// verb says so.
func TestAGrownOutputContinues(t *testing.T) {
	b := newBench(t)
	out := b.path("out.jsonl")
	b.run("compact", filepath.Join("..", "assets", "samples", "long-coding-run.jsonl"), "--tail", "6msgs", "-o", out).ends(exitDone)
	ids := regexp.MustCompile(`"uuid":"([^"]+)"`).FindAllSubmatch(b.read(out), -1)
	more := fmt.Appendf(b.read(out), `{"type":"user","uuid":"0f0f0f0f-1111-4222-8333-444444444444","parentUuid":%q,"sessionId":"s",`+
		`"timestamp":"2027-01-02T03:04:05Z","message":{"role":"user","content":"go on"}}`+"\n", ids[len(ids)-1][1])
	must(t, os.WriteFile(out, more, 0o600))
	for verb, from := range map[string]*string{
		"inspect": value[inspection](b.run("inspect", out, "--json").ends(exitDone)).Continues,
		"preview": value[preview](b.run("preview", out, "--tail", "1msgs", "--json")).Continues,
		"compact": value[compacted](b.run("compact", out, "--tail", "1msgs", "--json")).Continues,
	} {
		if from == nil || *from != "R-0001" {
			t.Errorf("%s: continues %v", verb, from)
		}
	}
}

func TestRecords(t *testing.T) {
	b := newBench(t)
	b.run("records", "show", "1").ends(exitFailed, "no database")
	f := b.chat("a.json", 20)
	b.run("compact", f, "--window", "6").ends(exitDone)
	b.run("compact", f, "--window", "600").ends(exitFailed, "Refused: nothing to compact", "R-0002")
	list := value[[]recordInfo](b.run("records", "list", "--json").ends(exitDone))
	if len(list) != 2 || list[0].ID != "R-0002" || list[0].Outcome != model.Refused || list[1].Outcome != model.Applied ||
		list[1].Session == "" || list[1].Path != f || list[1].After.Tokens >= list[1].Before.Tokens || list[0].After != list[0].Before {
		t.Errorf("%+v", list)
	}
	if list := value[[]recordInfo](b.run("records", "--json", "--limit", "1")); len(list) != 1 || list[0].ID != "R-0002" {
		t.Errorf("%+v", list)
	}
	b.run("records", "--search", "refused nothing like it").ends(exitDone).says("no records")
	b.run("records").ends(exitDone).says("R-0001", "stored", "R-0002", "refused: nothing to compact")
	d := value[recordDetail](b.run("records", "show", "1", "--json").ends(exitDone))
	if d.Summary == "" || len(d.Runs) == 0 || !d.Verb || d.Policy.Tail.N != 6 {
		t.Errorf("%+v", d)
	}
	b.run("records", "show", "R-0001", "--summary").ends(exitDone).says("stored", f, "## Goal and asks")
	b.run("records", "show", "R-0009").ends(exitFailed, "R-0009")
	b.run("restore", "R-0009", "-o", b.path("x")).ends(exitFailed, "R-0009")
	b.run("export", "R-0002", "-o", b.path("x")).ends(exitFailed, "no compacted transcript", "restore R-0002")
	b.run("restore", "R-0002", "-o", b.path("y")).ends(exitDone)
	b.same(b.path("y"), f)
	b.run("restore", "R-0002", "--state", "-o", b.path("z")).ends(exitDone)
	b.same(b.path("z"), f)
}

func TestSeveralConversations(t *testing.T) {
	b := newBench(t)
	f := b.chats("talks.jsonl", 10, 2, 12)
	out := b.path("out.jsonl")
	b.run("compact", f, "-o", out).ends(exitUsage, "3 conversations", "--conversation N", "talk 2")
	b.run("preview", f).ends(exitUsage, "3 conversations")
	b.run("export", f, "--format", "json", "-o", out).ends(exitUsage, "3 conversations")
	b.missing(out)
	one := value[compacted](b.run("compact", f, "--conversation", "3", "--window", "4", "--json").ends(exitDone))
	if one.Conversation != 2 || one.Before.Messages != 49 {
		t.Errorf("%+v", one)
	}
	r := b.run("compact", f, "--all", "--window", "9", "-o", out, "--json").ends(exitFailed, "conversation 2: Refused: nothing")
	all := value[[]compacted](r)
	if len(all) != 3 || all[0].Outcome != model.Applied || all[1].Outcome != model.Refused || all[2].Outcome != model.Applied ||
		*all[0].Output != out || all[1].Output != nil {
		t.Fatalf("%s", r.out)
	}
	got := value[inspection](b.run("inspect", out, "--json").ends(exitDone))
	for i, th := range got.ThreadList {
		if want := []int{all[0].After.Messages, 9, all[2].After.Messages}[i]; th.Live != want {
			t.Errorf("conversation %d has %d live messages, not %d", i+1, th.Live, want)
		}
	}
	in, lines := strings.Split(string(b.read(f)), "\n"), strings.Split(string(b.read(out)), "\n")
	if len(lines) != len(in) || lines[1] != in[1] {
		t.Error("the conversation that was refused did not stay as it was")
	}
	for _, c := range all {
		b.run("restore", *c.Record, "-o", b.path(*c.Record)).ends(exitDone)
		b.same(b.path(*c.Record), f)
	}
	if list := value[[]preview](b.run("preview", f, "--all", "--window", "9", "--json").ends(exitFailed)); len(list) != 3 || list[1].Decision != "refuse" {
		t.Errorf("%+v", list)
	}
}

func TestSeveralFiles(t *testing.T) {
	b := newBench(t)
	x, y, bad := b.chat("in/x.json", 20), b.chat("in/y.json", 20), b.write("in/bad.json", []byte("{"))
	dir := b.path("made")
	r := b.run("compact", x, bad, y, "--window", "5", "-o", dir, "--json").ends(exitFailed, bad+": ", "cut off")
	list := value[[]compacted](r)
	if len(list) != 3 || list[0].Outcome != model.Applied || list[1].Outcome != model.Failed || list[1].Record != nil || list[1].Before != nil ||
		list[2].Outcome != model.Applied || *list[2].Output != filepath.Join(dir, "y.json") {
		t.Fatalf("%s", r.out)
	}
	b.missing(filepath.Join(dir, "bad.json"))
	r = b.run("compact", x, y, "--window", "5").ends(exitDone)
	if got := strings.Split(strings.TrimSpace(r.out), "\n"); strings.Count(r.out, ": R-") != 2 || !strings.HasPrefix(got[0], x+": R-0003 applied") {
		t.Errorf("%q", got)
	}
	b.run("compact", x, b.chat("other/x.json", 20), "-o", dir, "--window", "5").ends(exitDone)
	b.run("inspect", filepath.Join(dir, "other", "x.json")).ends(exitDone)
	b.run("compact", x, "-o", dir, "--window", "5").ends(exitFailed, "x.json exists already")
}

func TestAt(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 20)
	out := b.path("out.json")
	c := value[compacted](b.run("compact", f, "--at", "42", "--window", "8", "-o", out, "--json").ends(exitDone))
	if c.Before.Messages != 41 {
		t.Errorf("%+v", c.Before)
	}
	got := value[inspection](b.run("inspect", out, "--json"))
	if want := c.After.Messages + 81 - 41; got.ThreadList[0].Live != want {
		t.Errorf("%d live messages, not %d", got.ThreadList[0].Live, want)
	}
	if d := value[recordDetail](b.run("records", "show", "1", "--json")); d.At != 41 || d.Range.To > 41 {
		t.Errorf("%+v", d)
	}
}

func TestIfTriggered(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 3)
	r := b.run("compact", f, "--if-triggered", "--trigger", "40msgs", "--json", "-o", b.path("out")).ends(exitFailed, "Refused: 13 of 40 messages.")
	if c := value[compacted](r); c.Outcome != model.Refused || c.Reason != "13 of 40 messages" || *c.Before != *c.After || *c.Record != "R-0001" || c.Output != nil {
		t.Errorf("%s", r.out)
	}
	b.missing(b.path("out"))
}

func TestExport(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 12)
	b.run("export", f, "-o", b.path("copy.json")).ends(exitDone)
	b.same(b.path("copy.json"), f)
	b.run("compact", f, "--window", "4").ends(exitDone)
	b.run("export", f, "--format", "markdown", "-o", b.path("a.md")).ends(exitDone)
	b.run("export", "R-0001", "--format", "markdown", "-o", b.path("r.md")).ends(exitDone)
	whole, less := string(b.read(b.path("a.md"))), string(b.read(b.path("r.md")))
	if !strings.Contains(whole, "line of file 3") || strings.Contains(less, "line of file 3\nline of file 3") || !strings.Contains(less, "Summary of earlier messages") {
		t.Error("the Markdown of the record is not its compacted transcript")
	}
	g := value[given](b.run("export", "R-0001", "--format", "json", "-o", b.path("r.json"), "--json").ends(exitDone))
	if *g.Record != "R-0001" || g.Bytes != int64(len(b.read(b.path("r.json")))) || g.Format != "json" {
		t.Errorf("%+v", g)
	}
	b.run("export", "R-0001", "--format", "json", "--full", "-o", b.path("full.json")).ends(exitDone)
	if n := strings.Count(string(b.read(b.path("full.json"))), `"role"`); n != 49 {
		t.Errorf("%d messages in full", n)
	}
	b.run("export", "R-0001", "--format", "json", "--agent", "x", "-o", b.path("n.json")).ends(exitUsage, "one thread")
	b.run("export", f, "--format", "markdown", "-o", b.path("a.md")).ends(exitFailed, "exists already")
}

// Where a file is written, what is there already is safe.
func TestOutputPlaces(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 12)
	compact := func(out string, more ...string) *result {
		return b.run(append([]string{"compact", f, "--window", "4", "-o", out}, more...)...)
	}
	compact("/dev/full", "--force").ends(exitFailed, "not a regular file")
	compact(filepath.Join(b.dir, "none", "deep", "x.json")).ends(exitFailed, "could not be written", "no such file")
	compact(b.dir).ends(exitFailed, "a.json exists already")
	if list := value[[]recordInfo](b.run("records", "--json")); len(list) != 1 || list[0].Outcome != model.Failed {
		t.Errorf("what ends after planning is noted: %+v", list)
	}
	target := b.write("deep/target.json", []byte("old"))
	link := b.path("link.json")
	if err := os.Symlink(target, link); err != nil {
		t.Skip("no links here: ", err)
	}
	compact(link).ends(exitFailed, "exists already")
	compact(link, "--force").ends(exitDone)
	if st, err := os.Lstat(link); err != nil || st.Mode()&os.ModeSymlink == 0 || string(b.read(target)) == "old" {
		t.Error("the link was replaced instead of what it names")
	}
	lost := b.path("lost.json")
	if err := os.Symlink(b.path("nowhere"), lost); err != nil {
		t.Fatal(err)
	}
	compact(lost, "--force").ends(exitFailed, "leads nowhere")

	// In place: the input is replaced, and can be had back.
	kept := b.write("kept.json", b.read(f))
	if err := os.Chmod(f, 0o600); err != nil {
		t.Fatal(err)
	}
	c := value[compacted](compact(f, "--replace-source", "--json").ends(exitDone))
	if st, err := os.Stat(f); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("permissions: %v %v", st.Mode(), err)
	}
	b.run("restore", *c.Record, "-o", b.path("back")).ends(exitDone)
	b.same(b.path("back"), kept)
}

// What preview warns of, compact says too; a refusal names the tail that works, and
// it does.
func TestCompactWarnsAndSaysWhatWouldDo(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 30)
	flags := []string{f, "--context-window", "300", "--reserve", "290", "--trigger", "80%", "--window", "4msgs"}
	warned := value[preview](b.run(append([]string{"preview", "--json"}, flags...)...).ends(exitDone)).Warnings
	if len(warned) == 0 {
		t.Fatal("nothing is warned of: the test proves nothing")
	}
	b.run(append([]string{"compact", "-o", b.path("out.json")}, flags...)...).ends(exitDone).says(append(warned, "Warnings")...)

	f = b.chat("b.json", 60)
	r := b.run("compact", f, "-o", b.path("no.json"), "--window", "100000tok").ends(exitFailed, "inside the window", "A shorter window would do: --window ")
	_, tail, _ := strings.Cut(r.err, "--window ")
	tail, _, _ = strings.Cut(tail, ". ")
	b.run("preview", f, "--tail", tail).ends(exitDone)
	b.run("compact", f, "-o", b.path("yes.json"), "--tail", tail).ends(exitDone).says("applied")
}

// A file with more conversations than are stored at once: each has its own result, and one
// record, in their order.
func TestMoreConversationsThanAreStoredAtOnce(t *testing.T) {
	b := newBench(t)
	var lengths []int
	for i := range together + 3 {
		lengths = append(lengths, 2+10*(i%2)) // every second one is too short
	}
	f := b.chats("talks.jsonl", lengths...)
	all := value[[]compacted](b.run("compact", f, "--all", "--window", "9", "--json").ends(exitFailed))
	if len(all) != len(lengths) {
		t.Fatalf("%d results of %d conversations", len(all), len(lengths))
	}
	seen := map[string]bool{}
	for i, c := range all {
		if want := []model.Outcome{model.Refused, model.Applied}[i%2]; c.Conversation != i || c.Outcome != want || c.Record == nil || seen[*c.Record] {
			t.Fatalf("%d: %+v", i, c)
		}
		seen[*c.Record] = true
		if i%200 == 1 {
			b.run("restore", *c.Record, "-o", b.path(*c.Record)).ends(exitDone)
			b.same(b.path(*c.Record), f)
		}
	}
}

// A record that can't be stored does not take those along that are stored with it.
func TestOneRecordThatCannotBeStored(t *testing.T) {
	list := notedTimes(t, newBench(t), 3)
	list[1].made.Record.UID = list[0].made.Record.UID
	j := fileWork{a: &app{ctx: t.Context()}}
	j.store(list)
	for i, want := range []model.Outcome{model.Refused, model.Failed, model.Refused} {
		if c := list[i].out; c.Outcome != want || (c.Record == nil) != (want == model.Failed) {
			t.Errorf("%d: %+v", i, c)
		}
	}
}

// While another program writes, the records of a file wait for it once, not one by one.
func TestRecordsWaitForAnotherProgramOnce(t *testing.T) {
	b := newBench(t)
	list := notedTimes(t, b, 4)
	db, err := sql.Open("sqlite3", b.path("one.db"))
	must(t, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	_, err = db.Exec("BEGIN IMMEDIATE")
	must(t, err)
	j := fileWork{a: &app{ctx: t.Context()}}
	start := time.Now()
	j.store(list[:1])
	once := time.Since(start)
	start = time.Now()
	j.store(list[1:])
	if took := time.Since(start); took > 2*once { // the driver waits by the clock, 5 s each time
		t.Errorf("three records took %v, one %v", took, once)
	}
	for i, w := range list {
		if w.out.Outcome != model.Failed || w.out.Record != nil || !strings.Contains(w.out.Reason, "in use by another program") {
			t.Errorf("%d: %+v", i, w.out)
		}
	}
}

// notedTimes makes as many records of refusals that are not stored, for the database one.db.
func notedTimes(t *testing.T, b *bench, times int) (list []*work) {
	st, err := store.Open(b.path("one.db"))
	must(t, err)
	t.Cleanup(func() { st.Close() })
	f, err := session.Open(t.Context(), b.chat("one.json", 8), session.Options{Store: st}, transcript.Options{})
	must(t, err)
	t.Cleanup(func() { f.Close() })
	s, err := f.Session(t.Context(), session.Ref{}, nil)
	must(t, err)
	for range times {
		made, err := s.Records.Noted(nil, s.Policy(), model.Refused, "for the test")
		must(t, err)
		list = append(list, &work{made: made, out: &compacted{}})
	}
	return list
}
