package steps

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strings"
	"sync"
	"testing"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

func asking(window, batch, limit int) Settings {
	s := FixedSettings(window, batch, limit)
	s.Strategy = ModelText
	return s
}

func TestX2ModelThatFailsGivesAnExtract(t *testing.T) {
	expired, cancel := context.WithCancel(context.Background())
	cancel()
	for name, c := range map[string]struct {
		ctx    context.Context
		answer Summariser
		asked  int
	}{
		"error":    {nil, func(context.Context, Batch) (string, error) { return "half", errors.New("502") }, 1},
		"panic":    {nil, func(context.Context, Batch) (string, error) { panic("bug") }, 1},
		"blank":    {nil, func(context.Context, Batch) (string, error) { return " \n\t\x00 ", nil }, 1},
		"longer":   {nil, func(_ context.Context, b Batch) (string, error) { return strings.Repeat("长", b.Limit+1), nil }, 1},
		"no time":  {expired, func(ctx context.Context, _ Batch) (string, error) { return "late", nil }, 2},
		"hangs":    {nil, func(ctx context.Context, _ Batch) (string, error) { return "", context.DeadlineExceeded }, 1},
		"gives up": {nil, func(ctx context.Context, _ Batch) (string, error) { return "", context.Canceled }, 2},
		"robs steps": {nil, func(_ context.Context, b Batch) (string, error) {
			*b.Steps[0].Analysis = ""
			clear(b.Steps)
			return "", nil
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if c.ctx == nil {
				c.ctx = context.Background()
			}
			extract := newSteps(t, FixedSettings(3, 2, 5000))
			h := newStepsWith(t, asking(3, 2, 5000), Env{Summarise: c.answer})
			for n := 1; n <= 6; n++ {
				add(t, extract, done(n))
				in := done(n)
				if err := h.AppendStep(c.ctx, in); err != nil {
					t.Fatal(err)
				}
			}
			if got, want := h.Text(), extract.Text(); got != want {
				t.Errorf("%s\nwant the extract\n%s", got, want)
			}
			if st := h.Stats(); st.Fallbacks != 2 || st.Asked != c.asked {
				t.Errorf("%+v", st)
			}
		})
	}
}

// A summariser that waits for its context lets go when that is done.
func TestX2HangingModelEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	h := newStepsWith(t, asking(1, 1, 0), Env{Summarise: func(ctx context.Context, _ Batch) (string, error) {
		cancel(errors.New("enough"))
		<-ctx.Done()
		return "", ctx.Err()
	}})
	for n := 1; n <= 2; n++ {
		if err := h.AppendStep(ctx, done(n)); err != nil {
			t.Fatal(err)
		}
	}
	if s := h.Layer(); len(s) != 1 || s[0].Strategy != model.Extract {
		t.Errorf("%+v", s)
	}
}

// One that does not heed its context is left behind, and nobody else is asked
// until it has returned.
func TestX2I6ModelThatNeverReturnsHoldsNobodyUp(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	hangs := make(chan struct{})
	returned := make(chan struct{})
	asked := 0
	h := newStepsWith(t, asking(2, 1, 2000), Env{Summarise: func(context.Context, Batch) (string, error) {
		if asked++; asked == 1 {
			cancel()
			<-hangs
			defer close(returned)
		}
		return "", errors.New("502")
	}})
	const steps = 40
	for n := 1; n <= steps; n++ {
		if err := h.AppendStep(ctx, done(n)); err != nil {
			t.Fatal(err)
		}
		if asked > 0 {
			ctx = context.Background()
		}
	}
	if st := h.Stats(); st.Detail != 2 || st.Summarised != steps-2 || asked != 1 {
		t.Errorf("%+v, asked %d times", st, asked)
	}
	checkTold(t, h, h.Text(), steps)
	close(hangs)
	<-returned
}

