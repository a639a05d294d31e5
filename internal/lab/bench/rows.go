package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/tiktoken-go/tokenizer"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/tokens"
	"palimpsest/model/transcript"
)

func seconds(d time.Duration) float64 { return d.Seconds() }

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }

// rows are those of the table, in its order.
func rows(l *lab) []row {
	large, few, many := float64(l.mb), 10_000/l.shrink, 100_000/l.shrink
	return []row{
		{"drags a slider, 10,000 messages: the plan and what survives of it", "ms", 8, 0, plans(few)},
		{"… 100,000 messages", "ms", 16, 0, plans(many)},
		{"lets it go, 10,000 messages: replay, and what was needed after each firing", "ms", 300, 0, released(few)},
		{"… 100,000 messages", "ms", 1500, 0, released(many)},
		{"opens 200 MB: the first rows", "ms", 150, 0, firstRows},
		{"… all, with exact counts", "s", 2.5, 0, clock(large, (*lab).lines, "inspect")},
		{"… one JSON value of 1 MB over its messages as lines, CPU time a byte", "×", 1.5, 0, arrayOverLines(1)},
		{"… of 20 MB", "×", 1.5, 0, arrayOverLines(20)},
		{"… of 200 MB", "×", 1.5, 0, arrayOverLines(large)},
		{"inspects a folder of 10,000 files of one line", "s of CPU", 3, 0, func(ctx context.Context, l *lab) (float64, error) {
			dir, err := l.folder(few)
			if err != nil {
				return 0, err
			}
			u, err := l.verb(ctx, "inspect", "-r", dir)
			return seconds(u.cpu), err
		}},
		{"… of 1,000 files of 10 MB", "s of CPU", 40, 0, func(ctx context.Context, l *lab) (float64, error) {
			dir, err := l.largeFiles(1000 / l.shrink)
			if err != nil {
				return 0, err
			}
			u, err := l.verb(ctx, "inspect", "-r", dir)
			return seconds(u.cpu), err
		}},
		{"sweeps 60 cells of a session of 8 MB: the first cell", "ms", 200, 0, firstCell},
		{"… all", "s", 1.5, 0,
			clock(8, (*lab).lines, "sweep", "--x", "trigger=50..95/10", "--y", "tail=2%,4%,6%,8%,10%,12%")},
		{"replays 100,000 messages by verb", "s of CPU", 1, 0, replays(many)},
		{"… with what was needed after each firing", "s of CPU", 3, 0, replays(many, "--recall")},
		{"previews a session of 10 MB by verb", "s of CPU", .5, 0, func(ctx context.Context, l *lab) (float64, error) {
			path, err := l.lines(10)
			if err != nil {
				return 0, err
			}
			u, err := l.verb(ctx, "preview", path)
			return seconds(u.cpu), err
		}},
		{"searches 4 GB for a word that is in one file, with the index, over ripgrep", "×", .1, 0, overRipgrep},
		{"passes a call of 1 MB through the gateway: added by watching", "ms", 5, 0, gateway(false)},
		{"… while another process holds the database", "ms", 20, 0, gateway(true)},
		{"starts the window: until it is shown, over a bare list", "×", 1.15, 0, windowShown},
		{"… its memory at rest, over a bare list's", "×", 1.5, 0, windowMemory},
		{"starts a verb on 10 kB", "ms of CPU", 30, 0, small},
		{"… memory of one that waits for its input", "MB", 40, 0, waiting},
		{"counts tokens of English, code, JSON, over tiktoken-go/tokenizer (the least)", "×", 0, 8, counting},
		{"makes the note of 1,000 messages", "ms", 20, 0, note},
		{"opens 1,000,000 short messages over 500,000", "×", 2.2, 0, func(ctx context.Context, l *lab) (float64, error) {
			return ratio(ctx, l, func(share int) (string, error) { return l.short(1_000_000 / l.shrink / share) })
		}},
		{"opens one JSON value of 20 MB over one of 10", "×", 2.2, 0, func(ctx context.Context, l *lab) (float64, error) {
			return ratio(ctx, l, func(share int) (string, error) { return l.array(20 / float64(share)) })
		}},
	}
}

