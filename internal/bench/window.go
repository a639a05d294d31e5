package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"palimpsest/internal/bench/workload"
)

// meterVariable is that of package gui/meter, which would bring the toolkit along.
const meterVariable = "PALIMPSEST_METER"

// patience is how long a window may take to say something.
const patience = 90 * time.Second

// measureWindow starts the program on a screen in memory: how long to its first
// frame, compared with a bare window, and what a dragged slider waits for.
func measureWindow(ctx context.Context, o options, out *os.File, dir string) map[string]string {
	skip := func(err error) map[string]string { return map[string]string{"U1": err.Error(), "S1": err.Error()} }
	for _, tool := range []string{"Xvfb", "xdotool"} {
		if _, err := exec.LookPath(tool); err != nil || runtime.GOOS != "linux" {
			return skip(fmt.Errorf("there is no %s here", tool))
		}
	}
	fmt.Fprintln(out, "pkg: palimpsest/window")
	program, bare, slider := filepath.Join(dir, "palimpsest"), filepath.Join(dir, "barelist"), filepath.Join(dir, "bareslider")
	if _, err := os.Stat(program); err != nil {
		if err := buildPrograms(ctx, out, dir, map[string]string{program: ".", bare: "./gui/meter/barelist",
			slider: "./gui/meter/bareslider"}); err != nil {
			return skip(err)
		}
	}
	screen, err := startScreen(ctx)
	if err != nil {
		return skip(err)
	}
	defer screen.stop()
	for name, path := range map[string]string{"bare": bare, "palimpsest": program} {
		if err := screen.start(ctx, out, name, path); err != nil {
			return skip(err)
		}
	}
	skipped := map[string]string{}
	if err := screen.drag(ctx, out, "bare", slider); err != nil {
		skipped["U1"] = err.Error()
	}
	for messages, size := range map[int]int64{10_000: 18_000_000, 100_000: 118_000_000} {
		if o.quick && messages > 10_000 {
			continue
		}
		path, err := workload.File(workload.ClaudeCode, size)
		if err == nil {
			err = screen.drag(ctx, out, strconv.Itoa(messages), program, path)
		}
		if err != nil {
			skipped["U1"] = err.Error()
		}
	}
	return skipped
}

// buildPrograms builds the window programs, and prints what the vocabularies add
// to a program that has nothing else.
func buildPrograms(ctx context.Context, out *os.File, dir string, programs map[string]string) error {
	sizes := map[bool]int64{}
	for _, counts := range []bool{false, true} {
		source, call := filepath.Join(dir, "size.go"), `println(len("one"))`
		text := "package main\n\nfunc main() { " + call + " }\n"
		if counts {
			text = "package main\n\nimport \"palimpsest/model/tokens\"\n\nfunc main() { println(tokens.Count(tokens.O200k, \"one\"), " +
				"tokens.Count(tokens.Cl100k, \"one\")) }\n"
		}
		if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
			return err
		}
		if err := build(ctx, filepath.Join(dir, "size"), source, "-ldflags=-s -w"); err != nil {
			return err
		}
		st, err := os.Stat(filepath.Join(dir, "size"))
		if err != nil {
			return err
		}
		sizes[counts] = st.Size()
	}
	fmt.Fprintf(out, "BenchmarkBinary\t1\t%.2f MB-vocabularies\n", float64(sizes[true]-sizes[false])/1e6)
	for path, pkg := range programs {
		if err := build(ctx, path, pkg, "-tags=migrated_fynedo"); err != nil {
			return err
		}
	}
	return nil
}

func build(ctx context.Context, path, pkg string, flags ...string) error {
	cmd := exec.CommandContext(ctx, "go", append(append([]string{"build", "-buildvcs=false", "-o", path}, flags...), pkg)...)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w: %s", pkg, err, text)
	}
	return nil
}

// screen is an X server in memory with a folder for the settings of the programs
// on it.
type screen struct {
	cmd *exec.Cmd
	dir string
	env []string
	n   int
}

func startScreen(ctx context.Context) (*screen, error) {
	dir, err := os.MkdirTemp("", "palimpsest-screen-*")
	if err != nil {
		return nil, err
	}
	s := &screen{dir: dir}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	s.cmd = exec.CommandContext(ctx, "Xvfb", "-displayfd", "3", "-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-noreset")
	s.cmd.ExtraFiles = []*os.File{w}
	err = s.cmd.Start()
	w.Close()
	if err != nil {
		return nil, err
	}
	number, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		s.stop()
		return nil, fmt.Errorf("the screen in memory did not start: %w", err)
	}
	s.env = append(os.Environ(), "DISPLAY=:"+strings.TrimSpace(number), "WAYLAND_DISPLAY=", "LIBGL_ALWAYS_SOFTWARE=1", "NO_AT_BRIDGE=1",
		"XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_RUNTIME_DIR="+dir)
	return s, nil
}

func (s *screen) stop() {
	_ = s.cmd.Process.Kill() // it holds nothing that must be kept
	_ = s.cmd.Wait()
	_ = os.RemoveAll(s.dir)
}