// A model that always fails is asked O(log n) times (I7).
func TestI7FailingModelIsLeftAlone(t *testing.T) {
	asked := 0
	h := newStepsWith(t, asking(1, 1, 300), Env{Summarise: func(context.Context, Batch) (string, error) {
		asked++
		return "", errors.New("503")
	}})
	const steps = 3000
	for n := range steps {
		add(t, h, Input{Number: n, Analysis: new("**任务状态:** 完成，三个文件都已写好，全部检查通过")})
	}
	if most := bits.Len(steps); asked > most || asked < 5 || h.Stats().Asked != asked {
		t.Errorf("asked %d times in %d steps (it says %d), want at most %d", asked, steps, h.Stats().Asked, most)
	}
}

func TestX2ModelIsAskedAgainAfterItsPause(t *testing.T) {
	works := false
	h := newStepsWith(t, asking(1, 1, 0), Env{Summarise: func(context.Context, Batch) (string, error) {
		if !works {
			return "", errors.New("503")
		}
		return "好", nil
	}})
	addAll(t, h, 1, 2, done) // fails at 2, and waits for five steps
	works = true
	addAll(t, h, 3, 20, done)
	for i, s := range h.Layer() {
		if want := map[bool]model.Strategy{true: ModelText, false: model.Extract}[i >= 5]; s.Strategy != want {
			t.Errorf("summary %d is by %s, want %s", i, s.Strategy, want)
		}
	}
	if st := h.Stats(); st.Fallbacks != 5 || st.Asked != 15 {
		t.Errorf("%+v", st)
	}
}

func TestModelTextNamesItsStepsAndOutlivesMerging(t *testing.T) {
	h := newStepsWith(t, asking(2, 2, 400), Env{Summarise: func(_ context.Context, b Batch) (string, error) {
		if b.Lang != summarize.Chinese || len(b.Steps) != 2 || b.Limit <= 0 || b.Limit > 200 {
			return "", fmt.Errorf("asked %+v", b)
		}
		return fmt.Sprintf("用户要求第%d批\n不得改动配置\xff", b.Steps[0].Number), nil
	}})
	addAll(t, h, 1, 41, padded(2000))
	text := h.Text()
	if !strings.Contains(text, "步骤39-40执行摘要:\n用户要求第39批\n不得改动配置\ufffd\n\n=== 第 41 步") || !strings.Contains(text, "步骤33-34: 用户要求第33批 不得改动配置") {
		t.Errorf("the model's words are not there:\n%s", text)
	}
	if st := h.Stats(); st.Fallbacks != 0 || st.LayerLen > 400 {
		t.Errorf("%+v", st)
	}
	told := toldSteps(text, true)
	for n := 1; n <= 41; n++ {
		if !told(n) {
			t.Errorf("step %d has gone silently", n)
		}
	}
}

// Appends go on while a model works, and reading too; the caller who asked it
// finishes for all.
func TestF14AppendsDoNotWaitForTheModel(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	h := newStepsWith(t, asking(3, 1, 0), Env{Summarise: func(context.Context, Batch) (string, error) {
		once.Do(func() { close(entered); <-release })
		return "摘要", nil
	}})
	addAll(t, h, 1, 3, done)
	finished := make(chan error)
	go func() { finished <- h.AppendStep(context.Background(), done(4)) }()
	<-entered
	addAll(t, h, 5, 20, done) // would hang here
	if st := h.Stats(); st.Detail != 20 || st.Summaries != 0 {
		t.Errorf("while the model works: %+v", st)
	}
	checkTold(t, h, h.Text(), 20)
	close(release)
	if err := <-finished; err != nil {
		t.Fatal(err)
	}
	if st := h.Stats(); st.Detail != 3 || st.Summaries != 17 {
		t.Errorf("afterwards: %+v", st)
	}
	for i, s := range h.Layer() {
		if s.StartStep != i+1 {
			t.Errorf("summary %d is of step %d", i, s.StartStep)
		}
	}
}

