package assets

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func read(t *testing.T, id string) []byte {
	t.Helper()
	for _, s := range Samples {
		if s.ID == "sample-"+id {
			return s.Bytes()
		}
	}
	t.Fatalf("there is no sample %s", id)
	return nil
}

func readLines(t *testing.T, id string) [][]byte {
	t.Helper()
	return bytes.Split(bytes.TrimSuffix(read(t, id), []byte("\n")), []byte("\n"))
}

// record is what the tests look at of a Claude Code record.
type record struct {
	Type, Subtype, UUID string
	ParentUUID          *string `json:"parentUuid"`
	IsSidechain         bool
	IsCompactSummary    bool
	CompactMetadata     struct{ PreTokens int }
	Message             struct {
		ID      string
		Content json.RawMessage
		Usage   *struct {
			Input  int `json:"input_tokens"`
			Write  int `json:"cache_creation_input_tokens"`
			Read   int `json:"cache_read_input_tokens"`
			Output int `json:"output_tokens"`
		}
	}
}

func records(t *testing.T, id string) []record {
	t.Helper()
	var out []record
	for i, l := range readLines(t, id) {
		var r record
		if err := json.Unmarshal(l, &r); err != nil || !utf8.Valid(l) {
			t.Fatalf("line %d: %v", i+1, err)
		}
		out = append(out, r)
	}
	return out
}

// contentBlock is one element of a message's content.
type contentBlock struct {
	Type, ID, Name string
	ToolUseID      string `json:"tool_use_id"`
}

func (r record) blocks() []contentBlock {
	var out []contentBlock
	if json.Unmarshal(r.Message.Content, &out) != nil {
		return nil // a string
	}
	return out
}

func TestSamplesAreListed(t *testing.T) {
	entries, err := os.ReadDir("samples")
	if err != nil {
		t.Fatal(err)
	}
	var files, listed []string
	total := 0
	for _, e := range entries {
		files = append(files, e.Name())
	}
	for _, s := range Samples {
		listed = append(listed, s.File, s.File+".zst")
		if !strings.HasPrefix(s.ID, "sample-") || !strings.HasPrefix(s.Title, "samples.") {
			t.Errorf("%s: id %q, title %q", s.File, s.ID, s.Title)
		}
		if b, err := os.ReadFile("samples/" + s.File); err != nil || !bytes.Equal(b, s.Bytes()) {
			t.Errorf("%s is not the file of that name: %v", s.ID, err)
		}
		total += len(s.Bytes())
	}
	slices.Sort(listed)
	if !slices.Equal(files, listed) {
		t.Errorf("files %v, listed %v", files, listed)
	}
	if total > 4<<20 {
		t.Errorf("the samples take %d bytes of the program, at most 4 MiB are planned", total)
	}
}

func TestLongCodingRun(t *testing.T) {
	messages := map[string]bool{}
	var other, peak, compactions, last int
	var first []int // usage of the first call after each compaction
	for i, r := range records(t, "long-coding-run") {
		if r.Subtype == "compact_boundary" {
			compactions++
			if p := r.CompactMetadata.PreTokens; p < 155_000 || p > 165_000 || p < last {
				t.Errorf("line %d: compaction at %d tokens after a call of %d", i+1, p, last)
			}
			last = 0
		}
		if r.Message.Content == nil || r.IsCompactSummary {
			continue
		}
		if r.Message.Usage == nil {
			other++
			continue
		}
		messages[r.Message.ID] = true
		u := r.Message.Usage
		usage := u.Input + u.Write + u.Read
		if last == 0 {
			first = append(first, usage)
		}
		if usage < last {
			t.Errorf("line %d: usage falls from %d to %d without a compaction", i+1, last, usage)
		}
		last = usage
		peak = max(peak, usage)
	}
	if n := len(messages) + other; n != 480 {
		t.Errorf("%d messages, want 480", n)
	}
	if compactions != 2 || peak > 165_000 || last < 100_000 {
		t.Errorf("%d compactions, peak %d, at the end %d tokens", compactions, peak, last)
	}
	if len(first) != 3 || first[0] > 20_000 || first[1] < 40_000 || first[1] > 48_000 || first[2] < 40_000 || first[2] > 48_000 {
		t.Errorf("usage after the start and each compaction: %v", first)
	}
}

