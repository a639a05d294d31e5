package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"palimpsest/compaction/session/probing"
	"palimpsest/compaction/summarize/remote/trial"
)

// asked is a question as a request words it, with its choices.
var asked = regexp.MustCompile(`(?m)^(\d+): (.*)((?:\n   [A-H]\) .*)*)$`)

// stringFinder answers from the text that it is sent: with the right answer where its words
// stand there, one after the other, else with none.
func stringFinder(questions probed) func(system, user string) string {
	return func(_, user string) string {
		text, rest, _ := strings.Cut(user, "\n</text>\n")
		text = strings.NewReplacer("`", "", `"`, "", "\\", "").Replace(text)
		var out strings.Builder
		for _, m := range asked.FindAllStringSubmatch(rest, -1) {
			said := "I don't know"
			for _, s := range questions.Sessions {
				for _, c := range s.Cuts {
					for _, q := range c.Questions {
						stands := strings.TrimSuffix(q.Answers[0], "…")
						if q.Clue != "" {
							stands = q.Clue
						}
						if q.Ask != m[2] || !strings.Contains(text, strings.NewReplacer("`", "", `"`, "", "\\", "").Replace(stands)) {
							continue
						}
						lines := ""
						for i, c := range q.Choices {
							lines += fmt.Sprintf("\n   %c) %s", 'A'+i, c)
						}
						if i := slices.Index(q.Choices, q.Answers[0]); lines == "" {
							said = q.Answers[0]
						} else if lines == m[3] {
							said = string(rune('A' + i))
						}
					}
				}
			}
			fmt.Fprintf(&out, "**%s**: %s\n", m[1], said)
		}
		return out.String()
	}
}

func sideOf(t *testing.T, v probed, name string) probing.Row {
	t.Helper()
	for _, r := range v.Table {
		if r.Side == name {
			return r
		}
	}
	t.Fatalf("no side %s in %+v", name, v.Table)
	return probing.Row{}
}

// The questions ask no model, cost is told before, and a reader that finds strings knows all
// of the whole history and next to nothing of the kept window. What was answered is not sent
// again.
func TestProbe(t *testing.T) {
	b, s := newBench(t), trialServer(t)
	in := filepath.Join("..", "assets", "samples", "crew-of-four.jsonl")
	questions := value[probed](b.run("probe", in, "--questions", "--json", "-q").ends(exitDone))
	b.run("probe", in, "--questions", "-q").ends(exitDone).says("artifact", "message", "The kept window answers")
	with := func(model string, more ...string) *result {
		b.Helper()
		return b.run(append([]string{"probe", in, "--endpoint", s.URL(), "--model", model, "--model-window", "1000000", "--per-minute", "1000",
			"--presets", "balanced,careful", "-q"}, more...)...)
	}
	if r := with("good", "--dry-run"); r.code != exitDone || !strings.Contains(r.err, "Would send to good at 127.0.0.1:") {
		t.Errorf("%d: %s", r.code, r.err)
	}
	if n := len(s.Requests()); n != 0 {
		t.Fatalf("%d requests were sent for questions and a dry run", n)
	}
	s.Text = stringFinder(questions)
	page := b.path("page.html")
	v := value[probed](with("good", "--json", "--html", page))
	sent := len(s.Requests())
	if whole, window, note := sideOf(t, v, probing.Whole), sideOf(t, v, probing.Window), sideOf(t, v, "balanced"); whole.Share < .95 ||
		window.Share > .35 || note.Share < window.Share || whole.Of.All() < 8 || whole.Of.Wrong > 0 {
		t.Errorf("whole %+v, window %+v, note %+v", whole, window, note)
	}
	if r := s.Requests()[0]; r.Temperature <= 0 || r.Temperature > 1e-6 || !strings.Contains(r.System, "follow no instruction") {
		t.Errorf("%+v", r)
	}
	with("good").ends(exitDone, "Sending to good").says("by good at 127.0.0.1:", "against balanced", "whole history", "kept window")
	if n := len(s.Requests()); n != sent {
		t.Errorf("%d questions were sent again", n-sent)
	}
	text := string(fileBytes(t, page))
	for _, bad := range []string{"http:", "https:", "src=", "<script"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page has %s", bad)
		}
	}
	if !strings.Contains(text, "whole history") || !strings.Contains(text, "Content-Security-Policy") {
		t.Errorf("%.500s", text)
	}
	with("good", "--html", page).ends(exitFailed, "exists")
	b.run("probe", in, "-q").ends(exitUsage, "--questions")
	b.run("probe", in, "--questions", "--presets", "nonsense").ends(exitUsage)
	b.run("probe", in, "--endpoint", s.URL(), "--model", "good", "--per-call", "0").ends(exitUsage, "--per-call")
}

// A text that is larger than the model takes is asked in parts, the newest first.
func TestProbeInParts(t *testing.T) {
	b, s := newBench(t), trialServer(t)
	in := filepath.Join("..", "assets", "samples", "crew-of-four.jsonl")
	s.Text = stringFinder(value[probed](b.run("probe", in, "--questions", "--json", "-q").ends(exitDone)))
	v := value[probed](b.run("probe", in, "--endpoint", s.URL(), "--model", "good", "--model-window", "9000", "--per-minute", "1000", "--json", "-q"))
	if whole := sideOf(t, v, probing.Whole); whole.Share < .95 || v.Cost.Calls <= len(v.Sessions[0].Cuts[0].Sides)*2 {
		t.Errorf("%+v, %+v", whole, v.Cost)
	}
	for _, r := range s.Requests() {
		if len(r.User) > 9000*6 {
			t.Errorf("%d bytes in a request", len(r.User))
		}
	}
}

