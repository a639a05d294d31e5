// Package crash keeps what is known when the program ends by a fault of its own: which
// version, where in its code, and what was done before, by the names of commands.
// Nothing of a history, a path or a setting goes into a report, so that it can be
// sent to anybody.
//
//	Begin ─▶ steps ─▶ panic ─▶ Recovered ─▶ report file ─▶ next start: Take ─▶ a person
//	                  panic of another goroutine ─▶ raw file ─┘
package crash

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"palimpsest/model/scratch"
)

const mostSteps = 30

// Reporter writes the reports of one run. A nil one does nothing.
type Reporter struct {
	dir, version string
	now          func() time.Time

	mu    sync.Mutex
	steps []string
	raw   *os.File // what the runtime writes to, which has the steps before it; nil: nobody watches
}

// New writes reports into a folder, which is made when there is one to write. Version
// says what was built; now is the clock.
func New(dir, version string, now func() time.Time) *Reporter {
	return &Reporter{dir: dir, version: version, now: now}
}

// Step notes what is done, by a name from the program: of a verb or command, never a
// person's words.
func (r *Reporter) Step(name string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	step := r.now().UTC().Format("15:04:05") + " " + name
	if r.raw != nil {
		fmt.Fprintln(r.raw, stepMark+step)
	}
	r.steps = append(r.steps, step)
	if len(r.steps) > mostSteps {
		r.steps = slices.Delete(r.steps, 0, 1)
	}
}

// rawPrefix begins the name of a file into which the runtime writes. A process that ended
// well has removed its own.
const rawPrefix = "running-"

// stepMark begins the lines of that file that are steps.
const stepMark = "- "

// Watch has the runtime write into a file when a goroutine panics that nobody guards. The
// function ends that.
func (r *Reporter) Watch() (end func()) {
	if r == nil || os.MkdirAll(r.dir, 0o700) != nil {
		return func() {}
	}
	f, err := os.OpenFile(filepath.Join(r.dir, fmt.Sprint(rawPrefix, os.Getpid())), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return func() {}
	}
	if debug.SetCrashOutput(f, debug.CrashOptions{}) != nil {
		f.Close()
		_ = os.Remove(f.Name())
		return func() {}
	}
	fmt.Fprintln(f, r.version)
	r.watched(f)
	return func() {
		_ = debug.SetCrashOutput(nil, debug.CrashOptions{})
		r.watched(nil)
		f.Close()
		_ = os.Remove(f.Name())
	}
}

// watched has the steps written to a file, too.
func (r *Reporter) watched(f *os.File) {
	r.mu.Lock()
	r.raw = f
	r.mu.Unlock()
}

// Recovered writes the report of a panic: its value and the stack, as [debug.Stack] gives
// it where it was recovered. It returns the path of the file; "" if none can be written.
func (r *Reporter) Recovered(value any, stack []byte) string {
	if r == nil {
		return ""
	}
	r.mu.Lock()
	steps := slices.Clone(r.steps)
	r.mu.Unlock()
	return r.write(r.now(), r.version, steps, kindOf(value), frames(string(stack)))
}

// kindOf is what a panic says, if the runtime says it; else only its type: the words of
// others may hold a text of a history.
func kindOf(value any) string {
	var e runtime.Error
	if err, ok := value.(error); ok && errors.As(err, &e) {
		return withoutNames(e.Error())
	}
	return fmt.Sprintf("a panic with a value of type %T", value)
}

// interfaceText is what a failed assertion or a map's key may quote.
var interfaceText = regexp.MustCompile(`"[^"]*"`)

func withoutNames(s string) string { return interfaceText.ReplaceAllString(s, `"…"`) }

