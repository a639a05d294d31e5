package transcript

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
)

// preserved is a compaction that left p1 to p3 word for word. What follows it points
// to the last of them, past boundary and summary; a file was shown again.
const preserved = `{"parentUuid":null,"type":"user","uuid":"a","sessionId":"s","isSidechain":false,"message":{"role":"user","content":"first"}}
{"parentUuid":"a","type":"assistant","uuid":"b","sessionId":"s","isSidechain":false,"message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"one"}]}}
{"parentUuid":"b","type":"user","uuid":"p1","sessionId":"s","isSidechain":false,"message":{"role":"user","content":"second"}}
{"parentUuid":"p1","type":"assistant","uuid":"p2","sessionId":"s","isSidechain":false,"message":{"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"Read","input":{}}]}}
{"parentUuid":"p2","type":"user","uuid":"p3","sessionId":"s","isSidechain":false,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"text"}]}}
{"parentUuid":null,"logicalParentUuid":"p3","type":"system","subtype":"compact_boundary","uuid":"B","sessionId":"s","isSidechain":false,"content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":167000,"postTokens":9000,"preservedSegment":{"headUuid":"p1","anchorUuid":"S","tailUuid":"p3"},"preservedMessages":{"anchorUuid":"S","uuids":["p1","p2","p3"],"allUuids":["p1","p2","p3"]}}}
{"parentUuid":"B","type":"user","uuid":"S","sessionId":"s","isSidechain":false,"isCompactSummary":true,"isVisibleInTranscriptOnly":true,"message":{"role":"user","content":"This session is being continued from a previous conversation."}}
{"parentUuid":"S","type":"attachment","uuid":"f1","sessionId":"s","isSidechain":false,"attachment":{"type":"file","filename":"x.go","content":{"type":"text","file":{"content":"package x"}}}}
{"parentUuid":"f1","type":"attachment","uuid":"f2","sessionId":"s","isSidechain":false,"attachment":{"type":"file","filename":"y.go","content":{"type":"text","file":{"content":"package y"}}}}
{"parentUuid":"p3","type":"assistant","uuid":"d","sessionId":"s","isSidechain":false,"message":{"id":"m3","role":"assistant","content":[{"type":"text","text":"two"}]}}
{"parentUuid":"d","type":"user","uuid":"e","sessionId":"s","isSidechain":false,"message":{"role":"user","content":"third"}}
`

// A record that a compaction names stays with all that it holds: the results of several calls,
// and what a person said beside them.
func TestAPreservedRecordStaysWhole(t *testing.T) {
	source := strings.NewReplacer(`{"type":"tool_use","id":"c1","name":"Read","input":{}}`,
		`{"type":"tool_use","id":"c1","name":"Read","input":{}},{"type":"tool_use","id":"c2","name":"Read","input":{}}`,
		`"content":"text"}`, `"content":"text"},{"type":"tool_result","tool_use_id":"c2","content":"more"},{"type":"text","text":"and hurry"}`).Replace(preserved)
	list := `,"preservedMessages":{"anchorUuid":"S","uuids":["p1","p2","p3"],"allUuids":["p1","p2","p3"]}`
	for name, source := range map[string]string{"named": source, "a segment": strings.Replace(source, list, "", 1)} {
		th := mustRead(t, source).Conversations[0].Main()
		got := lines(th, th.Live(len(th.History)))
		if len(got) != 10 || !slices.Equal(got[3:6], []string{"tool result text", "tool result more", "user and hurry"}) {
			t.Errorf("%s: live\n%s", name, strings.Join(got, "\n"))
		}
	}
}

