package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// setting is a threshold, a window and a budget of the summary, each a share of the context
// window, as a person gives them on the command line.
type setting struct{ trigger, tail, budget string }

var settings = []setting{{"80%", "10%", "2%"}, {"67%", "2%", "8%"}, {"67%", "2%", "4%"}, {"67%", "5%", "8%"}, {"67%", "10%", "2%"},
	{"80%", "2%", "8%"}, {"80%", "10%", "8%"}}

// replayed is what one session comes to under a setting.
type replayed struct {
	Totals struct {
		Firings, Thrash, Input, Summaries int
		Output                            int `json:"summary_output"`
	}
	Cost   float64
	Recall struct {
		Needs  int
		Recall float64
	}
}

// defaults replays long sessions under each setting and prints what is kept that was needed
// later, and what is sent, beside the first setting.
func defaults(list []place, data string, window int, p program) error {
	seen := map[string]bool{}
	kept, input, cost, firings, tokens := make([]float64, len(settings)), make([]float64, len(settings)), make([]float64,
		len(settings)), make([]int, len(settings)), make([]float64, len(settings))
	worse := make([]int, len(settings))
	n := 0
	for _, place := range list {
		if seen[place.file] {
			continue
		}
		seen[place.file] = true
		var of []replayed
		for _, s := range settings {
			out, err := p.run([]string{"replay", filepath.Join(data, place.file), "--recall", "--json", "--context-window",
				strconv.Itoa(window),
				"--trigger", s.trigger, "--tail", s.tail, "--summary-budget", s.budget, "--strategy", p.strategy})
			if err != nil {
				break
			}
			var r replayed
			if err := json.Unmarshal(out, &r); err != nil {
				return err
			}
			of = append(of, r)
		}
		if len(of) < len(settings) || of[0].Totals.Firings == 0 || of[0].Recall.Needs < 20 || of[1].Recall.Needs < 20 {
			continue
		}
		n++
		fmt.Fprintln(os.Stderr, place.file)
		for i, r := range of {
			kept[i] += r.Recall.Recall
			input[i] += float64(r.Totals.Input) / float64(of[0].Totals.Input)
			cost[i] += r.Cost / of[0].Cost
			firings[i] += r.Totals.Firings
			tokens[i] += float64(r.Totals.Output) / float64(max(r.Totals.Summaries, 1))
			if r.Recall.Recall < of[0].Recall.Recall {
				worse[i]++
			}
		}
	}
	fmt.Printf("%d sessions, context window %d\n\n| threshold, window, summary | needed facts kept | sessions that keep less than the "+
		"first | input | cost | firings | tokens a summary |\n%s|\n", n, window, strings.Repeat("|---", 7))
	for i, s := range settings {
		k := float64(max(n, 1))
		fmt.Printf("| %s, %s, %s | %.3f | %d | %+.1f %% | %+.1f %% | %d | %.0f |\n", s.trigger, s.tail, s.budget, kept[i]/k, worse[i],
			100*(input[i]/k-1), 100*(cost[i]/k-1), firings[i], tokens[i]/k)
	}
	return nil
}