// Many callers at once lose no step, keep each caller's order and stay within
// bounds (I11); what they read is theirs.
func TestI11F14ManyCallersAtOnce(t *testing.T) {
	var archived []int
	h := newStepsWith(t, asking(5, 3, 2000), Env{
		Summarise: func(_ context.Context, b Batch) (string, error) {
			if b.Steps[0].Number%3 == 0 {
				return "", errors.New("503")
			}
			return "摘要", nil
		},
		Archive: func(_ context.Context, steps []Record) error {
			archived = append(archived, numbers(steps)...) // one caller at a time: the race detector says so
			return nil
		},
	})
	const callers, each = 8, 50
	var wg sync.WaitGroup
	for c := range callers {
		wg.Go(func() {
			for k := range each {
				if err := h.AppendStep(context.Background(), done(c*1000+k)); err != nil {
					t.Error(err)
				}
				steps := h.Steps()
				for i := range steps {
					*steps[i].Analysis, steps[i].Number = "mine", -1
				}
				for _, s := range h.Layer() {
					for i := range s.KeyPoints {
						s.KeyPoints[i].Number = -1
					}
				}
				_ = h.Text()
				h.Find(Query{Text: "12"})
				if _, err := h.Snapshot(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	last := map[int]int{}
	all := append(archived, numbers(h.Steps())...)
	for _, n := range all {
		if n < 0 || n%1000 != last[n/1000] {
			t.Fatalf("step %d after %d of its caller", n%1000, last[n/1000])
		}
		last[n/1000]++
	}
	if len(all) != callers*each {
		t.Errorf("%d steps of %d", len(all), callers*each)
	}
	if st := h.Stats(); st.Detail > 5 || st.LayerLen > 2000 {
		t.Errorf("%+v", st)
	}
	if strings.Contains(h.Text(), "mine") {
		t.Error("a caller wrote into the history")
	}
}

// Originals are handed out before they go, byte for byte, and stay when they
// can't be kept (I2, K3).
func TestI2K3ArchiveComesFirst(t *testing.T) {
	full := errors.New("disk full")
	var kept []Record
	var refuse error
	h := newStepsWith(t, FixedSettings(3, 2, 200), Env{Archive: func(_ context.Context, steps []Record) error {
		if refuse == nil {
			kept = append(kept, steps...)
		}
		return refuse
	}})
	addAll(t, h, 1, 9, done)
	refuse = full
	before := h.Layer()
	for n := 10; n <= 12; n++ {
		err := h.AppendStep(context.Background(), done(n))
		if over := n > 9; over && (!errors.Is(err, full) || !strings.Contains(err.Error(), "steps 7 to 8")) {
			t.Errorf("step %d: %v", n, err)
		}
	}
	if st := h.Stats(); st.Detail != 6 || st.Summaries != len(before) {
		t.Errorf("without an archive steps have gone: %+v", st)
	}
	refuse = nil
	addAll(t, h, 13, 30, done)
	kept = append(kept, h.Steps()...)
	for i, r := range kept {
		if want := done(i + 1); r.Number != i+1 || *r.Execution != *want.Execution {
			t.Fatalf("original %d is %+v", i+1, r)
		}
	}
	if len(kept) != 30 {
		t.Errorf("%d originals", len(kept))
	}
}

// What a model wrote goes where it saves too little, and the own line of the step
// stays, whatever room its number takes.
func TestX2ModelTextThatSavesTooLittleLeavesTheStep(t *testing.T) {
	for _, n := range []int{5, 0, math.MinInt, math.MaxInt} {
		s := asking(1, 1, 0)
		s.LeastSaving = 50
		h := newStepsWith(t, s, Env{Summarise: func(context.Context, Batch) (string, error) { return "It went on.", nil }})
		add(t, h, Input{Number: n, Analysis: new("**完成度评估：** 是")})
		before := length(h)
		add(t, h, Input{Number: 1})
		text, st := h.Text(), h.Stats()
		if !toldSteps(text, true)(n) || st.Omitted > 0 || st.Summarised != 1 || h.Layer()[0].Omitted != nil {
			t.Errorf("step %d: %+v of\n%s", n, st, text)
		}
		if l := st.LayerLen + textLen(summaryGap); l > before {
			t.Errorf("step %d: %d characters of %d:\n%s", n, l, before, text)
		}
	}
}
