package cli

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Of very many conversations text lists the first and counts all, and JSON lists all
// without what is long of each.
func TestInspectOfVeryManyConversations(t *testing.T) {
	b := newBench(t)
	write := func(n int) string {
		var s strings.Builder
		for i := range n {
			s.WriteString(`{"messages":[{"role":"user","content":"q` + strconv.Itoa(i) + `"},{"role":"assistant","content":"a"}]}` + "\n")
		}
		file := filepath.Join(t.TempDir(), strconv.Itoa(n)+".jsonl")
		if err := os.WriteFile(file, []byte(s.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	many := write(mostJudged + 1)
	b.run("inspect", many).ends(exitDone).says("1,001 conversations", "2,002", "… and 989 more")
	in := value[inspection](b.run("inspect", many, "--json").ends(exitDone))
	if len(in.ThreadList) != mostJudged+1 || in.ThreadList[mostJudged].Title != "q1000" || in.ThreadList[0].Tokens == nil {
		t.Fatalf("%d threads, the last is %+v", len(in.ThreadList), in.ThreadList[len(in.ThreadList)-1])
	}
	if in.ThreadList[0].Next != nil || in.ThreadList[0].Evidence != nil {
		t.Error("what rules would do is said of each of 1,001 conversations")
	}
	few := value[inspection](b.run("inspect", write(3), "--json").ends(exitDone))
	if len(few.ThreadList) != 3 || few.ThreadList[2].Next == nil || few.ThreadList[2].Evidence == nil {
		t.Errorf("of three conversations it is not: %+v", few.ThreadList)
	}
}

// A message of unknown size is said beside the count.
func TestInspectSaysWhatIsOfUnknownSize(t *testing.T) {
	b := newBench(t)
	file := filepath.Join(t.TempDir(), "sealed.json")
	if err := os.WriteFile(file, []byte(`{"model":"m","input":[{"role":"user","content":"u1"},`+
		`{"type":"compaction","id":"c","encrypted_content":"gAAAAQQQQ"},{"role":"user","content":"u2"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	b.run("inspect", file).ends(exitDone).says("1 message of unknown size, which only the provider can read")
	in := value[inspection](b.run("inspect", file, "--json").ends(exitDone))
	if in.Tokens.Sealed != 1 || in.ThreadList[0].Tokens.Sealed != 1 {
		t.Errorf("%+v, %+v", in.Tokens, in.ThreadList[0].Tokens)
	}
}
