package cli

import (
	"fmt"
	"os"

	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

type compactCmd struct {
	Files     []string `arg:"" name:"FILE|DIR" help:"The transcripts; - is the standard input. palimpsest batch does thousands."`
	Recursive bool     `short:"r" help:"Look for transcripts in folders, and in the folders in them."`
	policyFlags
	modelFlags
	workFlags
	Output    string `short:"o" placeholder:"OUT" help:"${output}"`
	Native    bool   `help:"${native}"`
	WriteBack bool   `help:"${writeBack}"`
	redactFlags
	KeepDamaged bool `help:"${keepDamaged}"`
	DryRun      bool `help:"${dryRun}"`
	ShowSent    bool `group:"model" help:"${showSent}"`
	Force       bool `help:"Replace files that exist, but not the source."`

	ReplaceSource bool `help:"${replaceSource}"`
	JSON          bool `name:"json" help:"Print JSON (docs/json.md)."`

	made *made // names the records of a batch; nil: it is none
}

// compacted is the JSON of one compaction.
type compacted struct {
	File         string              `json:"file"`
	Conversation int                 `json:"conversation"`
	Thread       int                 `json:"thread"`
	Agent        string              `json:"agent"`
	Record       *string             `json:"record"`
	Outcome      model.Outcome       `json:"outcome"`
	Reason       string              `json:"reason"`
	Before       *model.Size         `json:"before"`
	After        *model.Size         `json:"after"`
	Compactable  *int64              `json:"compactable"`
	Method       string              `json:"method"`
	Output       *string             `json:"output"`
	OutputFormat model.Format        `json:"output_format,omitempty"` // where it is another one than the file's
	Continues    *string             `json:"continues"`
	WrittenBack  bool                `json:"written_back"`
	Warnings     []string            `json:"warnings"`
	Relinked     []transcript.Relink `json:"relinked"`
	Redacted     []redacted          `json:"redacted"`
	Already      bool                `json:"already,omitempty"` // a batch had done it before

	err     error  // what ended it; nil for applied and refused
	fixed   int    // what the messages' tokens are on top of; 0: not known
	wouldDo string // a sentence on what makes a refused one apply
}

// check refuses calls that make no sense, and looks for the files in folders.
func (c *compactCmd) check(a *app) error {
	if err := c.workFlags.check(); err != nil {
		return err
	}
	if err := c.redactFlags.check(); err != nil {
		return err
	}
	if c.Recursive {
		files, err := (&filesFlags{Recursive: true}).sources(a.ctx, c.Files)
		if err != nil {
			return err
		}
		c.Files = files
	}
	switch {
	case a.pipe != nil && len(c.Files) > 1:
		return usage("-o - takes one file's result; there are %d files.", len(c.Files))
	case c.DryRun:
		return nil
	case c.Redact && c.Output == "":
		return usage("--redact is about the file that is written: give -o. Records keep the originals whole.")
	case c.ReplaceSource && c.Output == "":
		return usage("--replace-source is about the file that is written: give -o.")
	case c.Native && c.Output == "":
		return usage("--native is about the file that is written: give -o.")
	case c.Native && c.Conversation.all:
		return usage("--native writes one compaction, of the main thread; it can't be used with --all.")
	}
	return nil
}

func (c *compactCmd) Run(a *app) error {
	if err := c.check(a); err != nil {
		return err
	}
	if c.DryRun {
		return c.rehearse(a)
	}
	p, err := c.policy(a)
	if err != nil {
		return err
	}
	outs, err := c.outputs(a)
	if err != nil {
		return err
	}
	if err := c.connect(a, &c.policyFlags, &p); err != nil {
		return err
	}
	a.keepSent, a.also = c.ShowSent, c.kinds()
	var list []*compacted
	st, err := a.writable()
	if err != nil {
		for _, f := range c.Files {
			list = append(list, failure(f, err))
		}
		return c.print(a, list)
	}
	defer st.Close()
	for i, f := range c.Files {
		list = append(list, c.file(a, st, f, outs[i], p)...)
	}
	return c.print(a, list)
}

// rehearse prints what the verb would do, and does nothing.
func (c *compactCmd) rehearse(a *app) error {
	if c.JSON && len(c.Files) > 1 {
		return usage("--dry-run --json is for one file.")
	}
	for _, f := range c.Files {
		p := previewCmd{Files: []string{f}, policyFlags: c.policyFlags, modelFlags: c.modelFlags, workFlags: c.workFlags,
			also: c.also, Sent: true, JSON: c.JSON}
		if err := p.Run(a); err != nil {
			return err
		}
	}
	return nil
}

// outputs is where each file's compacted transcript goes; "" for nowhere.
func (c *compactCmd) outputs(a *app) ([]string, error) {
	outs := make([]string, len(c.Files))
	if c.Output == "" {
		return outs, nil
	}
	if len(c.Files) == 1 && !isFolder(c.Output) {
		outs[0] = c.Output
		return outs, nil
	}
	if err := os.MkdirAll(c.Output, 0o700); err != nil {
		return nil, usage("Several files need a folder to go to, and %s is none.", c.Output)
	}
	a.names = namesIn(c.Files)
	for i, f := range c.Files {
		outs[i] = into(c.Output, f, a.names)
	}
	return outs, nil
}

func newCompacted(file string, ref session.Ref) *compacted {
	return &compacted{File: file, Conversation: ref.Conversation, Thread: ref.Thread,
		Warnings: []string{}, Relinked: []transcript.Relink{}, Redacted: []redacted{}}
}

// failure is a compaction that ended before there was a thread to plan.
func failure(file string, err error) *compacted {
	r := newCompacted(file, session.Ref{})
	r.end(err)
	return r
}

// end notes an error as the outcome.
func (r *compacted) end(err error) {
	r.err = err
	r.Outcome, r.Reason = session.Ending(err)
	if r.Outcome == model.Failed {
		r.Reason = sentence(err)
	}
}

// take fills in what the record says. It copies: a file may have 100,000 of them, whole ones
// would stay in memory.
func (r *compacted) take(rec *model.Record) {
	if rec == nil {
		return
	}
	r.Record = optional(rec.ID)
	r.Outcome, r.Reason, r.Continues = rec.Outcome, rec.Reason, optional(rec.Base)
	r.Before, r.After, r.Compactable = new(rec.Before), new(rec.After), new(rec.CouldGo())
}

// done takes over the record that an earlier batch made.
func (r *compacted) done(rec *model.Record) {
	r.Already = true
	r.take(rec)
}

func (c *compactCmd) print(a *app, list []*compacted) error {
	if c.JSON {
		if err := printOneOrAll(a, list, len(c.Files) > 1 || c.Conversation.all || c.Recursive); err != nil {
			return err
		}
	}
	code, cancelled := exitDone, 0
	for _, r := range list {
		r.err = a.pipe.says(r.err)
		name := ""
		if len(list) > 1 {
			name = r.name(c.Conversation.all) + ": "
		}
		switch {
		case r.Outcome == model.Applied:
			if !c.JSON {
				fmt.Fprintln(a.out, name+r.text(a, len(list) == 1))
				a.printList("Warnings", r.Warnings)
				if c.Redact {
					a.printRedacted(r.Redacted, redactedUnit(r.OutputFormat == ""))
				}
			}
		case r.Outcome == model.Refused:
			if !c.JSON {
				a.printList("Warnings", r.Warnings)
			}
			fmt.Fprintln(a.errOut, name+"Refused: "+r.Reason+"."+r.wouldDo+r.recorded())
			code = max(code, exitFailed)
		default:
			code = max(code, exitCode(r.err))
			if r.Outcome == model.Cancelled && r.Record == nil {
				if cancelled++; cancelled > 1 {
					break
				}
			}
			fmt.Fprintln(a.errOut, name+r.ending()+r.recorded())
		}
	}
	if cancelled > 1 {
		fmt.Fprintf(a.errOut, "Cancelled as well: %s more.\n", thousands(cancelled-1))
	}
	if code != exitDone {
		return silent(code)
	}
	return nil
}

func (r *compacted) name(all bool) string {
	if all {
		return fmt.Sprintf("%s, conversation %d", r.File, r.Conversation+1)
	}
	return r.File
}

// text is how it ended where it was applied. alone: no other was asked for.
func (r *compacted) text(a *app, alone bool) string {
	est := r.Method == "estimated"
	text := fmt.Sprintf("%s applied: %s → %s, %s → %s (%s)", *r.Record,
		thousands(r.Before.Messages), plural(r.After.Messages, "message"),
		contextTokens(r.Before.Tokens, est, r.fixed), inTokens(contextTokens(r.After.Tokens, est, r.fixed), r.After.Tokens),
		change(r.Before.Tokens, r.After.Tokens))
	if r.Output == nil && !r.WrittenBack && alone {
		text += ", kept as a record; -o OUT writes a file too"
	}
	if r.Output != nil {
		text += ", written to " + a.shown(*r.Output)
	}
	if r.WrittenBack {
		text += ", written back to " + r.File
	}
	if r.Continues != nil {
		text += ", continues " + *r.Continues
	}
	return text
}

func (r *compacted) ending() string {
	if r.Outcome == model.Cancelled {
		return "Cancelled: nothing was changed."
	}
	return sentence(r.err) + modelNext(r.err)
}

func (r *compacted) recorded() string {
	if r.Record == nil {
		return ""
	}
	return " (" + *r.Record + ")"
}
