// Command fit finds the weights of the rule that chooses the facts of a ledger, and measures
// what ledgers come to:
//
//	scripts/lab.sh fit -learn A,B             the weights, from the sessions of two folders
//	scripts/lab.sh fit -judge C               ledgers by the rule in use
//	scripts/lab.sh fit -learn A,B -judge C    ledgers by weights that never saw C
//
// It replays each session with the setting of the measure and some like it. Of each fact that
// a firing took away, it asks whether the agent needed it before the next one.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"

	"palimpsest/compaction/facts"
)

func main() {
	learnFrom := flag.String("learn", "", "folders of sessions to learn from, with commas between")
	judgeOn := flag.String("judge", "", "a folder of sessions, or one file, to measure ledgers on")
	flag.Parse()
	if err := run(context.Background(), *learnFrom, *judgeOn); err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, learnFrom, judgeOn string) error {
	if learnFrom == "" && judgeOn == "" {
		return errors.New("-learn, -judge or both are wanted")
	}
	if learnFrom != "" {
		var examples []example
		for _, folder := range strings.Split(learnFrom, ",") {
			sessions, err := load(ctx, folder, band{least, math.MaxInt})
			if err != nil {
				return err
			}
			for _, s := range sessions {
				examples = append(examples, s.examples()...)
			}
		}
		learn(examples)
		for _, w := range facts.Weights {
			fmt.Printf("%+.2f %s\n", w.Weight, w.Of)
		}
	}
	if judgeOn == "" {
		return nil
	}
	sessions, err := load(ctx, judgeOn, long)
	if err != nil {
		return err
	}
	if len(sessions) == 0 {
		return fmt.Errorf("no session of %d tokens or more under %s", leastTokens, judgeOn)
	}
	fmt.Print(judgement(sessions))
	return nil
}
