package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/repair"
	"palimpsest/model/transcript"
)

type repairCmd struct {
	Files []string `arg:"" name:"FILE|DIR" help:"The sessions; of a folder all in it and below."`
	readFlags
	filesFlags
	Check         bool     `help:"Show what is wrong; write nothing."`
	Only          []string `sep:"," placeholder:"RULE" help:"${repairOnly}"`
	Output        string   `short:"o" placeholder:"OUT" help:"${repairOutput}"`
	ReplaceSource bool     `help:"${repairReplace}"`
	Force         bool     `help:"Replace files that exist, but not the source."`
	JSON          bool     `name:"json" help:"Print JSON (docs/json.md)."`
}

// mended is the JSON of repair.
type mended struct {
	File      string       `json:"file"`
	Format    model.Format `json:"format"` // "": it can't be read
	Resumable bool         `json:"resumable"`
	Faults    []faultInfo  `json:"faults"`
	Left      int          `json:"left"` // faults that stop or harm and are in the output still
	Why       string       `json:"why"`  // why it can't be mended; "": it can
	Record    *string      `json:"record"`
	Output    *string      `json:"output"`
	Bytes     int64        `json:"bytes"`
	SHA256    string       `json:"sha256"`
}

// faultInfo is the JSON of one fault.
type faultInfo struct {
	*repair.Fault
	Title string            `json:"title"`
	Mend  string            `json:"mend"`
	Harm  string            `json:"harm"` // "stops", "harms", "none"
	Diff  []repair.DiffLine `json:"diff"`
}

func (c *repairCmd) check() error {
	for _, id := range c.Only {
		if _, ok := repair.RuleOf(id); !ok {
			ids := values(repair.Rules(), func(r *repair.Rule) string { return r.ID })
			return usage("There is no rule %s.%s They are: %s.", id, meant(id, ids), strings.Join(ids, ", "))
		}
	}
	switch {
	case c.Check && (c.Output != "" || c.ReplaceSource):
		return usage("--check writes nothing; leave -o and --replace-source out.")
	case c.Output != "" && c.ReplaceSource:
		return usage("Give -o OUT or --replace-source, not both.")
	}
	return nil
}

func (c *repairCmd) Run(a *app) error {
	if err := c.check(); err != nil {
		return err
	}
	for _, f := range c.Files {
		st, err := os.Stat(f)
		c.Recursive = c.Recursive || err == nil && st.IsDir()
	}
	if c.Output != "" && (len(c.Files) > 1 || c.Recursive) {
		if err := os.MkdirAll(c.Output, 0o700); err != nil {
			return usage("-o must be a folder for several files: %v.", err)
		}
	}
	return a.each(c.Files, &c.filesFlags, c.file)
}

func (c *repairCmd) file(a *app, file string) error {
	ro, err := a.reading(c.readFlags)
	if err != nil {
		return err
	}
	ctx, cancel := c.within(a.ctx, file)
	defer cancel()
	o := repair.Options{Only: c.Only, Read: ro}
	if len(c.Only) > 0 {
		o.Mend = func(*repair.Fault) bool { return true }
	}
	x, err := session.LookForFaults(ctx, file, o)
	if err != nil {
		return err
	}
	defer x.Close()
	r := c.found(x)
	r.File = file
	if !c.Check && x.Err == nil && x.Mended() > 0 {
		if err := c.write(a, x, r); err != nil {
			return err
		}
	}
	if c.JSON {
		err = a.printJSON(r)
	} else {
		c.print(a, x, r)
	}
	switch {
	case err != nil:
		return err
	case a.lines && r.Why != "": // the list of those that were not done names it
		fmt.Fprintln(a.errOut, r.Why)
	case a.lines && !c.Check && r.Left > 0:
		fmt.Fprintln(a.errOut, plural(r.Left, "fault"), "left.")
	}
	if r.Left > 0 || c.Check && r.faulty() || r.Why != "" {
		return silent(exitFailed)
	}
	return nil
}

// faulty reports whether something stops the session or harms it.
func (m *mended) faulty() bool {
	return slices.ContainsFunc(m.Faults, func(f faultInfo) bool { return f.Does.Harm() > repair.Harmless })
}

var harmNames = map[repair.Harm]string{repair.Harmless: "none", repair.Harmful: "harms", repair.Stops: "stops"}

// mostDiffs is how many faults of a file JSON shows the lines of.
const mostDiffs = 1000

func (c *repairCmd) found(x *session.Inspected) *mended {
	r := &mended{Faults: []faultInfo{}, Resumable: x.Err == nil && x.Count(repair.Stops) == 0}
	if x.Doc != nil {
		r.Format = x.Doc.Format
	}
	if x.Err != nil {
		r.Why = sentence(x.Err)
	}
	for i, f := range x.Faults {
		rule, _ := repair.RuleOf(f.Rule)
		info := faultInfo{Fault: f, Title: rule.Title, Mend: rule.Mend, Harm: harmNames[f.Does.Harm()], Diff: []repair.DiffLine{}}
		if f.NoMend != "" {
			info.Mend = ""
		}
		if i < mostDiffs && c.JSON {
			info.Diff = x.Diff(f)
		}
		r.Faults = append(r.Faults, info)
		if f.Does.Harm() > repair.Harmless && !f.Mended {
			r.Left++
		}
	}
	return r
}

