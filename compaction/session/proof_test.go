package session

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// proof is what was shown of one file, or of several together.
type proof struct {
	files, conversations, items, messages, calls int
	same                                         int // files whose copy without a compaction is the input
	applied, reloaded, restored                  int // compactions, in all presets
	refused                                      map[string]int
}

func (p *proof) add(q *proof) {
	p.files += q.files
	p.conversations += q.conversations
	p.items += q.items
	p.messages += q.messages
	p.calls += q.calls
	p.same += q.same
	p.applied += q.applied
	p.reloaded += q.reloaded
	p.restored += q.restored
	for why, n := range q.refused {
		p.refuse(why, n)
	}
}

func (p *proof) refuse(why string, n int) {
	if p.refused == nil {
		p.refused = map[string]int{}
	}
	p.refused[why] += n
}

var (
	numbers = regexp.MustCompile(`~?[0-9]+(,[0-9]{3})*`)
	single  = regexp.MustCompile(`\bn (message|token)\b`)
)

// kindOfReason is a reason without its figures, and without what they do to words.
func kindOfReason(reason string) string {
	return single.ReplaceAllString(numbers.ReplaceAllString(reason, "n"), "n ${1}s")
}

// mostThreads bounds how many threads of one file are compacted under every
// preset: some files hold a thousand short talks.
const mostThreads = 6