// clock is how long a verb takes with a history.
func clock(mb float64, file func(*lab, float64) (string, error), verb string,
	flags ...string) func(context.Context, *lab) (float64, error) {
	return func(ctx context.Context, l *lab) (float64, error) {
		path, err := file(l, mb)
		if err != nil {
			return 0, err
		}
		u, err := l.once(ctx, append([]string{verb, path}, flags...)...)
		return seconds(u.clock), err
	}
}

// ratio divides the CPU time of inspecting a history by the time for one half as long.
func ratio(ctx context.Context, l *lab, file func(share int) (string, error)) (float64, error) {
	var cpu [2]float64
	for i := range cpu {
		path, err := file(i + 1)
		if err != nil {
			return 0, err
		}
		u, err := l.verb(ctx, "inspect", path)
		if err != nil {
			return 0, err
		}
		cpu[i] = seconds(u.cpu)
	}
	return cpu[0] / cpu[1], nil
}

func arrayOverLines(mb float64) func(context.Context, *lab) (float64, error) {
	return func(ctx context.Context, l *lab) (float64, error) {
		var each [2]float64 // CPU time a byte
		for i, file := range []func(float64) (string, error){l.array, l.sameLines} {
			path, err := file(mb)
			if err != nil {
				return 0, err
			}
			u, err := l.verb(ctx, "inspect", path)
			if err != nil {
				return 0, err
			}
			size, err := sizeOf(path)
			if err != nil {
				return 0, err
			}
			each[i] = seconds(u.cpu) / size
		}
		return each[0] / each[1], nil
	}
}

func replays(messages int, flags ...string) func(context.Context, *lab) (float64, error) {
	return func(ctx context.Context, l *lab) (float64, error) {
		path, err := l.lines(float64(messages) / 900) // a message of these has 1.1 kB
		if err != nil {
			return 0, err
		}
		u, err := l.verb(ctx, append([]string{"replay", path}, flags...)...)
		return seconds(u.cpu), err
	}
}

func small(ctx context.Context, l *lab) (float64, error) {
	path, err := l.lines(.01)
	if err != nil {
		return 0, err
	}
	u, err := l.verb(ctx, "inspect", path)
	return milliseconds(u.cpu), err
}

func waiting(ctx context.Context, l *lab) (float64, error) {
	cmd := exec.CommandContext(ctx, l.verbs, "inspect", "-", "--db", filepath.Join(l.dir, "waiting.db"))
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	defer in.Close()
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	defer stop(cmd)
	time.Sleep(time.Second)
	return memoryOf(cmd.Process.Pid, "VmHWM:")
}

func overRipgrep(ctx context.Context, l *lab) (float64, error) {
	rg, err := exec.LookPath("rg")
	if err != nil {
		return 0, fmt.Errorf("there is no rg (ripgrep) here")
	}
	dir, db, err := l.library(ctx)
	if err != nil {
		return 0, err
	}
	theirs, err := runProgram(ctx, rg, "--count", "--ignore-case", "--fixed-strings", literal, dir)
	if err != nil {
		return 0, err
	}
	ours, err := runProgram(ctx, l.verbs, "find", `"`+literal+`"`, dir, "--db", db)
	return seconds(ours.clock) / seconds(theirs.clock), err
}

// open opens a history of about so many messages, counted, with its facts.
func open(ctx context.Context, l *lab, messages int) (*session.File, *session.Session, error) {
	path, err := l.lines(float64(messages) / 900)
	if err != nil {
		return nil, nil, err
	}
	f, err := session.Open(ctx, path, session.Options{}, transcript.Options{})
	if err != nil {
		return nil, nil, err
	}
	s, err := f.Session(ctx, session.Ref{}, nil)
	if err == nil {
		_, err = s.Insight.Facts(ctx, nil)
	}
	return f, s, err
}