func (c *repairCmd) write(a *app, x *session.Inspected, r *mended) error {
	running, _ := lookup{a}.Live(a.ctx, time.Now().Add(-model.LiveFor)) // without a database no agent is known to run
	fresh := time.Duration(0)
	if c.ReplaceSource {
		fresh = session.JustWritten
	}
	if err := x.Busy(running, time.Now(), fresh); err != nil {
		return err
	}
	to := session.Output{Path: into(c.Output, r.File, a.names), Force: c.Force, ReplaceSource: c.ReplaceSource}
	switch {
	case c.ReplaceSource:
		to.Path = r.File
	case c.Output == "":
		ext := filepath.Ext(r.File)
		to.Path = strings.TrimSuffix(r.File, ext) + ".repaired" + ext
	}
	st, err := a.writable()
	if err != nil {
		return err
	}
	defer st.Close()
	rec, w, err := x.Mend(a.ctx, session.Options{Store: st}, to)
	if err != nil {
		return err
	}
	if c.ReplaceSource && x.HasOtherNames() {
		fmt.Fprintf(a.errOut, "%s has other names (hard links): under these it is as it was.\n", r.File)
	}
	r.Record, r.Output, r.Bytes, r.SHA256 = &rec.ID, &w.Path, w.Bytes, w.SHA256
	return nil
}

func (c *repairCmd) print(a *app, x *session.Inspected, r *mended) {
	stops, harms := x.Count(repair.Stops), x.Count(repair.Harmful)
	kinds := cmp.Or(len(c.Only), len(repair.Rules()))
	what := fmt.Sprintf("No faults found. Looked for %s.", plural(kinds, "kind"))
	switch {
	case x.Err != nil:
		what = "Can't be mended because it can't be read: " + r.Why
	case stops > 0 && harms > 0:
		what = "Can't be resumed: " + plural(stops, "fault") + ", and " + plural(harms, "harmful fault")
	case stops > 0:
		what = "Can't be resumed: " + plural(stops, "fault")
	case harms > 0:
		what = "Can be resumed; " + plural(harms, "harmful fault")
	case x.Mended() > 0:
		what = "Can be resumed; " + plural(x.Mended(), "harmless fault") + " with a mend"
	case len(x.Faults) > 0:
		what = "Can be resumed; nothing to mend"
	}
	heading(a.out, titled(r.File))
	fmt.Fprintln(a.out, what)
	rows := make([]string, 0, len(r.Faults))
	for i := range r.Faults {
		f := &r.Faults[i]
		did := f.Mend
		switch {
		case f.NoMend != "":
			did = "no mend: " + f.NoMend
		case !f.Mended && (c.Check || f.Does.Harm() == repair.Harmless):
			did = "would be: " + did + " (--only " + f.Rule + ")"
		case c.Check:
			did = "would be: " + did
		}
		rows = append(rows, row("line "+thousands(f.Line), f.Title, clean(f.Fault.Found, 40), doesText(f.Consequence), did))
	}
	printSome(a.out, "Faults", rows, len(rows))
	if r.Output != nil {
		fmt.Fprintf(a.out, "%s of %s mended, written to %s; %s has the original.\n", thousands(x.Mended()), plural(len(r.Faults), "fault"),
			a.shown(*r.Output), *r.Record)
	}
}

// doesText is what comes of a fault, as a sentence.
func doesText(c repair.Consequence) string {
	return map[repair.Does]string{
		repair.RefusesLoad: "the session is not loaded", repair.RefusesCall: "the provider refuses every call",
		repair.LosesBefore: "what is before it is not loaded", repair.LosesLine: "what it says is missing",
		repair.MayRefuse: "some providers refuse the call", repair.PutsRight: "the tool puts it right",
		repair.OnlySpace: "it only takes space", repair.OnlyProvider: "only its provider can read it",
		repair.Unknown: "what comes of it is not known"}[c.Does]
}

// unresumable is the line of inspect on a session that can't be resumed; "": it can be, as
// far as is known.
func (a *app) unresumable(path string, ro transcript.Options) string {
	if path == dash {
		return ""
	}
	x, err := session.LookForFaults(a.ctx, path, repair.Options{Read: ro})
	if err != nil {
		return ""
	}
	defer x.Close()
	n := x.Count(repair.Stops)
	var p *model.Problem
	if n == 0 || errors.As(x.Err, &p) {
		return ""
	}
	return fmt.Sprintf("It can't be resumed: %s. See palimpsest repair --check %s", plural(n, "fault"), path)
}