// A compaction that is written as Claude Code writes it leaves thinking out where it has a line of
// its own, and is refused where it has not.
func TestNativeLeavesThinkingOut(t *testing.T) {
	line := func(up, uuid, block string) string {
		return fmt.Sprintf(`{"parentUuid":%q,"type":"assistant","uuid":%q,"sessionId":"s","message":{"id":"m1","role":"assistant","content":[%s]}}`+"\n",
			up, uuid, block)
	}
	const head = `{"parentUuid":null,"type":"user","uuid":"a","sessionId":"s","message":{"role":"user","content":"first"}}
{"parentUuid":"a","type":"user","uuid":"b","sessionId":"s","message":{"role":"user","content":"second"}}
`
	const thinking, text = `{"type":"thinking","thinking":"hm","signature":"c2ln"}`, `{"type":"text","text":"one"}`
	for source, want := range map[string]string{
		head + line("b", "c", thinking) + line("c", "d", text): `["b","d"]`,
		head + line("b", "c", thinking+","+text):               "",
		head + line("b", "c", thinking):                        "",
	} {
		var out bytes.Buffer
		err := WriteNative(&out, mustRead(t, source), &Native{Items: []model.Item{{Msg: -1, Record: "r"}, {Msg: 1}, {Msg: 2}},
			Thinking: []int32{2}, Summary: func(string) string { return "sum" }, UIDs: [2]string{"B", "S"}})
		if want == "" {
			if err == nil {
				t.Errorf("%s\nwritten", out.String())
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), `"uuids":`+want) || strings.Contains(out.String(), "preservedSegment") {
			t.Errorf("not %s:\n%s", want, out.String())
		}
		back := mustRead(t, out.String())
		if got := strings.Join(liveTexts(t, back), "|"); got != "sum|second|one" {
			t.Errorf("live: %s", got)
		}
	}
}

// The live view behind a compaction is its summary, what stayed, what was shown
// again and what follows, whether that points to the summary or past it.
func TestClaudePreservedMessages(t *testing.T) {
	segment := `"preservedSegment":{"headUuid":"p1","anchorUuid":"S","tailUuid":"p3"},`
	list := `,"preservedMessages":{"anchorUuid":"S","uuids":["p1","p2","p3"],"allUuids":["p1","p2","p3"]}`
	for name, source := range map[string]string{
		"both named":       preserved,
		"segment alone":    strings.Replace(preserved, list, "", 1),
		"messages alone":   strings.Replace(preserved, segment, "", 1),
		"more in the list": strings.Replace(preserved, `"headUuid":"p1"`, `"headUuid":"p3"`, 1),
		"behind the file":  strings.Replace(preserved, `{"parentUuid":"p3","type":"assistant","uuid":"d"`, `{"parentUuid":"f2","type":"assistant","uuid":"d"`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			d := mustRead(t, source)
			if n := len(d.Conversations[0].Threads); n != 1 {
				t.Fatalf("%d threads", n)
			}
			th := d.Conversations[0].Main()
			want := []string{"summary This session is being continued from a previous conversation.", "user second", "assistant ", "tool result text",
				"user package x", "user package y", "assistant two", "user third"}
			got := lines(th, th.Live(len(th.History)))
			for i := range got {
				if strings.HasPrefix(got[i], "assistant") && i == 2 {
					got[i] = "assistant "
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("live\n%s", strings.Join(got, "\n"))
			}
			if n := len(th.Live(5)); n == 5 {
				t.Errorf("the compaction takes effect after the call behind it: %d", n)
			}
			if len(th.Found) != 1 || th.Found[0].At != 5 || *th.Found[0].Before != 167000 || *th.Found[0].After != 9000 {
				t.Fatalf("found %+v", th.Found)
			}
			checkDocument(t, d)
			checkRewrites(t, d, 30)
		})
	}
}

// Who goes back to before a compaction and speaks on has left it.
func TestClaudeRewindBeforeACompaction(t *testing.T) {
	d := mustRead(t, strings.Replace(preserved, `{"parentUuid":"p3","type":"assistant","uuid":"d"`, `{"parentUuid":"b","type":"assistant","uuid":"d"`, 1))
	th := d.Conversations[0].Main()
	if got := lines(th, th.Live(len(th.History))); !slices.Equal(got, []string{"user first", "assistant one", "assistant two", "user third"}) {
		t.Errorf("live %q", got)
	}
	if len(th.Found) != 0 {
		t.Errorf("found %+v", th.Found)
	}
}

