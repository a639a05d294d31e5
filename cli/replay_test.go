package cli

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/compaction/replay"
	"palimpsest/compaction/session/sweeps"
	"palimpsest/model"
)

func TestReplay(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 30)
	flags := []string{"replay", f, "--trigger", "20msgs", "--tail", "6msgs", "--summary-budget", "200"}
	r := value[replayed](b.run(append(flags, "--expected", "--json")...).ends(exitDone))
	if r.Texts || len(r.Calls) != r.Totals.Calls || len(r.Firings) != r.Totals.Firings || r.Totals.Firings < 2 || r.Saved <= 0 {
		t.Fatalf("%+v", r.Totals)
	}
	for i, c := range r.Calls {
		if c.Tokens <= 0 || c.Reason == "" || i > 0 && c.Message <= r.Calls[i-1].Message {
			t.Errorf("call %d is %+v", i, c)
		}
	}
	for _, x := range r.Firings {
		if c := r.Calls[x.Call]; c.State != "fired" || c.Tokens != x.After.Tokens || x.After.Tokens >= x.Before.Tokens || x.Summary == 0 || x.Text != "" {
			t.Errorf("%+v at %+v", x, c)
		}
	}
	texts := value[replayed](b.run(append(flags, "--json")...).ends(exitDone)) // of its own accord
	if len(texts.Firings) == 0 || !texts.Texts || !strings.Contains(texts.Firings[0].Text, "turn") {
		t.Errorf("the real texts: %+v", texts.Firings)
	}
	b.run(flags...).ends(exitDone).says("total input", "prompt cache", "before → after", "of 20 messages")
	why := b.run(append(flags, "--why")...).ends(exitDone).says("decision", "no: ", "fires: ")
	if n := strings.Count(why.out, "of 20 messages"); n < len(r.Calls) {
		t.Errorf("%d decisions of %d calls", n, len(r.Calls))
	}
	rows, err := csv.NewReader(strings.NewReader(b.run(append(flags, "--csv")...).ends(exitDone).out)).ReadAll()
	if err != nil || len(rows) != len(r.Calls)+1 {
		t.Errorf("%v, %d lines for %d calls", err, len(rows), len(r.Calls))
	}
	b.run("replay", f, "--trigger", "100000").ends(exitDone).says("fires", "never", "it never fires in this history")
	b.run("replay", f, "--if-triggered").ends(exitUsage, "a replay always goes by the threshold")
	b.run("replay", f, "--csv", "--json").ends(exitUsage)
	b.run("replay", b.path("none")).ends(exitFailed)
	b.run("replay", f, "--pin", "1000").ends(exitUsage, "no message 1000")
	b.missing(filepath.Dir(b.db)) // a replay stores nothing
}

// What the file itself reports is printed for comparison.
func TestReplayBesideTheFilesOwnFigures(t *testing.T) {
	b := newBench(t)
	f := filepath.Join("..", "assets", "samples")
	list, err := os.ReadDir(f)
	if err != nil {
		t.Fatal(err)
	}
	recorded, found := 0, 0
	for _, e := range list {
		res := b.run("replay", filepath.Join(f, e.Name()), "--json")
		if res.code != exitDone { // several conversations
			continue
		}
		r := value[replayed](res)
		found += len(r.Found)
		for _, c := range r.Calls {
			if c.Recorded != nil {
				recorded++
			}
		}
	}
	if recorded == 0 || found == 0 {
		t.Errorf("%d recorded calls and %d compactions in the samples", recorded, found)
	}
}

func TestSweep(t *testing.T) {
	b := newBench(t)
	f, g := b.chat("a.json", 30), b.chat("b.json", 12)
	args := []string{"sweep", f, g, "--context-window", "100k", "--x", "trigger=10msgs..30/3", "--y", "tail=2,6,10msgs",
		"--metric", "input", "--against", "misses", "--expected"}
	r := value[swept](b.run(append(args, "--json")...).ends(exitDone))
	if !r.Grid.Complete || len(r.Grid.Cells) != 9 || len(r.Grid.Subjects) != 2 || len(r.Values) != 3 || len(r.Values[0]) != 3 {
		t.Fatalf("%+v", r.Grid)
	}
	for y, row := range r.Values {
		for x, v := range row {
			one := value[replayed](b.run("replay", f, "--context-window", "100k", "--trigger", []string{"10msgs", "20msgs", "30msgs"}[x],
				"--tail", []string{"2", "6", "10"}[y], "--expected", "--json").ends(exitDone))
			if got := r.Grid.Cell(x, y).Results[0].Totals; got != one.Totals {
				t.Errorf("cell %d %d is %+v, its replay %+v", x, y, got, one.Totals)
			}
			if v == nil || *v <= 0 {
				t.Errorf("cell %d %d has no input", x, y)
			}
		}
	}
	if len(r.Front) != 0 {
		t.Errorf("%+v", r.Front)
	}
	b.run(args...).ends(exitDone).says("threshold (msgs)", "window (msgs)", "mean of 2 sessions",
		"misses is ≤ 0 with each of them").lacks("Best trade-offs")
	b.run("sweep", filepath.Join("..", "assets", "samples", "long-coding-run.jsonl"), "--x", "trigger=40,80", "--y", "tail=2,20msgs").
		ends(exitDone).says("No setting is called best: recall is 97 % to 98 %, the same within its spread").lacks("Best trade-offs")
	b.run("sweep", filepath.Join("..", "assets", "samples", "long-coding-run.jsonl"), "--x", "trigger=40,80", "--y", "tail=2,20msgs", "--metric", "survives").
		ends(exitDone).says("Best trade-offs of survives against input").lacks("No setting is called best")
	rows, err := csv.NewReader(strings.NewReader(b.run(append(args, "--csv")...).ends(exitDone).out)).ReadAll()
	if err != nil || len(rows) != 10 || rows[0][0] != "trigger (msgs)" {
		t.Errorf("%v %v", err, rows)
	}
	b.run("sweep", f, "--context-window", "1000", "--reserve", "500", "--x", "trigger=40,90", "--y", "tail=2,4msgs").ends(exitDone).says("x")
	b.missing(filepath.Dir(b.db))
}

