// Command fit learns the forest that chooses the facts of a ledger from real
// sessions, and judges it on sessions of projects that it did not see.
//
//	scripts/lab.sh fit -extract FILE     examples of all sessions, once
//	scripts/lab.sh fit -learn FILE -write  the forests from them
//
// For each session it replays the setting of the measure and some like it, and
// asks of every fact that a firing took away what became of it before the next one.
// A project is left out of a forest of its own (unseen/PROJECT.txt), which judges its
// sessions; a fifth of all sessions, chosen by their names, is in no forest.
//
// With -short the forest in use is judged on all sessions that are too short for the
// measure, with windows in proportion. With -judge it is judged on the long sessions
// of -data, a folder or a file.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	data := flag.String("data", filepath.Join("..", "shared", "data", "transcripts"), "folder of the sessions, or one file")
	more := flag.String("more", "", "with -extract: folder of further sessions, a folder for each project")
	extract := flag.String("extract", "", "write the examples of all sessions into this file")
	learn := flag.String("learn", "", "learn forests from the examples in this file")
	write := flag.Bool("write", false, "with -learn: write the forests")
	short := flag.Bool("short", false, "measure the forest in use on the sessions that are too short for the measure")
	judge := flag.Bool("judge", false, "measure the forest in use on the long sessions of the folder or file")
	flag.Parse()
	ctx := context.Background()
	var err error
	switch {
	case *extract != "":
		err = extractAll(ctx, *data, *more, *extract)
	case *learn != "":
		err = learnAll(*learn, *write)
	case *short:
		err = shortSessions(ctx, *data)
	case *judge:
		err = judgeSessions(ctx, *data)
	default:
		flag.Usage()
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
}