// The boundaries of real sessions, counted by their bytes, are found on the main
// line, with their sizes, and what they say that they left is live behind them.
// The same holds when what follows is made to point past them.
func TestClaudePreservedInRealSessions(t *testing.T) {
	boundaries, segments := 0, 0
	for _, path := range realdata.Sessions(t) {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b, s := checkBoundaries(t, filepath.Base(path), source)
		if past := pointPast(t, source); !bytes.Equal(past, source) {
			checkBoundaries(t, filepath.Base(path)+", pointing past", past)
			d, e := mustRead(t, string(source)), mustRead(t, string(past))
			sameLive(t, d.Conversations[0].Main(), e.Conversations[0].Main())
		}
		boundaries, segments = boundaries+b, segments+s
	}
	if boundaries != 71 || segments != 4 {
		t.Errorf("%d boundaries, %d with a preserved segment; by bytes 71 and 4", boundaries, segments)
	}
}

type boundaryRecord struct {
	Type, Subtype, UUID string
	ParentUUID          string
	CompactMetadata     struct {
		PreTokens, PostTokens *int
		PreservedSegment      *struct{ HeadUUID, AnchorUUID, TailUUID string }
		PreservedMessages     *struct{ UUIDs []string }
	}
}

// boundaryRecords are the boundaries of a source, read independently of the reader.
func boundaryRecords(source []byte) (out []boundaryRecord) {
	for line := range bytes.Lines(source) {
		var r boundaryRecord
		if bytes.Contains(line, []byte("compact_boundary")) && json.Unmarshal(line, &r) == nil && r.Type == "system" && r.Subtype == "compact_boundary" {
			out = append(out, r)
		}
	}
	return out
}

func checkBoundaries(t *testing.T, name string, source []byte) (boundaries, segments int) {
	t.Helper()
	want := boundaryRecords(source)
	if len(want) == 0 {
		return 0, 0
	}
	d := mustRead(t, string(source))
	th := d.Conversations[0].Main()
	var found []model.Found
	for _, f := range th.Found {
		if !f.Clearing {
			found = append(found, f)
		}
	}
	if len(found) != len(want) {
		t.Errorf("%s: %d compactions found, %d in the file", name, len(found), len(want))
		return 0, 0
	}
	for i, w := range want {
		f := found[i]
		if !sameNumber(f.Before, w.CompactMetadata.PreTokens) || !sameNumber(f.After, w.CompactMetadata.PostTokens) || f.Summary < 0 {
			t.Errorf("%s: compaction %d: %+v", name, i+1, f)
		}
		live := th.Live(f.At)
		if live[0] != int32(f.Summary) {
			t.Errorf("%s: the list behind compaction %d does not begin with its summary", name, i+1)
		}
		p := w.CompactMetadata.PreservedMessages
		if p == nil {
			continue
		}
		segments++
		stayed := 0 // the others it names are notes for the screen, or further records of one answer
		for _, m := range live {
			if int(m) < f.Summary {
				stayed++
				if !slices.Contains(p.UUIDs, th.Messages[m].ID) {
					t.Errorf("%s: %s is live behind compaction %d, which did not leave it", name, th.Messages[m].ID, i+1)
				}
			}
		}
		for i := range th.Messages {
			m := &th.Messages[i]
			if said := m.Kind == model.KindUser || m.Kind == model.KindAssistant; said && slices.Contains(p.UUIDs, m.ID) && !slices.Contains(live, int32(i)) {
				t.Errorf("%s: %s stayed, and is not live behind compaction %d", name, m.ID, i+1)
			}
		}
		if stayed == 0 {
			t.Errorf("%s: nothing is live of what compaction %d left", name, i+1)
		}
	}
	return len(want), segments
}

func sameNumber(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }

// pointPast lets the first thing said behind each compaction point to the last
// message that it left, as later versions of Claude Code write it.
func pointPast(t *testing.T, source []byte) []byte {
	t.Helper()
	out, tail := bytes.NewBuffer(nil), ""
	for line := range bytes.Lines(source) {
		if tail == "" && !bytes.Contains(line, []byte("compact_boundary")) {
			out.Write(line)
			continue
		}
		var r struct {
			boundaryRecord
			Message struct{ Content any }
		}
		_ = json.Unmarshal(line, &r)
		if r.Subtype == "compact_boundary" && r.CompactMetadata.PreservedSegment != nil {
			tail = r.CompactMetadata.PreservedSegment.TailUUID
		} else if tail != "" && r.Type == "assistant" {
			from := fmt.Sprintf(`"parentUuid":%q`, r.ParentUUID)
			if !bytes.Contains(line, []byte(from)) {
				t.Fatalf("no parent to replace in %.200s", line)
			}
			line, tail = bytes.Replace(line, []byte(from), []byte(fmt.Sprintf(`"parentUuid":%q`, tail)), 1), ""
		}
		out.Write(line)
	}
	return out.Bytes()
}

