package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"palimpsest/cli/batch"
	"palimpsest/model"
	"palimpsest/model/program"
	"palimpsest/model/transcript"
)

// filesFlags are those of a verb that does the same for each of several files.
type filesFlags struct {
	Recursive bool `short:"r" help:"Look for transcripts in folders, and in the folders in them."`
	Jobs      int  `short:"j" placeholder:"N" help:"Files at a time. Default: one for each processor."`
	Quiet     bool `short:"q" help:"No progress and no list of what was not done on the standard error."`
}

// mostFound bounds how many files are looked for in folders.
const mostFound = 1_000_000

// sources replaces folders by the transcripts in them, if that is asked for. A folder that
// is a transcript itself is one.
func (f *filesFlags) sources(ctx context.Context, args []string) (out []string, err error) {
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil || !info.IsDir() || transcript.IsEventFolder(ctx, arg) {
			out = append(out, arg) // opening it says what is wrong
			continue
		}
		if !f.Recursive {
			return nil, &model.Problem{Code: "is-folder", What: fmt.Sprintf("%s cannot be read.", arg), Why: "It is a folder.",
				Next: "Say -r to take the transcripts in it, or give the folder to the window."}
		}
		before := len(out)
		err = transcript.Walk(ctx, arg, func(path string) error {
			if len(out) >= mostFound {
				return fs.SkipAll
			}
			out = append(out, path)
			return nil
		}, nil)
		if err != nil {
			return nil, err
		}
		if len(out) == before {
			return nil, &model.Problem{Code: "no-files", What: fmt.Sprintf("No transcript was found in %s.", arg),
				Why: "There is no file of a name that transcripts have.", Next: "Name the files."}
		}
	}
	return out, nil
}

// one is how a file of several ended.
type one struct {
	out, said bytes.Buffer
	overview  *overview // its lines of the table
	err       error
}

// each does a verb for each file. A single one is done as if there were no others; of
// several each prints its result in turn, as a line of JSON where JSON is asked for, and
// those that were not done are listed at the end. The exit code is the worst.
func (a *app) each(args []string, f *filesFlags, do func(a *app, file string) error) error {
	files, err := f.sources(a.ctx, args)
	if err != nil {
		return err
	}
	if len(files) == 1 && !f.Recursive {
		err := do(a, files[0])
		a.overview.print(a.out, files)
		return err
	}
	if a.pipe != nil {
		return usage("-o - takes one file's result; there are %d files.", len(files))
	}
	workers := cmp.Or(f.Jobs, runtime.GOMAXPROCS(0))
	if workers < 1 {
		return usage("--jobs needs a number of 1 or more.")
	}
	a.lines, a.names = true, namesIn(files)
	progress := newProgress(a.errOut, len(files), f.Quiet)
	var end ending
	batch.Run(len(files), workers, func(i int) *one {
		r := &one{overview: a.overview.part()}
		if r.err = a.ctx.Err(); r.err != nil { // cancelled: no further file is begun
			return r
		}
		sub := *a
		sub.out, sub.errOut, sub.lines, sub.overview = buffered(a.out, &r.out), &r.said, true, r.overview
		r.err = unharmed(func() error { return do(&sub, files[i]) })
		return r
	}, func(i int, r *one) {
		progress.Done(codeOf(r.err) != exitDone)
		if r.out.Len() > 0 || r.said.Len() > 0 || r.err != nil {
			progress.Clear()
		}
		_, _ = r.out.WriteTo(bare(a.out)) // it went through a terminal before
		a.overview.join(r.overview)
		end.take(a, files[i], r)
	})
	progress.Clear()
	a.overview.print(a.out, files)
	switch {
	case end.cancelled > 0:
		fmt.Fprintf(a.errOut, "Cancelled: %s of %s not done. Nothing of them was changed.\n", thousands(end.cancelled),
			plural(len(files), "file"))
	case !f.Quiet:
		sum(a.errOut, len(files), end.notDone, progress.Elapsed())
	}
	if end.code != exitDone {
		return silent(end.code)
	}
	return nil
}

