package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"palimpsest/model/pattern"
	"palimpsest/model/program"
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
	code := guarded(func() int { return Run(ctx, os.Args[1:], os.Stdout, os.Stderr, doors) })
	stop()
	os.Exit(code)
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
		r := program.Crashes()
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

// version is what --version prints.
func version() string { return "palimpsest " + program.BuiltFrom() }

// versionFlag prints the version and ends.
type versionFlag bool

// BeforeReset is called by kong when the flag is given.
func (versionFlag) BeforeReset(app *kong.Kong) error {
	fmt.Fprintln(app.Stdout, version())
	app.Exit(0)
	return nil
}