// sameLive compares the live lists of two readings of a thread behind each of its
// compactions and at its end. What a person typed between the compaction and the
// answer is not on a line that points past it.
func sameLive(t *testing.T, a, b *model.Thread) {
	t.Helper()
	ids := func(th *model.Thread, at int) (out []string) {
		for _, m := range th.Live(at) {
			if m := &th.Messages[m]; m.Kind == model.KindAssistant || m.Kind == model.KindResult || m.Kind == model.KindSummary {
				out = append(out, m.ID)
			}
		}
		return out
	}
	if len(a.Found) != len(b.Found) {
		t.Fatalf("%d and %d compactions", len(a.Found), len(b.Found))
	}
	for i := range a.Found {
		if x, y := ids(a, a.Found[i].At), ids(b, b.Found[i].At); !slices.Equal(x, y) {
			t.Errorf("behind compaction %d: %d and %d messages", i+1, len(x), len(y))
		}
	}
	if x, y := ids(a, len(a.History)), ids(b, len(b.History)); !slices.Equal(x, y) {
		t.Errorf("at the end: %d and %d messages", len(x), len(y))
	}
}

// Claude Code sends of a rewritten session the messages that are live in it: its boundary names
// what is there, whatever went of the summary, of what was left, and of what follows.
func TestClaudeCodeFollowsARewrittenBoundary(t *testing.T) {
	segment := `"preservedSegment":{"headUuid":"p1","anchorUuid":"S","tailUuid":"p3"},`
	list := `,"preservedMessages":{"anchorUuid":"S","uuids":["p1","p2","p3"],"allUuids":["p1","p2","p3"]}`
	behind := strings.Replace(preserved, `{"parentUuid":"p3","type":"assistant","uuid":"d"`, `{"parentUuid":"f2","type":"assistant","uuid":"d"`, 1)
	named, checked := 0, 0
	for _, source := range []string{preserved, behind} {
		for _, source := range []string{source, strings.Replace(source, list, "", 1), strings.Replace(source, segment, "", 1)} {
			d := mustRead(t, source)
			live := d.Conversations[0].Main().Live(len(d.Conversations[0].Main().History))
			for from := range live {
				for to := from + 1; to < len(live); to++ {
					c := &edit.Change{Drop: live[from:to], Summaries: []edit.Summary{{Before: live[from], UID: "N", Text: "new"}}}
					r, err := Rewrite(d, c)
					if err != nil {
						t.Fatal(err)
					}
					out := written(t, r.Edits)
					got, followed := claudeSends(t, out)
					th := mustRead(t, string(out)).Conversations[0].Main()
					var want []string
					for _, m := range th.Live(len(th.History)) {
						if id := th.Messages[m].ID; id[0] != 'f' { // files are shown again, or not
							want = append(want, id)
						}
					}
					if !slices.Equal(got, want) {
						t.Errorf("without %d to %d Claude Code sends %q, live are %q, of\n%s", from, to, got, want, out)
					}
					if checked++; followed {
						named++
					}
				}
			}
		}
	}
	if checked != 6*28 || named < 50 || named == checked {
		t.Errorf("%d rewrites, %d boundaries that leave something", checked, named)
	}
}

