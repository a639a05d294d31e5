package report

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"palimpsest/model"
	"palimpsest/model/figure"
	"palimpsest/model/visible"
)

// Markdown writes a report: a part for each record with what it was made with, what
// survived, and its summary.
func Markdown(w io.Writer, title string, records iter.Seq2[*model.Record, error]) error {
	out := bufio.NewWriter(visible.To(w))
	fmt.Fprintf(out, "# %s\n", line(title))
	n := 0
	for r, err := range records {
		if err != nil {
			return err
		}
		n++
		section(out, r)
	}
	if n == 0 {
		out.WriteString("\nThere are no records.\n")
	}
	return out.Flush()
}

const notRecorded = "not recorded"

// none is what an empty value means in a record of ours; in one that was found in
// a file it may only be unknown.
func none(r *model.Record, value string) string {
	if value == "" && r.Cause != model.CauseFound {
		return "none"
	}
	return value
}

func section(out *bufio.Writer, r *model.Record) {
	fmt.Fprintf(out, "\n## %s · %s\n\n", line(r.ID), line(r.Session))
	out.WriteString("| | |\n|---|---|\n")
	for _, row := range [][2]string{
		{"Time", stamp(r.Time)}, {"State", state(r)}, {"Cause", string(r.Cause)}, {"Agent", r.Agent},
		{"Preset", Preset(r)}, {"Strategy", string(r.Strategy)}, {"Model", none(r, r.Model)},
		{"Messages", change(int64(r.Before.Messages), int64(r.After.Messages))},
		{"Tokens", tokenChange(r)}, {"Counted", r.Counted}, {"Took", took(r)},
		{"What went", covers(r)}, {"Made on", none(r, r.Base)}, {"Covers the summaries of", none(r, strings.Join(r.Parents, ", "))},
		{"File", r.Path}, {"SHA-256 of the file", r.SourceSHA}, {"SHA-256 of the covered bytes", r.RangeSHA},
	} {
		value := row[1]
		if value == "" {
			value = notRecorded
		}
		fmt.Fprintf(out, "| %s | %s |\n", row[0], cell(value))
	}
	if r.AllFacts().Gone > 0 {
		out.WriteString("\n### What survives\n\n| | still held |\n|---|---|\n")
		for _, f := range r.Facts {
			fmt.Fprintf(out, "| %s | %d of %d |\n", cell(f.Kind), f.Standing, f.Gone)
		}
	}
	if r.Summary != "" {
		fence := fenceOf(r.Summary)
		fmt.Fprintf(out, "\n### Summary\n\n%stext\n%s\n%s\n", fence, strings.TrimRight(r.Summary, "\n"), fence)
	}
	if len(r.KeyPoints) > 0 {
		out.WriteString("\n### Key points\n\n")
		for _, k := range r.KeyPoints {
			fmt.Fprintf(out, "- %s\n", line(k))
		}
	}
}

func state(r *model.Record) string {
	s := string(r.State(false))
	if r.Reason != "" {
		s += ": " + r.Reason
	}
	return s
}

func change(before, after int64) string {
	if before == 0 && after == 0 {
		return ""
	}
	return strconv.FormatInt(before, 10) + " → " + strconv.FormatInt(after, 10)
}

// tokens is a number of tokens of a record, with a tilde when it is an estimate.
func tokens(r *model.Record, n int64) string {
	s := strconv.FormatInt(n, 10)
	if n > 0 && !r.Exact() {
		s = "~" + s
	}
	return s
}

func tokenChange(r *model.Record) string {
	switch {
	case r.Before.Tokens == 0 && r.After.Tokens == 0:
		return ""
	case r.Outcome != model.Applied || r.After.Tokens == 0:
		return tokens(r, r.Before.Tokens)
	}
	return tokens(r, r.Before.Tokens) + " → " + tokens(r, r.After.Tokens)
}

func took(r *model.Record) string {
	if r.Duration <= 0 {
		return ""
	}
	return r.Duration.Round(time.Millisecond).String()
}

func covers(r *model.Record) string {
	if r.Covered == 0 {
		return ""
	}
	return fmt.Sprintf("%s, %d–%d of the history", Went(r), r.Range.From+1, r.Range.To)
}

// Went is what a record took: messages, and former summaries apart from them.
func Went(r *model.Record) string {
	n := figure.Plural(int64(r.Messages()), "message")
	if r.Formers > 0 {
		n += " and " + figure.Plural(int64(r.Formers), "former summary")
	}
	return n
}

// Preset is the preset of a record, and how much of it was changed.
func Preset(r *model.Record) string {
	if r.Changed == nil || *r.Changed == 0 {
		return r.Policy.Preset
	}
	return fmt.Sprintf("%s · %d changed", r.Policy.Preset, *r.Changed)
}

// line is a text on one line, whose marks stay what they are.
func line(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "<", `\<`, "[", `\[`, "#", `\#`).Replace(s)
}

func cell(s string) string { return strings.ReplaceAll(line(s), "|", `\|`) }

// fenceOf is a fence that no line of the text ends.
func fenceOf(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}
