package steps

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"palimpsest/model"
)

// events is a journal in memory, of one history.
type events []model.Event

func (j *events) Events(_ context.Context, _ string, after int64) ([]model.Event, error) {
	return (*j)[after:], nil
}

func (j *recordsToo) Append(ctx context.Context, id string, after int64, e model.Entry) ([]model.Event, error) {
	j.made = append(j.made, e.Compacted...)
	return j.events.Append(ctx, id, after, e)
}

// recordsToo is a journal that keeps what is said of compactions, too.
type recordsToo struct {
	events
	made []model.Compacted
}

// A compaction is recorded with the settings that it was made with.
func TestAPassIsRecordedWithItsSettings(t *testing.T) {
	var j recordsToo
	h, err := Open(t.Context(), "run", FixedSettings(7, 3, 900), Env{Clock: tick(), Journal: &j})
	if err != nil {
		t.Fatal(err)
	}
	addAll(t, h, 1, 8, done)
	if len(j.made) != 1 {
		t.Fatalf("%d compactions", len(j.made))
	}
	seven := model.Amount{N: 7, Unit: model.Steps}
	p := j.made[0].Policy
	if p.Tail != seven || len(p.Triggers) != 1 || p.Triggers[0].At != seven || p.Batch != (model.Amount{N: 3, Unit: model.Steps}) || p.LayerBudget.N != 900 {
		t.Errorf("window %v, threshold %v, batch %v, layer %v", p.Tail, p.Triggers, p.Batch, p.LayerBudget)
	}
}

func (j *events) Append(_ context.Context, _ string, _ int64, e model.Entry) ([]model.Event, error) {
	*j = append(*j, e.Events...)
	return nil, nil
}

// A step costs the journal the step; only a pass, which changes the rest, a snapshot.
func TestTheJournalGetsASnapshotAfterAPassOnly(t *testing.T) {
	var j events
	h, err := Open(t.Context(), "run", FixedSettings(3, 2, 0), Env{Clock: tick(), Journal: &j})
	if err != nil {
		t.Fatal(err)
	}
	addAll(t, h, 1, 8, done)
	for i, e := range j {
		var in entryJSON
		if err := json.Unmarshal([]byte(e.Items), &in); err != nil {
			t.Fatal(err)
		}
		pass := i == 0 || i+1 > 3 && i%2 == 1 // the first says with what settings
		if (in.Snapshot != nil) != pass || len(in.Steps) != 1 {
			t.Errorf("event %d has %d steps and a snapshot: %v", i+1, len(in.Steps), in.Snapshot != nil)
		}
	}
	back, err := Open(t.Context(), "run", DefaultSettings(), Env{Clock: tick(), Journal: &j})
	if err != nil || back.Text() != h.Text() || back.Stats() != h.Stats() {
		t.Errorf("%v: %+v, want %+v", err, back.Stats(), h.Stats())
	}
}

// The last steps are announced as the text announces them: what is omitted is told as long as
// all that is left of the history is asked for, and not when fewer steps are.
func TestTheLastStepsTellWhatIsOmitted(t *testing.T) {
	h := newSteps(t, FixedSettings(3, 2, 400))
	addAll(t, h, 1, 40, done)
	v := h.view()
	points := 0
	for i := range v.layer {
		points += len(v.layer[i].KeyPoints)
	}
	all := points + len(v.detail)
	if v.gap == nil || points < 2 || all >= 40 {
		t.Fatalf("%d steps are told of 40, omitted %v", all, v.gap)
	}
	for n, announced := range map[int]bool{all - 1: false, all: true, all + 1: true} {
		if text := h.Last(n); strings.Contains(text, "已省略步骤") != announced {
			t.Errorf("the last %d of %d steps, announced: %v\n%s", n, all, !announced, text)
		}
	}
}

// A model may write as much as the steps and their ends of lines are, less the blank line
// after a summary and the title that it gets.
func TestTheModelMayWriteAsMuchAsTheStepsAre(t *testing.T) {
	var asked []Batch
	s := FixedSettings(4, 3, 0)
	s.Strategy = ModelText
	h := newStepsWith(t, s, Env{Summarise: func(_ context.Context, b Batch) (string, error) {
		asked = append(asked, b)
		return "fine", nil
	}})
	addAll(t, h, 1, 5, done)
	if len(asked) != 1 || len(asked[0].Steps) != 3 {
		t.Fatalf("%d questions", len(asked))
	}
	want := -len("\n\n") - len([]rune("步骤1-3执行摘要:")) - len("\n")
	for _, r := range asked[0].Steps {
		want += len([]rune(r.Text)) + len("\n")
	}
	if asked[0].Limit != want {
		t.Errorf("a limit of %d, want %d", asked[0].Limit, want)
	}
}

// The last no steps of a history that has some are no text, and not a first execution.
func TestNoStepsOfSomeAreNoText(t *testing.T) {
	h := newSteps(t, FixedSettings(3, 2, 0))
	addAll(t, h, 1, 2, done)
	if text := h.Last(0); text != "" {
		t.Errorf("%q", text)
	}
}