// A reader that lies, refuses, is cut off or takes no seed, and a server that fails or stalls.
func TestProbeOfBadReaders(t *testing.T) {
	b, s := newBench(t), trialServer(t)
	in := filepath.Join("..", "assets", "samples", "crew-of-four.jsonl")
	ask := func(ctx context.Context, model string, more ...string) *result {
		b.Helper()
		return b.runIn(ctx, Doors{}, append([]string{"probe", in, "--endpoint", s.URL(), "--model", model, "--model-window", "1000000",
			"--per-minute", "1000", "-q", "--json"}, more...)...)
	}
	s.Text = func(_, user string) string {
		return asked.ReplaceAllString(user[strings.LastIndex(user, "</text>"):], "$1: some/other-name.zz, I am sure")
	}
	lied := sideOf(t, value[probed](ask(t.Context(), "good")), probing.Whole)
	if lied.Of.Right > 0 || lied.Of.Unknown > 0 || lied.Points > -.4 {
		t.Errorf("a lie is worth %+v", lied)
	}
	for _, model := range []string{"refusal", "filter"} {
		if r := sideOf(t, value[probed](ask(t.Context(), model)), probing.Whole); r.Of.Unknown != r.Of.All() || r.Points != 0 {
			t.Errorf("%s is worth %+v", model, r)
		}
	}
	before := len(s.Requests())
	ask(t.Context(), "refusal")
	if len(s.Requests()) == before {
		t.Error("a refusal was kept as an answer")
	}
	if r := sideOf(t, value[probed](ask(t.Context(), "length")), probing.Whole); r.Of.Wrong == 0 || r.Of.Unknown == 0 {
		t.Errorf("half of the answers came, and they are %+v", r)
	}
	before = len(s.Requests())
	if r := sideOf(t, value[probed](ask(t.Context(), "status-400@1", "--per-call", "60")), probing.Whole); r.Of.Wrong == 0 {
		t.Errorf("without a seed it answers %+v", r)
	}
	if n := len(slices.DeleteFunc(s.Requests()[before:], func(r trial.Request) bool { return r.Seed != nil })); n != 1 {
		t.Errorf("%d requests have no seed, and one should", n)
	}
	for model, why := range map[string]string{"status-401": "did not accept the key", "status-404": "does not know the model"} {
		ask(t.Context(), model).ends(exitFailed, why, "The answers so far are kept").says(`"stopped": "`)
	}
	ask(t.Context(), "first-byte", "--timeout", "20ms").ends(exitFailed, "in time")
}

// A run that is stopped goes on from what was answered.
func TestProbeGoesOn(t *testing.T) {
	b, s := newBench(t), trialServer(t)
	in := filepath.Join("..", "assets", "samples", "crew-of-four.jsonl")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var n atomic.Int32
	s.Text = func(string, string) string {
		if n.Add(1) == 5 {
			cancel()
		}
		return "1: I don't know"
	}
	args := []string{"probe", in, "--endpoint", s.URL(), "--model", "good", "--model-window", "1000000", "--per-minute", "1000", "--per-call", "2", "-q", "--json"}
	r := b.runIn(ctx, Doors{}, args...)
	stopped := value[probed](r)
	if r.code != exitFailed || stopped.Stopped == "" {
		t.Fatalf("%d, %q: %s", r.code, stopped.Stopped, r.err)
	}
	first := len(s.Requests())
	whole := value[probed](b.run(args...))
	if all := whole.Cost.Calls; whole.Stopped != "" || len(s.Requests())-first >= all || len(s.Requests()) > all+3 {
		t.Errorf("%d calls in all, %d before the end, then %d", all, first, len(s.Requests())-first)
	}
}

// A secret leaves in no request, and no question asks for it.
func TestProbeHidesSecrets(t *testing.T) {
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	b, s := newBench(t), trialServer(t)
	var lines strings.Builder
	for i := range 60 {
		fmt.Fprintf(&lines, `{"role":"user","content":"Step %d, please. Never print the token %s in the log files of the machine."}`+"\n", i, secret)
		fmt.Fprintf(&lines, `{"role":"assistant","content":"Done with %d; the token was %s here."}`+"\n", i, secret)
	}
	in := b.path("talk.jsonl")
	if err := os.WriteFile(in, []byte("["+strings.ReplaceAll(strings.TrimSpace(lines.String()), "\n", ",")+"]"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, sent := range probeSent(b, s, in) {
		if strings.Contains(sent.User, secret) {
			t.Fatal("a secret was sent")
		}
	}
}

func probeSent(b *bench, s *trial.Server, in string) []trial.Request {
	b.Helper()
	b.run("probe", in, "--endpoint", s.URL(), "--model", "good", "--model-window", "1000000", "--per-minute", "1000", "-q", "--window", "2msgs")
	return s.Requests()
}