// plans is the time of a plan and of what survives of it, as a slider is dragged: the
// median of fifty.
func plans(messages int) func(context.Context, *lab) (float64, error) {
	return func(ctx context.Context, l *lab) (float64, error) {
		f, s, err := open(ctx, l, messages)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		p := s.Policy()
		p.Window = 200_000
		var times []float64
		for i := range 50 {
			from := time.Now()
			p.Tail = model.Amount{N: 20_000 + 100*i, Unit: model.Tokens}
			s.Insight.Survive(s.Plan(p, compaction.Options{Manual: true}), "")
			times = append(times, milliseconds(time.Since(from)))
		}
		return median(times), nil
	}
}

// released is the time until the figures that replay the whole history are there.
func released(messages int) func(context.Context, *lab) (float64, error) {
	return func(ctx context.Context, l *lab) (float64, error) {
		f, s, err := open(ctx, l, messages)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		p := s.Policy()
		p.Window = 200_000
		from := time.Now()
		if _, err := s.Insight.Replay(ctx, p, false); err != nil {
			return 0, err
		}
		_, _, err = s.Insight.Live(ctx, p, true)
		return milliseconds(time.Since(from)), err
	}
}

// note is the time of a summary of 1,000 messages whose facts are known: the median of ten,
// each of another place.
func note(ctx context.Context, l *lab) (float64, error) {
	f, s, err := open(ctx, l, 2000)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	p := s.Policy()
	p.Window, p.Fixed = 200_000, 0
	var times []float64
	for i := range 10 {
		p.Tail = model.Amount{N: s.Insight.KnownFacts().Messages() - 1000 - i, Unit: model.Messages}
		from := time.Now()
		if _, err := s.Draft(ctx, p, compaction.Options{Manual: true}, nil); err != nil {
			return 0, err
		}
		times = append(times, milliseconds(time.Since(from)))
	}
	return median(times), nil
}

// firstCell is the time until the first cell of a sweep can be shown.
func firstCell(ctx context.Context, l *lab) (float64, error) {
	f, s, err := open(ctx, l, 8*900)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	axes := replay.Axes{}
	var wrong [2]error
	axes[0], wrong[0] = replay.ReadAxis(replay.AxisTrigger, model.Percent, "50..95/10")
	axes[1], wrong[1] = replay.ReadAxis(replay.AxisTail, model.Percent, "2,4,6,8,10,12")
	if err := errors.Join(wrong[0], wrong[1]); err != nil {
		return 0, err
	}
	p := s.Policy()
	p.Window = 200_000
	subjects, o := session.Subjects([]*session.Session{s}, []model.Policy{p}, true)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	from, first := time.Now(), 0.
	o.Progress = func(done, _ int) {
		if done > 1 && first == 0 { // the present settings are before the cells
			first = milliseconds(time.Since(from))
			stop()
		}
	}
	if _, err = replay.Sweep(ctx, subjects, axes, o); errors.Is(err, context.Canceled) {
		err = nil
	}
	return first, err
}

// headBytes is what the window reads of a large file before the rest.
const headBytes = 1 << 20

// firstRows is the time until the first rows of a large history can be shown.
func firstRows(ctx context.Context, l *lab) (float64, error) {
	path, err := l.lines(float64(l.mb))
	if err != nil {
		return 0, err
	}
	from := time.Now()
	_, err = transcript.Head(ctx, path, headBytes, transcript.Options{})
	return milliseconds(time.Since(from)), err
}

// counting is how many times as fast as the best other counter in Go ours is, on the kind
// of text where it is the least.
func counting(context.Context, *lab) (float64, error) {
	peer, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return 0, err
	}
	texts, least := byKind(), 0.
	for _, kind := range []string{"English", "code", "JSON"} {
		took := func(count func(string)) float64 { // the least of some
			best := time.Hour
			for range 5 {
				from := time.Now()
				for _, s := range texts[kind] {
					count(s)
				}
				best = min(best, time.Since(from))
			}
			return seconds(best)
		}
		tokens.Count(tokens.O200k, "the vocabulary is read")
		ours := took(func(s string) { tokens.Count(tokens.O200k, s) })
		theirs := took(func(s string) { _, _ = peer.Count(s) })
		if ratio := theirs / ours; least == 0 || ratio < least {
			least = ratio
		}
	}
	return least, nil
}