func TestSweepUsage(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 5)
	for _, c := range []struct {
		x, y  string
		words string
	}{
		{"trigger=50..95/9", "trigger=1", "Two axes are threshold"},
		{"nonsense=1..2", "tail=1", "no parameter of a sweep"},
		{"trigger", "tail=1", "is no axis"},
		{"trigger=", "tail=1", "is no axis"},
		{"trigger=0..50/3", "tail=1", "above 0 %"},
		{"trigger=1..2/many", "tail=1", "no number of values"},
		{"trigger=1..2/100000", "tail=1", "1 to 1000 values"},
		{"tail=1msgs..5turns", "trigger=50", "one unit"},
		{"tail=5apples", "trigger=50", "apples"},
		{"tail=5chars", "trigger=50", "can't be in chars"},
		{"budget=-5..5", "trigger=50", "can't be -5"},
		{"window=100k,200k", "trigger=50", "The model's limit is model-limit"},
		{"tail=20000", "trigger=50", "window 20000 needs a unit: 20000tok (tokens) or 20000msgs."},
	} {
		b.run("sweep", f, "--x", c.x, "--y", c.y).ends(exitUsage, c.words)
	}
	b.run("sweep", f, "--x", "trigger=50", "--y", "tail=1", "--metric", "nonsense").ends(exitUsage)
	b.run("sweep", f, "--x", "trigger=50", "--y", "tail=1", "--all", "--agent", "x").ends(exitUsage, "--all")
	b.run("sweep", f, "--x", "tail=1", "--y", "tail=2").ends(exitUsage, "Two axes are window")
	if text := b.run("sweep", b.chats("u.jsonl", 5), "--x", "trigger=50", "--y", "tail=1").ends(exitDone).err; strings.Contains(text, "not known") {
		t.Errorf("the assumed limit is not used: %s", text)
	}
}

func TestAxisFlag(t *testing.T) {
	for text, want := range map[string]replay.Axis{
		"trigger=50..95/4":       {Param: replay.AxisTrigger, Unit: model.Percent, Values: []float64{50, 65, 80, 95}},
		"trigger=50%,62.5%":      {Param: replay.AxisTrigger, Unit: model.Percent, Values: []float64{50, 62.5}},
		"trigger=60k..120k/3":    {Param: replay.AxisTrigger, Unit: model.Tokens, Values: []float64{60000, 90000, 120000}},
		"trigger=5steps..9/3":    {Param: replay.AxisTrigger, Unit: model.Steps, Values: []float64{5, 7, 9}},
		"tail = 2k..32ktok / 2":  {Param: replay.AxisTail, Unit: model.Tokens, Values: []float64{2000, 32000}},
		"TAIL=1..13":             {Param: replay.AxisTail, Unit: model.Messages, Values: []float64{1, 3, 5, 7, 9, 11, 13}},
		"keep=0,2,4":             {Param: "keep", Unit: "results", Values: []float64{0, 2, 4}},
		"budget=500chars,1500":   {Param: "budget", Unit: model.Chars, Values: []float64{500, 1500}},
		"threshold=50%,60%":      {Param: replay.AxisTrigger, Unit: model.Percent, Values: []float64{50, 60}},
		"window=2..4/2":          {Param: replay.AxisTail, Unit: model.Messages, Values: []float64{2, 4}},
		"max-summary=500chars":   {Param: "budget", Unit: model.Chars, Values: []float64{500}},
		"model-limit=128k..1m/2": {Param: replay.AxisWindow, Unit: model.Tokens, Values: []float64{128000, 1000000}},
		"backoff=9..1/3":         {Param: "backoff", Unit: model.Messages, Values: []float64{9, 5, 1}},
	} {
		var x axisFlag
		err := x.UnmarshalText([]byte(text))
		if err != nil || x.Param != want.Param || x.Unit != want.Unit || !slices.Equal(x.Values, want.Values) || x.Names != nil {
			t.Errorf("%q: %+v %v, want %+v", text, x.Axis, err, want)
		}
	}
	if err := new(axisFlag).UnmarshalText([]byte("window=128k..1m/2")); err == nil || !strings.Contains(err.Error(), "The model's limit is model-limit") {
		t.Errorf("what was the model's limit: %v", err)
	}
	// A number without a unit means what it does in a flag of the parameter: it is counted as the policy
	// counts along the history or in characters, and else in the parameter's plain unit.
	p := model.Policy{Tail: model.Amount{Unit: model.Turns}, Batch: model.Amount{Unit: model.Steps}, Budget: model.Amount{Unit: model.Chars}, LayerBudget: model.Amount{Unit: model.Tokens}}
	for text, want := range map[string]model.Unit{"tail=1": model.Turns, "batch=1": model.Steps, "budget=9000": model.Chars, "layer=1": model.Tokens, "tail=1groups": model.Groups} {
		var x axisFlag
		if err := x.UnmarshalText([]byte(text)); err != nil || x.In(p).Unit != want {
			t.Errorf("%q is in %q: %v", text, x.In(p).Unit, err)
		}
	}
}