// ending is how several files ended.
type ending struct {
	code      int // the worst
	notDone   []string
	cancelled int
}

// take counts a file and says why it was not done. That it was cancelled is said once, of
// all.
func (e *ending) take(a *app, file string, r *one) {
	c := codeOf(r.err)
	e.code = max(e.code, c)
	var quietly silent
	loud := r.err != nil && !errors.As(r.err, &quietly)
	if loud && a.json {
		_ = a.printJSON(failureOf(file, r.err))
	}
	if errors.Is(r.err, context.Canceled) && a.ctx.Err() != nil {
		e.cancelled++
		return
	}
	why := strings.TrimSpace(r.said.String())
	if loud {
		why = strings.TrimSpace(why + "\n" + sentence(r.err))
	}
	why = strings.TrimPrefix(why, file+" ")
	if why != "" {
		fmt.Fprintf(a.errOut, "%s: %s\n", file, why)
	}
	if c != exitDone && (loud || why != "") { // else all is said in its result
		first, _, _ := strings.Cut(why, "\n")
		e.notDone = append(e.notDone, row(clean(file, 80), clean(first, 160)))
	}
}

// buffered writes for the terminal of an output, to be shown later.
func buffered(out io.Writer, b *bytes.Buffer) io.Writer {
	t, ok := out.(*terminal)
	if !ok {
		return b
	}
	return &terminal{w: &output{to: b}, colour: t.colour, width: t.width}
}

// sum writes how many files were done, and which were not.
func sum(w io.Writer, files int, notDone []string, took time.Duration) {
	fmt.Fprintf(w, "%s: %s done, %s not, in %.1f s\n", plural(files, "file"), thousands(files-len(notDone)),
		thousands(len(notDone)), took.Seconds())
	const most = 20
	if len(notDone) > 0 {
		rows := notDone[:min(most, len(notDone))]
		if more := len(notDone) - len(rows); more > 0 {
			rows = append(rows, fmt.Sprintf("… and %d more, named above", more))
		}
		table(w, rows...)
	}
}

// codeOf is the exit code of an error.
func codeOf(err error) int {
	var code silent
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &code):
		return int(code)
	}
	return exitCode(err)
}

// unharmed calls f. A fault of the program in it is its error: the other files go on.
func unharmed(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			problem := &model.Problem{Code: "crashed", What: "A fault of the program ended this.",
				Next: "The other files are not concerned."}
			if path := program.Crashes().Recovered(p, debug.Stack()); path != "" {
				problem.Why = "A report without any text of yours is in " + path + "."
			}
			err = problem
		}
	}()
	return f()
}

// newProgress is what shows how far it is.
func newProgress(errOut io.Writer, total int, quiet bool) *batch.Progress {
	var w io.Writer
	if !quiet {
		w = bare(errOut)
	}
	return batch.NewProgress(w, widthOf(w), total, time.Now)
}

// failed is the JSON of what was not done.
type failed struct {
	File  string   `json:"file,omitempty"`
	Error *problem `json:"error"`
}

// problem is an error in JSON.
type problem struct {
	Code string `json:"code"` // stable; "" where none is known
	What string `json:"what"`
	Why  string `json:"why"`
	Next string `json:"next"`
	Text string `json:"text"` // all of it, as the standard error has it
	Exit int    `json:"exit"`
}

func failureOf(file string, err error) failed {
	p := &problem{Text: sentence(err), Exit: exitCode(err)}
	p.What = p.Text
	var m *model.Problem
	var u usageError
	switch {
	case errors.As(err, &m):
		p.Code, p.What, p.Why, p.Next = m.Code, m.What, m.Why, m.Next
	case errors.As(err, &u):
		p.Code = "usage"
	case errors.Is(err, context.Canceled):
		p.Code = "cancelled"
	}
	return failed{file, p}
}
