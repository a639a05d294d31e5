package recorded

import (
	"fmt"
	"strings"

	"palimpsest/compaction/facts"
)

// Titles are the columns as tables name them.
var Titles = [Columns]string{"their summary", "our ledger, equal tokens", "their summary + 500", "their summary + 1,000"}

// measured is what the shares are, as tables say it.
const measured = "held ÷ (held + brought back)"

// String is the mean with its spread and interval: 0.452 ± 0.190 (0.413–0.497).
func (s Spread) String() string {
	if s.N == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f ± %.3f (%.3f–%.3f)", s.Mean, s.SD, s.Low, s.High)
}

// Markdown is the result as tables: the headline, the kinds, tools and projects.
func (r *Result) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d compactions with %d facts or more that were used again, in %d sessions of %d projects and %d tools. "+
		"Looked at: %s. "+
		"Of %d facts that had gone and were used, %d were held, %d were brought back, %d came from elsewhere.\n\n",
		r.Compactions, FewRows, r.Sessions, r.Projects, r.Tools, r.states(), r.All.Parts[Held]+r.All.Parts[BroughtBack]+
			r.All.Parts[FromElsewhere], r.All.Parts[Held], r.All.Parts[BroughtBack], r.All.Parts[FromElsewhere])
	r.head(&b, "mean over compactions ± deviation (95 % interval, sessions drawn)")
	b.WriteString("| " + measured)
	for c := range Columns {
		b.WriteString(" | " + r.Columns[c].String())
	}
	b.WriteString(" |\n| better, equal, worse than theirs | ")
	for c := Ledger; c < Columns; c++ {
		w := r.Wins[c]
		fmt.Fprintf(&b, " | %d, %d, %d", w.Won, w.Tied, w.Lost)
	}
	b.WriteString(" |\n| tokens of the text, mean")
	for c := range Columns {
		fmt.Fprintf(&b, " | %d", r.All.Texts[c]/int64(max(1, r.Compactions)))
	}
	b.WriteString(" |\n\n")
	r.head(&b, "kind (facts held or brought back, pooled)")
	for k := range r.All.Kinds {
		if of := &r.All.Kinds[k]; of[Theirs].Used > 0 {
			fmt.Fprintf(&b, "| %v (%d)", facts.Kind(k), of[Theirs].Used)
			for c := range of {
				share, _ := of[c].Share()
				fmt.Fprintf(&b, " | %.2f", share)
			}
			b.WriteString(" |\n")
		}
	}
	b.WriteString("\n")
	r.head(&b, "tool or project (compactions, sessions), "+measured)
	for i := range r.By {
		g := &r.By[i]
		fmt.Fprintf(&b, "| %s%s (%d, %d)", g.Tool, g.Project, g.Compactions, g.Sessions)
		for c := range Columns {
			fmt.Fprintf(&b, " | %.3f", g.Columns[c].Mean)
		}
		b.WriteString(" |\n")
	}
	return b.String()
}

// head begins a table with a column for each text.
func (r *Result) head(b *strings.Builder, first string) {
	b.WriteString("| " + first)
	for _, t := range Titles {
		b.WriteString(" | " + t)
	}
	b.WriteString(" |\n|---" + strings.Repeat("|---", int(Columns)) + "|\n")
}

func (r *Result) states() string {
	var out []string
	for _, s := range []struct {
		state State
		says  string
	}{{Readable, "readable"}, {Encrypted, "encrypted"}, {NoText, "without a text"}, {NothingAt, "at the beginning of a file"}} {
		out = append(out, fmt.Sprintf("%d %s", r.States[s.state], s.says))
	}
	return strings.Join(out, ", ")
}
