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
	"sort"
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
	held := filepath.Join(dir, "heldlist")
	if _, err := os.Stat(program); err != nil {
		if err := buildPrograms(ctx, out, dir, map[string]string{program: ".", bare: "./gui/meter/barelist",
			held: "./gui/meter/heldlist", slider: "./gui/meter/bareslider"}); err != nil {
			return skip(err)
		}
	}
	screen, err := startScreen(ctx)
	if err != nil {
		return skip(err)
	}
	defer screen.stop()
	var rest [3]resident
	for i, path := range []string{bare, program, held} {
		if rest[i], err = screen.start(ctx, out, []string{"bare", "palimpsest", "held"}[i], path); err != nil {
			return skip(err)
		}
	}
	fmt.Fprintf(out, "BenchmarkStart/floor\t1\t%.1f MB-resident\n", rest[1].all-rest[1].collected+rest[2].collected)
	skipped := map[string]string{}
	if err := screen.drag(ctx, out, "bare", false, slider); err != nil {
		skipped["U1"] = err.Error()
	}
	for messages, size := range map[int]int64{10_000: 18_000_000, 100_000: 118_000_000} {
		if o.quick && messages > 10_000 {
			continue
		}
		path, err := workload.File(workload.ClaudeCode, size)
		if err == nil {
			err = screen.drag(ctx, out, strconv.Itoa(messages), false, program, path)
			if err == nil {
				err = screen.drag(ctx, out, fmt.Sprintf("%d-rest", messages), true, program, path)
			}
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
func (s *screen) start(ctx context.Context, out *os.File, name, program string) (r resident, err error) {
	from := time.Now()
	p, err := s.show(ctx, program)
	if err != nil {
		return r, err
	}
	defer p.stop()
	line, err := p.wait(ctx, "frame")
	if err != nil {
		return r, err
	}
	cpu := cpuTime(p.cmd.Process.Pid)
	at, err := strconv.ParseInt(line, 10, 64)
	if err != nil {
		return r, err
	}
	select {
	case <-time.After(8 * time.Second):
	case <-ctx.Done():
		return r, ctx.Err()
	}
	for range 2 { // the second time what was used for the work has been given back
		p.settle(ctx)
	}
	r = residentOf(p.cmd.Process.Pid)
	fmt.Fprintf(out, "BenchmarkStart/%s\t1\t%d ns/op\t%d cpu-ns/op\t%.1f MB-resident\t%.1f MB-collected\n", name, at-from.UnixNano(),
		cpu.Nanoseconds(), r.all, r.collected)
	return r, nil
}

// resident is the memory of a program at rest, in MB.
type resident struct {
	all       float64
	collected float64 // of it what Go's runtime has: neither pages of files nor C's heap
}

func residentOf(pid int) resident {
	r := resident{all: memory(pid, "VmRSS:"), collected: memory(pid, "RssAnon:")}
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/smaps", pid)) // ended: nothing
	_, heap, _ := strings.Cut(string(text), "[heap]")
	if f := strings.Fields(heap); slices.Contains(f, "Rss:") {
		kb, _ := strconv.ParseFloat(f[slices.Index(f, "Rss:")+1], 64)
		r.collected -= kb * 1024 / 1e6
	}
	return r
}

// memory is one of the sizes that /proc knows of a process, in MB.
func memory(pid int, name string) float64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for _, line := range strings.Split(string(text), "\n") {
		if rest, ok := strings.CutPrefix(line, name); ok {
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

// aFrame is how long the hand waits between two steps, in seconds.
const aFrame = "0.0167"

// wheelSteps is how often the wheel is turned by a notch. xdotool waits a tenth of a second
// after each, so it is turned eight times a second.
const wheelSteps = 300

// drag starts a program and, as soon as it reports where its slider is, drags that
// there and back, as a hand would. Palimpsest reports when the rows of a history
// are shown; the slider is that of the recent tail. At rest means that what the program
// does behind its window has ended; only then the same frame is drawn again, for
// comparison, and the ledger is scrolled.
func (s *screen) drag(ctx context.Context, out *os.File, name string, rest bool, command ...string) error {
	p, err := s.show(ctx, command[0], command[1:]...)
	if err != nil {
		return err
	}
	defer p.stop()
	x, y, w, h, err := p.place(ctx, "slider")
	if err != nil {
		return err
	}
	if rest {
		p.settle(ctx)
		if err := p.still(ctx, out, name); err != nil {
			return err
		}
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
		hand = append(hand, "sleep", aFrame, "mousemove", at(step), row)
	}
	if err := s.by(ctx, out, p, "Drag/"+name, append(hand, "sleep", "0.2", "mouseup", "1")); err != nil || !rest {
		return err
	}
	if x, y, w, h, err = p.place(ctx, "ledger"); err != nil {
		return err
	}
	p.settle(ctx)
	hand = []string{"mousemove", strconv.Itoa(x + w/2), strconv.Itoa(y + h/2)}
	for range wheelSteps {
		hand = append(hand, "sleep", aFrame, "click", "5")
	}
	return s.by(ctx, out, p, "Wheel/"+name, append(hand, "sleep", "0.2"))
}

// place is where an object is.
func (p *shown) place(ctx context.Context, name string) (x, y, w, h int, err error) {
	line, err := p.wait(ctx, "place "+name)
	if err == nil {
		_, err = fmt.Sscan(line, &x, &y, &w, &h)
	}
	return x, y, w, h, err
}

// settle waits until a program does next to nothing.
func (p *shown) settle(ctx context.Context) {
	for range patience / time.Second {
		before := cpuTime(p.cmd.Process.Pid)
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return
		}
		if cpuTime(p.cmd.Process.Pid)-before < 50*time.Millisecond {
			return
		}
	}
}

// stillFrames is how often the same frame is drawn again: as often as the wheel is turned.
const stillFrames = 300

// still writes down how long the present frame takes once more, of which nothing changed:
// what the toolkit and the screen take of any change.
func (p *shown) still(ctx context.Context, out *os.File, name string) error {
	if err := os.WriteFile(p.log+".still", []byte(strconv.Itoa(stillFrames)), 0o600); err != nil {
		return err
	}
	cpu := cpuTime(p.cmd.Process.Pid)
	for range patience / time.Second * 10 {
		if times := numbers(p.lines("still")); len(times) >= stillFrames {
			cpu = cpuTime(p.cmd.Process.Pid) - cpu
			slices.Sort(times)
			fmt.Fprintf(out, "BenchmarkStill/%s\t1\t%.2f ms-median\t%d late\t%.1f ms-cpu-a-frame\n", name, median(times),
				len(times)-sort.SearchFloat64s(times, slow), float64(cpu.Milliseconds())/stillFrames)
			return nil
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return errors.New("the window drew no frame again")
}

// slow is the time of a frame that is seen to be late.
const slow = 33

// by moves the pointer as a hand does, and writes down what the window took to show what
// came of it.
func (s *screen) by(ctx context.Context, out *os.File, p *shown, name string, hand []string) error {
	steps := 0
	for _, word := range hand {
		if word == aFrame {
			steps++
		}
	}
	before, made, cpu := len(p.lines("input")), len(p.lines("made")), cpuTime(p.cmd.Process.Pid)
	cmd := exec.CommandContext(ctx, "xdotool", hand...)
	cmd.Env = s.env
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("xdotool: %w: %s", err, text)
	}
	cpu = cpuTime(p.cmd.Process.Pid) - cpu
	times, ready := numbers(p.lines("input")[before:]), numbers(p.lines("made")[made:])
	if len(times) == 0 {
		return fmt.Errorf("%s moved nothing", name)
	}
	slices.Sort(times)
	late := len(times) - sort.SearchFloat64s(times, slow)
	fmt.Fprintf(out, "Benchmark%s\t1\t%.2f ms-median\t%.2f ms-95th\t%.2f ms-made\t%d steps\t"+
		"%d frames\t%d late\t%.1f ms-cpu-a-step\t%.1f ms-cpu-a-frame\n",
		name, median(times), times[len(times)*95/100], median(ready), steps, len(times), late, float64(cpu.Milliseconds())/float64(steps),
		float64(cpu.Milliseconds())/float64(len(times)))
	return nil
}

func numbers(lines []string) (out []float64) {
	for _, line := range lines {
		if ms, err := strconv.ParseFloat(line, 64); err == nil {
			out = append(out, ms)
		}
	}
	return out
}
