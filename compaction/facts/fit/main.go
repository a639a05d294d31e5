// Command fit fits the score of the fact ledger to real sessions and measures
// it: go run ./compaction/facts/fit, in the folder of the module. With -write it
// replaces the weights that the program uses (compaction/facts/weights.go) and
// the tables in table.md.
//
// For each session it replays the setting of the measure and some like it, and
// asks of every fact that a firing took away whether the agent needed it before
// the next one. A logistic model is fitted to the answers. What is reported is
// cross-validated: each session is judged by weights that were fitted to the
// others, and once more by weights that no session of its producer had a part in.
//
// With -short the weights in use are judged on all sessions that are too short to
// have had a part in the fit, with windows in proportion. With -judge they are
// judged on the long sessions of -data, a folder or a file, by the measure itself:
// for sessions that the fit has not seen.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"palimpsest/compaction/facts"
)

func main() {
	data := flag.String("data", filepath.Join("..", "shared", "data", "transcripts"), "folder of the sessions, or one file")
	write := flag.Bool("write", false, "write the weights and the tables")
	short := flag.Bool("short", false, "measure the weights in use on the sessions that are too short for the fit, and nothing else")
	judge := flag.Bool("judge", false, "measure the weights in use on the long sessions of the folder or file, and nothing else")
	flag.Parse()
	do := func() error { return run(context.Background(), *data, *write) }
	if *short {
		do = func() error { return shortSessions(context.Background(), *data) }
	}
	if *judge {
		do = func() error { return judgeSessions(context.Background(), *data) }
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, data string, write bool) error {
	sessions, err := load(ctx, data, facts.Standard, long)
	if err != nil {
		return err
	}
	if len(sessions) < 3 {
		return fmt.Errorf("%d sessions of %d tokens or more under %s; it takes three to judge one by others", len(sessions),
			leastTokens, data)
	}
	crude, err := load(ctx, data, facts.Crude, long)
	if err != nil {
		return err
	}
	examples := make([][]example, len(sessions))
	for i, s := range sessions {
		examples[i] = s.examples()
	}
	weights := fit(examples, 0)
	folder := filepath.Join("compaction", "facts")
	if write {
		text, err := source(weights, sessions, examples)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, "weights.go"), text, 0o644); err != nil {
			return err
		}
	}
	tables := report(sessions, crude, examples, weights)
	fmt.Print(tables)
	if !write {
		return nil
	}
	return os.WriteFile(filepath.Join(folder, "fit", "table.md"), []byte(tables), 0o644)
}
