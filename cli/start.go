package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"palimpsest/model/crash"
	"palimpsest/model/pattern"
	"palimpsest/model/store"
)

// Main does what the command line says, and ends the program.
func Main(doors Doors) {
	// An interrupt stops a verb, which notes what it was doing; a second one ends it at
	// once.
	ctx, stop := signal.NotifyContext(context.Background(), ends()...)
	context.AfterFunc(ctx, stop)
	if open := doors.Window; open != nil {
		doors.Window = func(files []string, db string) error {
			stop() // a window is closed by an interrupt, as any program
			return open(files, db)
		}
	}
	collectLate()
	code := guarded(func() int { return Run(ctx, os.Args[1:], os.Stdout, os.Stderr, doors) })
	stop()
	os.Exit(code)
}

// collectLate puts off the first collection of garbage until there are some 30 MB of it,
// as a verb on a small file never has: it saved a tenth of the time of a small verb. After
// it garbage is collected the sooner the more is in use: by default there may be as much
// of it as is in use, which with a large file is another file.
func collectLate() {
	percent := 800
	usual := debug.SetGCPercent(percent)
	inUse := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	var collected func(*[16]byte)
	collected = func(*[16]byte) {
		metrics.Read(inUse)
		next := garbagePercent(usual, inUse[0].Value.Uint64())
		if was := debug.SetGCPercent(next); was != percent { // the gateway works on a large body
			debug.SetGCPercent(was)
		} else {
			percent = next
		}
		runtime.SetFinalizer(new([16]byte), collected)
	}
	runtime.SetFinalizer(new([16]byte), collected)
}

// garbagePercent is how much garbage there may be beside what is in use, as a share of it.
func garbagePercent(usual int, inUse uint64) int {
	const room, least = 40 << 20, 20
	return min(usual, max(least, int(100*room/max(inUse, 1))))
}

// Crashes writes the reports of faults beside the usual database; nil: there is no place
// for them.
func Crashes() *crash.Reporter {
	path, err := store.DefaultPath()
	if err != nil {
		return nil
	}
	return crash.New(filepath.Join(filepath.Dir(path), "crashes"), BuiltFrom(), time.Now)
}

// guarded returns the exit code of a verb. If it panics, a report is written and a
// sentence says where.
func guarded(verb func() int) (code int) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		code = exitFailed
		r := Crashes()
		for _, step := range named(os.Args[1:]) {
			r.Step(step)
		}
		text := "Palimpsest ended because of a fault of its own."
		if path := r.Recovered(p, debug.Stack()); path != "" {
			text += " A report without any text of yours is in " + path + "."
		}
		fmt.Fprintln(newTerminal(os.Stderr, "never"), text)
	}()
	return verb()
}

// ends are the signals that stop a verb: what Ctrl-C sends, what a system that shuts
// down sends, and what a terminal that is closed sends, unless nohup has it ignored.
func ends() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// named are the words of a call that are the program's own: verbs and the names of flags,
// no file and no value.
func named(args []string) (out []string) {
	verbs := verbNames()
	for _, a := range args {
		name, _, _ := strings.Cut(a, "=")
		if slices.Contains(verbs, a) || flagWord.MatchString(name) {
			out = append(out, name)
		}
	}
	return out
}

var flagWord = pattern.New(`^--[a-z][a-z-]*$`)

// Version is the program's version; FyneApp.toml has the same.
const Version = "0.1.0"

// revision and date are set by the linker: the commit a program was built from, and its
// day. A plain go build knows them from git.
var revision, date string

// version is what --version prints.
func version() string { return "palimpsest " + BuiltFrom() }

// BuiltFrom is the version with what the build knows about itself: "0.1.0
// (4f2a9c1d0b3e, 2026-11-22), go1.26.8".
func BuiltFrom() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	rev, day := revision, date
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && revision == "":
			rev = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.time" && day == "":
			day, _, _ = strings.Cut(s.Value, "T")
		case s.Key == "vcs.modified" && s.Value == "true" && revision == "":
			rev += "-modified"
		}
	}
	text := Version
	if known := strings.Trim(rev+", "+day, ", "); known != "" {
		text += " (" + known + ")"
	}
	return strings.TrimSuffix(text+", "+info.GoVersion, ", ")
}

// versionFlag prints the version and ends.
type versionFlag bool

// BeforeReset is called by kong when the flag is given.
func (versionFlag) BeforeReset(app *kong.Kong) error {
	fmt.Fprintln(app.Stdout, version())
	app.Exit(0)
	return nil
}