func TestShortNumbers(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 950: "950", 999: "999", 1000: "1K", 12345: "12.3K", 999_499: "999.5K", 999_600: "999.6K", 22_432_100: "22.4M", 2.5e9: "2.5G"} {
		if got := sweeps.Bare(replay.Axis{Values: []float64{v}}, 0); got != want {
			t.Errorf("%g is %q, want %q", v, got, want)
		}
	}
}

// For a strategy that asks a model, another one writes the texts, and the output says so.
func TestAReplayWithTextsAsksNoModel(t *testing.T) {
	b := newBench(t)
	in := filepath.Join("..", "assets", "samples", "long-coding-run.jsonl")
	for _, strategy := range []string{"model", "model+ledger"} {
		args := []string{in, "--strategy", strategy, "--context-window", "60000", "--tail", "4000tok", "--texts"}
		b.run(append([]string{"replay"}, args...)...).ends(exitDone).says("the words of extract take the place of its")
		r := value[replayed](b.run(append([]string{"replay", "--json"}, args...)...).ends(exitDone))
		if r.StandIn == nil || *r.StandIn != "extract" || len(r.Firings) == 0 || r.Firings[0].Text == "" {
			t.Errorf("%s: %d firings, %v", strategy, len(r.Firings), r.StandIn)
		}
		b.run(append([]string{"sweep", "--x", "trigger=60,80", "--y", "batch=0,20"}, args...)...).ends(exitDone).says("the words of extract take the place of its")
	}
}

// Without axes a sweep takes trigger and tail over what the history reaches, and
// shows what was needed later against the total input; by cost alone nothing is
// called best, and where nothing ever fires one sentence says so.
func TestSweepOfItsOwnAccord(t *testing.T) {
	b := newBench(t)
	f := filepath.Join("..", "assets", "samples", "long-coding-run.jsonl")
	r := value[swept](b.run("sweep", f, "--x", "trigger=60,80", "--json").ends(exitDone))
	if r.Metric != replay.MetricRecall || r.Against != replay.MetricInput || !r.Texts || r.Grid.Y.Param != replay.AxisTail || len(r.Front) != 0 || r.Never {
		t.Errorf("%s against %s, texts %v, up %+v, %d best", r.Metric, r.Against, r.Texts, r.Grid.Y, len(r.Front))
	}
	seen := map[[2]float64]bool{}
	for _, c := range value[swept](b.run("sweep", f, "--x", "trigger=60,80", "--metric", "survives", "--json").ends(exitDone)).Front {
		if at := [2]float64{c.Metric, c.Against}; seen[at] {
			t.Errorf("%v is listed twice", at)
		} else {
			seen[at] = true
		}
	}
	for i := range r.Grid.Cells {
		if r.Grid.Cells[i].Results[0].Firings == 0 {
			t.Errorf("cell %d never fires", i)
		}
	}
	cost := []string{"sweep", f, "--x", "trigger=60,80", "--y", "tail=2%,10%", "--metric", "input"}
	b.run(append(cost, "--against", "resent")...).ends(exitDone).says("neither input nor resent says what is kept").lacks("Best trade-offs")
	b.run(cost...).ends(exitDone).says("the same within its spread").lacks("Best trade-offs")
	never := b.run("sweep", b.chat("a.json", 5), "--context-window", "1m", "--x", "trigger=50,80", "--y", "tail=2%,10%").ends(exitDone)
	never.says("None of these settings ever compacts").lacks("Best trade-offs")
}

// One token is no "1 tokens", with or without a mark in front of it.
func TestOneTokenIsNotSeveral(t *testing.T) {
	b := newBench(t)
	f := b.write("one.json", []byte(`{"model":"gpt-4o","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"yes"}]}`))
	b.run("replay", f).ends(exitDone).says("the largest sends ≥ 1 token\n", "≥ 2 tokens").lacks("1 tokens")
}