// write makes a report.
func (r *Reporter) write(at time.Time, version string, steps []string, what string, frames []string) string {
	if os.MkdirAll(r.dir, 0o700) != nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Palimpsest %s, %s/%s\nended %s: %s\n", version, runtime.GOOS, runtime.GOARCH,
		at.UTC().Format(time.RFC3339), what)
	if len(steps) > 0 {
		fmt.Fprintf(&b, "\nBefore (UTC):\n  %s\n", strings.Join(steps, "\n  "))
	}
	fmt.Fprintf(&b, "\nWhere:\n  %s\n", strings.Join(frames, "\n  "))
	f, err := os.CreateTemp(r.dir, "report-"+at.UTC().Format("20060102-150405")+"-*.txt")
	if err != nil {
		return ""
	}
	_, err = f.WriteString(b.String())
	if err = cmp.Or(err, f.Close()); err != nil {
		return ""
	}
	return f.Name()
}

// frames are the functions and lines of a stack, without the values of arguments and
// without the folders of the machine it was built on.
func frames(stack string) (out []string) {
	lines := strings.Split(stack, "\n")
	goroutines := 0
	for i := 0; i+1 < len(lines); i++ {
		call, place := lines[i], strings.TrimSpace(lines[i+1])
		if strings.HasPrefix(lines[i], "\t") || !strings.HasPrefix(lines[i+1], "\t") {
			if strings.HasPrefix(call, "goroutine ") {
				goroutines++
			}
			if goroutines > 1 { // the others were only waiting
				break
			}
			continue
		}
		if at := strings.LastIndexByte(call, '('); at > 0 && !strings.HasPrefix(call, "created by") {
			call = call[:at]
		}
		if at := strings.LastIndex(place, " +0x"); at > 0 {
			place = place[:at]
		}
		out = append(out, call+" "+filepath.Base(filepath.ToSlash(place)))
	}
	return out
}

// Take returns the reports that nobody has been shown yet, oldest first, and marks them as
// shown. What the runtime wrote in a run that ended by a fault becomes a report first.
func (r *Reporter) Take() (paths []string) {
	if r == nil {
		return nil
	}
	r.adopt()
	found, _ := filepath.Glob(filepath.Join(r.dir, "report-*.txt"))
	slices.Sort(found)
	for _, path := range found {
		shown := filepath.Join(r.dir, "shown-"+strings.TrimPrefix(filepath.Base(path), "report-"))
		if os.Rename(path, shown) == nil {
			paths = append(paths, shown)
		}
	}
	return paths
}

// adopt makes reports of what the runtime wrote, and takes away the files of runs that
// were killed.
func (r *Reporter) adopt() {
	raws, _ := filepath.Glob(filepath.Join(r.dir, rawPrefix+"*"))
	for _, path := range raws {
		var pid int
		if _, err := fmt.Sscanf(filepath.Base(path), rawPrefix+"%d", &pid); err != nil || scratch.Alive(pid) {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		at := r.now()
		if info, err := os.Stat(path); err == nil {
			at = info.ModTime()
		}
		version, rest, _ := strings.Cut(string(text), "\n")
		steps, rest := stepsOf(rest)
		if strings.TrimSpace(rest) != "" {
			r.write(at, version, steps, rawKind(rest), frames(rest))
		}
		_ = os.Remove(path)
	}
}

// stepsOf are the last steps of such a file, and what the runtime wrote behind them.
func stepsOf(text string) (steps []string, rest string) {
	for strings.HasPrefix(text, stepMark) {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		steps = append(steps, strings.TrimPrefix(line, stepMark))
	}
	return steps[max(0, len(steps)-mostSteps):], text
}

// plain are what the runtime says without "runtime error:".
var plain = []string{"assignment to entry in nil map", "send on closed channel", "close of closed channel", "close of nil channel"}

// rawKind is the first line of what the runtime wrote, without a value that is not the
// runtime's own.
func rawKind(text string) string {
	s := bufio.NewScanner(strings.NewReader(text))
	for s.Scan() {
		line := s.Text()
		if strings.HasPrefix(line, "panic: runtime error:") || strings.HasPrefix(line, "fatal error:") || strings.HasPrefix(line, "SIG") {
			return withoutNames(line)
		}
		if said, ok := strings.CutPrefix(line, "panic: "); ok {
			if slices.Contains(plain, said) {
				return said
			}
			break
		}
	}
	return "a panic"
}
