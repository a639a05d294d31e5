// Command palimpsest-window is the window without the verbs, which the program palimpsest
// beside it has. Packages hold both.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"palimpsest/gui"
	"palimpsest/model/program"
	"palimpsest/model/visible"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr, gui.Open))
}

const help = `palimpsest-window [--db PATH] [FILE|DIR …] opens the window.
The verbs are those of the program palimpsest.
`

// run does what the arguments say and returns the exit code, which means what those of the
// verbs mean. The verb palimpsest window is passed on to here.
func run(args []string, out, errOut io.Writer, window func(files []string, db string) error) int {
	errOut = visible.To(errOut)
	flags := flag.NewFlagSet("palimpsest-window", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	db := flags.String("db", os.Getenv("PALIMPSEST_DB"), "")
	version := flags.Bool("version", false, "")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(out, help)
		return 0
	case err != nil:
		fmt.Fprintf(errOut, "%v\n%s", err, help)
		return 2
	case *version:
		fmt.Fprintln(out, "palimpsest-window", program.BuiltFrom())
		return 0
	}
	if err := window(filesOf(flags.Args()), *db); err != nil {
		fmt.Fprintln(errOut, err)
		return 1
	}
	return 0
}

// filesOf are the files among the arguments: all of them, unless palimpsest passed on its
// verb, with -- after it.
func filesOf(args []string) []string {
	if len(args) > 1 && args[0] == "window" && args[1] == "--" {
		return args[2:]
	}
	return args
}