// claudeSends loads a session as Claude Code does since 2.1: what the last boundary left hangs
// on the anchor, what else hangs there after that, and what was before the boundary goes.
func claudeSends(t *testing.T, source []byte) (ids []string, followed bool) {
	t.Helper()
	type record struct {
		boundaryRecord
		CompactMetadata struct {
			PreservedSegment  *struct{ HeadUUID, AnchorUUID, TailUUID string }
			PreservedMessages *struct {
				AnchorUUID string
				UUIDs      []string
			}
		}
	}
	var order []*record
	byID, boundary := map[string]*record{}, -1
	for line := range bytes.Lines(source) {
		r := new(record)
		if err := json.Unmarshal(line, r); err != nil {
			t.Fatal(err)
		}
		if r.Subtype == "compact_boundary" {
			boundary = len(order)
		}
		order = append(order, r)
		byID[r.UUID] = r
	}
	var left []string
	anchor := ""
	meta := order[boundary].CompactMetadata
	if list := meta.PreservedMessages; list != nil {
		left, anchor = list.UUIDs, list.AnchorUUID
	} else if s := meta.PreservedSegment; s != nil {
		anchor = s.AnchorUUID
		for at := byID[s.TailUUID]; ; at = byID[at.ParentUUID] {
			if at == nil || len(left) > len(order) {
				t.Fatalf("the tail does not lead to the head in\n%s", source)
			}
			if left = append([]string{at.UUID}, left...); at.UUID == s.HeadUUID {
				break
			}
		}
	}
	for _, r := range order {
		if len(left) > 0 && r.ParentUUID == anchor && r.UUID != left[0] {
			r.ParentUUID = left[len(left)-1]
		}
	}
	above := anchor
	for _, id := range left {
		if byID[id] == nil || byID[anchor] == nil {
			t.Fatalf("%s or %s is not in\n%s", id, anchor, source)
		}
		byID[id].ParentUUID, above = above, id
	}
	for _, r := range order[:boundary] {
		if !slices.Contains(left, r.UUID) {
			delete(byID, r.UUID)
		}
	}
	for r := order[len(order)-1]; r != nil; r = byID[r.ParentUUID] {
		if r.Type != "system" && r.Type != "attachment" {
			ids = append([]string{r.UUID}, ids...)
		}
	}
	return ids, len(left) > 0
}

// Where all but what a boundary left is dropped, its summary too, that is what is live.
func TestAPreservedTailWithoutItsSummary(t *testing.T) {
	line := func(s string) string { return strings.ReplaceAll(s, "'", `"`) + "\n" }
	said := line(`{'type':'user','uuid':'u1','parentUuid':null,'sessionId':'s','message':{'role':'user','content':'first'}}`) +
		line(`{'type':'assistant','uuid':'a1','parentUuid':'u1','sessionId':'s','message':{'id':'m1','role':'assistant','content':[{'type':'text','text':'one'}]}}`) +
		line(`{'type':'user','uuid':'u2','parentUuid':'a1','sessionId':'s','message':{'role':'user','content':'second'}}`) +
		line(`{'type':'assistant','uuid':'a2','parentUuid':'u2','sessionId':'s','message':{'id':'m2','role':'assistant','content':[{'type':'text','text':'two'}]}}`)
	compacted := func(boundary, logical, summary, left string) string {
		return line(`{'type':'system','subtype':'compact_boundary','uuid':'`+boundary+`','parentUuid':null,'logicalParentUuid':'`+logical+
			`','sessionId':'s','content':'Conversation compacted','compactMetadata':{'trigger':'manual','preTokens':9,'preservedMessages':{'anchorUuid':'`+
			summary+`','uuids':[`+left+`],'allUuids':[`+left+`]}}}`) +
			line(`{'type':'user','uuid':'`+summary+`','parentUuid':'`+boundary+`','sessionId':'s','isCompactSummary':true,'message':{'role':'user','content':'sum'}}`)
	}
	for _, text := range []string{said + compacted("b1", "a2", "s1", "'u2','a2'"),
		said + compacted("b1", "a2", "s1", "'u2','a2'") + compacted("b2", "s1", "s2", "'u2','a2'")} {
		d := mustRead(t, text)
		th := d.Conversations[0].Main()
		live := th.Live(len(th.History))
		r, err := Rewrite(d, &edit.Change{Drop: live[:len(live)-1]})
		if err != nil {
			t.Fatal(err)
		}
		if got := liveOf(mustRead(t, string(written(t, r.Edits)))); got != "assistant two" {
			t.Errorf("%q of\n%s", got, written(t, r.Edits))
		}
	}
}