// prove does with a document all that may be done with it: copy, compact under
// every preset, reload, restore. It fails the test where a promise is broken.
func prove(t *testing.T, d *model.Document, threads int, presets []compaction.Preset) *proof {
	t.Helper()
	p := &proof{files: 1, conversations: len(d.Conversations), items: d.Items}
	for _, c := range d.Conversations {
		for _, th := range c.Threads {
			p.messages += len(th.Messages)
			for i := range th.Messages {
				p.calls += len(th.Messages[i].Calls)
			}
		}
	}
	input, err := d.Bytes(model.Span{Len: d.Size})
	if d.Packed != nil {
		input, err = io.ReadAll(io.NewSectionReader(d.Packed.Source, 0, d.Packed.Size))
	}
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := transcript.Copy(&out, d); err != nil {
		t.Errorf("copy: %v", err)
	}
	if bytes.Equal(out.Bytes(), input) {
		p.same++
	} else {
		t.Error("the copy without a compaction is not the input")
	}
	f := NewFile(d, Options{})
	for _, ref := range longest(d, threads) {
		counted, err := f.Session(context.Background(), ref, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, preset := range presets {
			p.add(proveCompaction(t, newSession(counted.CountedThread), preset, input))
		}
	}
	return p
}

// onlyTheLast drops all but the last message: short talks, too, must come out
// of it whole.
func onlyTheLast() compaction.Preset {
	return compaction.Preset{ID: "only-the-last", Policy: model.Policy{
		Tail: model.Amount{N: 1, Unit: model.Messages}, Batch: model.Amount{Unit: model.Messages},
		MinGain: model.Gain{Messages: 1, Tokens: 1}, Strategy: model.Drop, OnFailure: model.KeepEverything,
	}}
}

// dropping leaves out all but the last messages, without a word in their place
// that could carry what refers to them.
func dropping() compaction.Preset {
	p := onlyTheLast()
	p.ID, p.Policy.Tail.N = "dropping", 4
	return p
}

// longest returns the threads with most messages.
func longest(d *model.Document, most int) []Ref {
	var refs []Ref
	for ci, c := range d.Conversations {
		for ti := range c.Threads {
			refs = append(refs, Ref{Conversation: ci, Thread: ti})
		}
	}
	size := func(r Ref) int { return len(d.Conversations[r.Conversation].Threads[r.Thread].History) }
	slices.SortStableFunc(refs, func(a, b Ref) int { return size(b) - size(a) })
	return refs[:min(len(refs), most)]
}

// proveCompaction compacts a thread, reads the export back and restores.
func proveCompaction(t *testing.T, s *Session, preset compaction.Preset, input []byte) *proof {
	t.Helper()
	ctx := context.Background()
	p, f, ref := &proof{}, s.File(), s.Ref()
	policy := s.adopt(preset.Policy)
	if tail := policy.TailInForce(); tail.Unit == model.Tokens { // short files must compact too
		tail.N = min(tail.N, int(s.Plan(policy, compaction.Options{}).Before.Tokens)/4)
		policy.Tail = tail
	}
	rec, err := s.Records.Compact(ctx, policy, compaction.Options{Manual: true}, nil)
	if err != nil {
		t.Errorf("%s %v: %v", preset.ID, ref, err)
		return p
	}
	if rec.Outcome != model.Applied {
		p.refuse(kindOfReason(rec.Reason), 1)
		return p
	}
	p.applied++
	if rec.After.Tokens >= rec.Before.Tokens || rec.After.Messages > rec.Before.Messages {
		t.Errorf("%s: from %+v to %+v", preset.ID, rec.Before, rec.After)
	}
	out := filepath.Join(t.TempDir(), "out")
	if transcript.ReadOnly(f.Doc) != "" {
		p.add(proveOtherForm(t, s, preset, out))
	} else if _, err := s.Overlay().ExportFile(ctx, Output{Path: out}); isTooLittle(err) || f.Doc.Path == "mutant" && problemCode(err) == "parted" {
		p.applied-- // nothing was written, and it was said why
	} else if err != nil {
		t.Errorf("%s %v: %v", preset.ID, ref, err)
	} else if reloaded(t, f.Doc, out, ref) {
		p.reloaded++
	}
	if _, err := s.Records.Restore(ctx, rec.ID); err != nil {
		t.Fatal(err)
	}
	var back bytes.Buffer
	if _, err := s.Overlay().Export(&back); err != nil || !bytes.Equal(back.Bytes(), input) {
		t.Errorf("%s: restoring does not give the input back: %v", preset.ID, err)
	} else {
		p.restored++
	}
	return p
}

// exported writes a thread in its own form, or as OpenAI Chat where that is only read.
func exported(t *testing.T, s *Session, out string) error {
	t.Helper()
	var err error
	if transcript.ReadOnly(s.File().Doc) != "" {
		_, err = s.Overlay().ExportAs(t.Context(), Output{Path: out}, Form{Format: model.FormatOpenAI})
	} else {
		_, err = s.Overlay().ExportFile(t.Context(), Output{Path: out})
	}
	return err
}

// proveOtherForm writes a thread whose own form is only read as OpenAI Chat, and reads it
// back: its live messages are there, and no call or result has lost its partner.
func proveOtherForm(t *testing.T, s *Session, preset compaction.Preset, out string) *proof {
	t.Helper()
	p, ctx := &proof{}, context.Background()
	if _, err := s.Overlay().ExportAs(ctx, Output{Path: out}, Form{Format: model.FormatOpenAI}); err != nil {
		t.Errorf("%s: %v", preset.ID, err)
		return p
	}
	back, err := transcript.Open(ctx, out, transcript.Options{})
	if err != nil {
		t.Errorf("%s: %v", preset.ID, err)
		return p
	}
	f := NewFile(back, Options{})
	defer f.Close()
	was, is := 0, 0
	for _, n := range lonely(s.File().Doc) {
		was += n
	}
	for _, n := range lonely(back) {
		is += n
	}
	if is > was {
		t.Errorf("%s: %d calls or results have no partner, and %d had none", preset.ID, is, was)
		return p
	}
	p.reloaded++
	return p
}

// isTooLittle reports whether an export was stopped because nothing by which its
// format, or the conversation, is known would be left.
func isTooLittle(err error) bool {
	var p *model.Problem
	return errors.As(err, &p) && p.Code == "unknown-export"
}

// reloaded opens an export as any file and holds its calls and results against
// those of the source: none may have lost its partner.
func reloaded(t *testing.T, d *model.Document, path string, ref Ref) bool {
	t.Helper()
	back, err := NewFile(d, Options{}).readBack(context.Background(), path)
	if err != nil {
		t.Errorf("reload: %v", err)
		return false
	}
	defer back.Close()
	was, is := lonely(d), lonely(back.Doc)
	var extra []string
	for what, n := range is {
		if n > was[what] {
			extra = append(extra, what)
		}
	}
	slices.Sort(extra)
	if len(extra) > 0 {
		t.Errorf("%v has calls or results without partner that the input had not: %s", ref, strings.Join(extra, ", "))
	}
	return len(extra) == 0
}

// lonely counts the results without a call and the calls without a result in
// what each thread would send, by id.
func lonely(d *model.Document) map[string]int {
	n := map[string]int{}
	for _, c := range d.Conversations {
		for _, th := range c.Threads {
			open := map[string]int{}
			for _, i := range th.Live(len(th.History)) {
				m := &th.Messages[i]
				if m.Kind == model.KindResult {
					if open[m.Answers] > 0 {
						open[m.Answers]--
					} else {
						n["result of "+m.Answers]++
					}
				}
				for _, c := range m.Calls {
					open[c.ID]++
				}
			}
			for id, k := range open {
				if k > 0 {
					n["call "+id] += k
				}
			}
		}
	}
	return n
}

// A message that is not planned on comes later, or was taken by the record or by the
// compaction of the file that took it: never by one that came after the plan's place.
func TestWhyAMessageIsGone(t *testing.T) {
	s := openSession(t, filepath.Join("..", "..", "assets", "samples", "long-coding-run.jsonl"), Options{})
	found := s.Found()
	if len(found) != 2 {
		t.Fatalf("the sample has %d compactions", len(found))
	}
	mine := found[1].At - 1 // behind the first compaction, before the second
	s.SetAt(mine)
	p := s.adopt(compaction.Default())
	p.Tail = model.Amount{N: 4, Unit: model.Messages}
	rec, err := s.Records.Compact(t.Context(), p, compaction.Options{Manual: true}, nil)
	if err != nil || rec.Outcome != model.Applied {
		t.Fatal(rec.Outcome, rec.Reason, err)
	}
	if g := s.Gone(mine); !g.Later {
		t.Errorf("the message at the plan's place: %+v", g)
	}
	took := 0
	for at := range mine {
		g, live := s.Gone(at), slices.ContainsFunc(s.Items(), func(it model.Item) bool { return it.Msg == s.thread.History[at] })
		switch {
		case g.Later, g.Found == 2:
			t.Fatalf("%d, before the plan's place: %+v", at, g)
		case g.Record == rec:
			took++
		case !live && at < found[0].At && g.Found != 1:
			t.Fatalf("%d, which the first compaction took: %+v", at, g)
		}
		if live && (g.Record != nil) {
			t.Fatalf("%d is there: %+v", at, g)
		}
	}
	want := 0
	for _, it := range s.With(nil).Taken(rec) {
		if it.Msg >= 0 && s.thread.Messages[it.Msg].Kind != model.KindSummary {
			want++
		}
	}
	if took != want || took == 0 {
		t.Errorf("the record took %d messages, %d name it", want, took)
	}
}
