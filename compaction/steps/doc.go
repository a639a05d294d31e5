// Package steps is the step history for an agent that works in steps of
// analysis, execution and supervision: recent steps in full, earlier ones as
// short summaries, in batches.
//
//	oldest                                                      newest
//	[summary of 1-6] [summary of 7-9] [step 10] [step 11] … [step 14]
//	└──────── summary layer ────────┘ └───────── detail layer ──────┘
//	  at most Cap code points           at most Window steps
//
// A step is appended on the right. When the detail layer has more steps than
// its window, its oldest Batch steps become one summary. When the summary layer
// is over its limit, its oldest summaries are merged into one, 2, 4, 8 … of
// them, and lose their oldest lines last; the text announces what it omits.
//
// A [History] may be used by any number of goroutines. It holds no lock while a
// summary model or the archive works: appends go on, and one caller finishes
// the work for all. The clock, the model, the archive and the journal are handed in.
//
// A whole program:
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"time"
//
//		"palimpsest/compaction/steps"
//	)
//
//	func main() {
//		history, err := steps.New(steps.DefaultSettings(), steps.Env{Clock: time.Now})
//		if err != nil {
//			log.Fatal(err)
//		}
//		for n := 1; n <= 20; n++ {
//			err := history.Append(context.Background(), n, "**Task Status:** working", "**Key Result:** built", "**Passed:** yes")
//			if err != nil {
//				log.Fatal(err)
//			}
//		}
//		fmt.Println(history.Text()) // for the next prompt
//	}
package steps