// shown is a program on the screen, and the lines its meter wrote.
type shown struct {
	cmd   *exec.Cmd
	log   string
	ended chan error
}

func (s *screen) show(ctx context.Context, program string, args ...string) (*shown, error) {
	s.n++
	p := &shown{cmd: exec.CommandContext(ctx, program, args...), log: filepath.Join(s.dir, fmt.Sprintf("meter-%d", s.n)),
		ended: make(chan error, 1)}
	p.cmd.Env = append(slices.Clone(s.env), meterVariable+"="+p.log)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { p.ended <- p.cmd.Wait() }()
	return p, nil
}

func (p *shown) stop() {
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// lines are those of the log that begin with a word, without it.
func (p *shown) lines(word string) (out []string) {
	text, _ := os.ReadFile(p.log) // not there yet: nothing was said
	for _, line := range strings.Split(string(text), "\n") {
		if rest, ok := strings.CutPrefix(line, word+" "); ok {
			out = append(out, rest)
		}
	}
	return out
}

// wait waits until the log has a line of the kind, and returns the latest.
func (p *shown) wait(ctx context.Context, word string) (string, error) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	over := time.After(patience)
	for {
		if list := p.lines(word); len(list) > 0 {
			return list[len(list)-1], nil
		}
		select {
		case <-tick.C:
		case err := <-p.ended:
			p.ended <- err
			return "", fmt.Errorf("the window ended: %w", err)
		case <-over:
			return "", fmt.Errorf("the window said nothing of %q for %v", word, patience)
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// start measures from the start of a program to its first frame, and what it
// holds in memory at rest, when what is done behind the first frame is done.
func (s *screen) start(ctx context.Context, out *os.File, name, program string) error {
	from := time.Now()
	p, err := s.show(ctx, program)
	if err != nil {
		return err
	}
	defer p.stop()
	line, err := p.wait(ctx, "frame")
	if err != nil {
		return err
	}
	at, err := strconv.ParseInt(line, 10, 64)
	if err != nil {
		return err
	}
	select {
	case <-time.After(8 * time.Second):
	case <-ctx.Done():
		return ctx.Err()
	}
	fmt.Fprintf(out, "BenchmarkStart/%s\t1\t%d ns/op\t%.1f MB-resident\n", name, at-from.UnixNano(), resident(p.cmd.Process.Pid))
	return nil
}

// resident is the memory of a process in MB.
func resident(pid int) float64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for _, line := range strings.Split(string(text), "\n") {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kb * 1024 / 1e6
		}
	}
	return 0
}

// clockTick is the unit of the times in /proc.
const clockTick = 10 * time.Millisecond

// cpuTime is what a process has computed so far, on all its threads.
func cpuTime(pid int) time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) // ended: nothing
	_, rest, _ := strings.Cut(string(text), ") ")             // behind the name, which may hold spaces
	f := strings.Fields(rest)
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * clockTick
}

// dragSteps is how many places a slider is dragged through, one a frame.
const dragSteps = 90

// drag starts a program and, as soon as it reports where its slider is, drags that
// there and back, as a hand would. Palimpsest reports when the rows of a history
// are shown; the slider is that of the recent tail.
func (s *screen) drag(ctx context.Context, out *os.File, name, program string, args ...string) error {
	p, err := s.show(ctx, program, args...)
	if err != nil {
		return err
	}
	defer p.stop()
	place, err := p.wait(ctx, "place slider")
	if err != nil {
		return err
	}
	var x, y, w, h int
	if _, err := fmt.Sscan(place, &x, &y, &w, &h); err != nil {
		return err
	}
	at := func(step int) string { // there and back in the middle half of the track
		half := dragSteps / 2
		if step > half {
			step = dragSteps - step
		}
		return strconv.Itoa(x + w/4 + w/2*step/half)
	}
	row := strconv.Itoa(y + h/2)
	hand := []string{"mousemove", at(0), row, "mousedown", "1"}
	for step := range dragSteps {
		hand = append(hand, "sleep", "0.0167", "mousemove", at(step), row)
	}
	hand = append(hand, "sleep", "0.2", "mouseup", "1")
	before, cpu := len(p.lines("input")), cpuTime(p.cmd.Process.Pid)
	cmd := exec.CommandContext(ctx, "xdotool", hand...)
	cmd.Env = s.env
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("xdotool: %w: %s", err, text)
	}
	cpu = cpuTime(p.cmd.Process.Pid) - cpu
	var times []float64
	for _, line := range p.lines("input")[before:] {
		if ms, err := strconv.ParseFloat(line, 64); err == nil {
			times = append(times, ms)
		}
	}
	if len(times) == 0 {
		return errors.New("the slider moved nothing")
	}
	slices.Sort(times)
	fmt.Fprintf(out, "BenchmarkDrag/%s\t1\t%.2f ms-median\t%.2f ms-95th\t%d steps\t%d frames\t%.1f ms-cpu-a-step\n",
		name, median(times), times[len(times)*95/100], dragSteps, len(times), float64(cpu.Milliseconds())/dragSteps)
	return nil
}
