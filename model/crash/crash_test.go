package crash

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

func clock() time.Time { return time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC) }

// fall panics like a fault of the program does, and reports it.
func fall(r *Reporter, with func()) (path string) {
	defer func() { path = r.Recovered(recover(), debug.Stack()) }()
	with()
	return ""
}

func TestAReportHasNoPrivateText(t *testing.T) {
	const secret = "hunter2 in /home/ann"
	for name, c := range map[string]struct {
		with func()
		says string
	}{
		"the program's words": {func() { panic("cannot read " + secret) }, "a panic with a value of type string"},
		"an error":            {func() { panic(errors.New(secret)) }, "type *errors.errorString"},
		"the runtime": {func() {
			list := []string{secret}
			_ = list[len(secret)]
		}, "index out of range [20] with length 1"},
		"an assertion": {func() {
			var v any = secret
			_ = v.(int)
		}, "is string, not int"},
	} {
		t.Run(name, func(t *testing.T) {
			r := New(filepath.Join(t.TempDir(), "crashes"), "0.1.0 (abc)", clock)
			for range 40 {
				r.Step("records.open")
			}
			path := fall(r, c.with)
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text := string(b)
			for _, want := range []string{"0.1.0 (abc)", "2026-11-22T12:00:00Z", c.says, "12:00:00 records.open", "crash_test.go:", "crash.fall"} {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
			if strings.Contains(text, "hunter2") || strings.Contains(text, "/home") || strings.Contains(text, "0x") {
				t.Errorf("too much is said:\n%s", text)
			}
			if n := strings.Count(text, "records.open"); n != mostSteps {
				t.Errorf("%d steps", n)
			}
			if got := r.Take(); len(got) != 1 || !strings.Contains(got[0], "shown-") {
				t.Errorf("taken %v", got)
			}
			if got := r.Take(); len(got) != 0 {
				t.Errorf("shown twice: %v", got)
			}
		})
	}
}

// A goroutine that nobody guards ends the process; the next start has a report of it.
func TestAGoroutinesPanicIsReportedAtTheNextStart(t *testing.T) {
	if dir := os.Getenv("CRASH_DIR"); dir != "" {
		r := New(dir, "0.1.0 (child)", clock)
		r.Watch()
		for range 40 {
			r.Step("records.open")
		}
		done := make(chan int)
		go func() {
			defer close(done)
			var m map[string]int
			if len(os.Args) == 0 {
				m = map[string]int{}
			}
			m["hunter2"] = 1
		}()
		<-done
		select {}
	}
	dir := t.TempDir()
	r := New(dir, "0.2.0", clock)
	c := exec.Command(os.Args[0], "-test.run=^TestAGoroutinesPanicIsReportedAtTheNextStart$")
	c.Env = append(os.Environ(), "CRASH_DIR="+dir)
	if out, err := c.CombinedOutput(); err == nil {
		t.Fatalf("it went well:\n%s", out)
	}
	got := r.Take()
	if len(got) != 1 {
		all, _ := filepath.Glob(filepath.Join(dir, "*"))
		t.Fatalf("reports: %v of %v", got, all)
	}
	b, err := os.ReadFile(got[0])
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(b), "  12:00:00 records.open\n"); n != mostSteps {
		t.Errorf("%d steps in\n%s", n, b)
	}
	for _, want := range []string{"0.1.0 (child)", "assignment to entry in nil map", "crash_test.go:"} {
		if !strings.Contains(string(b), want) {
			t.Errorf("no %q in\n%s", want, b)
		}
	}
	if strings.Contains(string(b), "hunter2") {
		t.Errorf("too much is said:\n%s", b)
	}
}

// A run that ended well, or that was killed, leaves no report.
func TestOnlyFaultsAreReported(t *testing.T) {
	dir := t.TempDir()
	r := New(dir, "0.1.0", clock)
	end := r.Watch()
	r.Step("records.open")
	if own, _ := filepath.Glob(filepath.Join(dir, "*")); len(own) != 1 {
		t.Fatalf("watching makes %v", own)
	}
	if got := r.Take(); len(got) != 0 {
		t.Errorf("of this run itself: %v", got)
	}
	end()
	killed := filepath.Join(dir, rawPrefix+"999999999")
	if err := os.WriteFile(killed, []byte("0.1.0\n- 12:00:00 records.open\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := r.Take(); len(got) != 0 {
		t.Errorf("of a killed run: %v", got)
	}
	if rest, _ := filepath.Glob(filepath.Join(dir, "*")); !slices.Equal(rest, nil) {
		t.Errorf("left: %v", rest)
	}
}