// Every result answers a call before it, every call has its result, and every
// parent exists.
func TestClaudeCodeSamplesAreWhole(t *testing.T) {
	for _, id := range []string{"long-coding-run", "crew-of-four"} {
		seen, open := map[string]bool{}, map[string]bool{}
		for i, r := range records(t, id) {
			if r.ParentUUID != nil && !seen[*r.ParentUUID] {
				t.Errorf("%s line %d: parent %s is not before it", id, i+1, *r.ParentUUID)
			}
			seen[r.UUID] = true
			for _, b := range r.blocks() {
				switch b.Type {
				case "tool_use":
					open[b.ID] = true
				case "tool_result":
					if !open[b.ToolUseID] {
						t.Errorf("%s line %d: a result without a call", id, i+1)
					}
					delete(open, b.ToolUseID)
				}
			}
		}
		if len(open) > 0 {
			t.Errorf("%s: %d calls without a result", id, len(open))
		}
	}
}

func TestCrewOfFour(t *testing.T) {
	var roots, side, tasks int
	list := records(t, "crew-of-four")
	for _, r := range list {
		if r.IsSidechain {
			side++
			if r.ParentUUID == nil {
				roots++
			}
		}
		for _, b := range r.blocks() {
			if b.Name == "Task" {
				tasks++
			}
		}
	}
	if roots != 4 || tasks != 4 || side < 100 || len(list)-side < 40 {
		t.Errorf("%d records, %d of them on %d sidechains of %d tasks", len(list), side, roots, tasks)
	}
}

func TestToolHeavyBuild(t *testing.T) {
	var doc struct {
		Messages []struct {
			Role, Content string
			Calls         []struct {
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
	}
	if err := json.Unmarshal(read(t, "tool-heavy-build"), &doc); err != nil {
		t.Fatal(err)
	}
	var tool, all, reads int
	for _, m := range doc.Messages {
		all += len(m.Content)
		if m.Role == "tool" {
			tool += len(m.Content)
		}
		for _, c := range m.Calls {
			all += len(c.Function.Arguments)
			if strings.Contains(c.Function.Arguments, `"BUILD.gantry"`) {
				reads++
			}
		}
	}
	if len(doc.Messages) != 120 || reads < 10 || tool*10 < all*7 || tool*10 > all*8 {
		t.Errorf("%d messages, %d of %d bytes are tool output, %d reads of the same file", len(doc.Messages), tool, all, reads)
	}
}

func TestMixedLanguages(t *testing.T) {
	text := read(t, "mixed-languages")
	var doc struct{ Messages []json.RawMessage }
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Messages) != 60 {
		t.Errorf("%d messages, want 60", len(doc.Messages))
	}
	for _, want := range []string{"星空フェリー", "渡轮", "승선권", "Rotterdam", "🌤️"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("no %q", want)
		}
	}
}

func TestLabNotebook(t *testing.T) {
	lines := readLines(t, "lab-notebook")
	var chinese, english int
	for i, l := range lines {
		var s struct {
			Step                             int
			Analysis, Execution, Supervision string
			Timestamp                        int64
		}
		if err := json.Unmarshal(l, &s); err != nil || s.Step != i+1 || s.Timestamp == 0 {
			t.Fatalf("line %d: %v, step %d", i+1, err, s.Step)
		}
		switch {
		case strings.Contains(s.Analysis, "**任务状态:**") && strings.Contains(s.Execution, "**执行结果:**") && strings.Contains(s.Supervision, "**是否通过:**"):
			chinese++
		case strings.Contains(s.Analysis, "**Task Status:**") && strings.Contains(s.Execution, "**Execution Result:**") && strings.Contains(s.Supervision, "**Passed:**"):
			english++
		}
	}
	if len(lines) != 30 || chinese+english != 30 || chinese < 10 || english < 10 {
		t.Errorf("%d steps, %d Chinese, %d English", len(lines), chinese, english)
	}
}

func TestDamaged(t *testing.T) {
	var bad []int
	longest := 0
	lines := readLines(t, "damaged")
	for i, l := range lines {
		if !json.Valid(l) || !utf8.Valid(l) {
			bad = append(bad, i+1)
		}
		longest = max(longest, len(l))
	}
	if len(lines) != 84 || !slices.Equal(bad, []int{9, 23, 33}) || longest < 300_000 {
		t.Errorf("%d lines, damaged %v, the longest has %d bytes", len(lines), bad, longest)
	}
}
