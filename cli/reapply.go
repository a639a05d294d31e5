package cli

import (
	"fmt"

	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

type reapplyCmd struct {
	Record string `arg:"" name:"RECORD" help:"The record: R-0007, 7, or its UID; of a restore, what it undid."`
	File   string `arg:"" name:"FILE" help:"The transcript: the one it was made of, also when it has grown or was edited since."`
	Output string `short:"o" required:"" placeholder:"OUT" help:"Write the compacted transcript here."`
	Force  bool   `help:"Replace a file that exists."`
	JSON   bool   `name:"json" help:"Print JSON (docs/json.md)."`
}

// reapplied is the JSON of reapply.
type reapplied struct {
	Records  []string            `json:"records"`
	Of       []string            `json:"of"`
	Before   model.Size          `json:"before"`
	After    model.Size          `json:"after"`
	Output   string              `json:"output"`
	Bytes    int64               `json:"bytes"`
	SHA256   string              `json:"sha256"`
	Relinked []transcript.Relink `json:"relinked"`
}

func (c *reapplyCmd) Run(a *app) error {
	st, err := a.existing()
	if err != nil {
		return err
	}
	defer st.Close()
	rec, err := st.Record(a.ctx, c.Record)
	if err != nil {
		return err
	}
	ro := transcript.Options{Format: rec.Format}
	if c.File == dash {
		if ro.Stdin, err = a.stdin.Open(); err != nil {
			return err
		}
	}
	f, err := session.Open(a.ctx, c.File, session.Options{Store: st, Verb: true}, ro)
	if err != nil {
		return err
	}
	defer f.Close()
	s, err := f.OriginalSession(a.ctx, rec)
	if err != nil {
		return err
	}
	again, err := s.Records.ReapplyPreview(a.ctx, rec)
	if err != nil {
		return err
	}
	made, out, err := s.Records.ReapplyTo(a.ctx, into(c.Output, rec.Path), c.Force, again)
	if err != nil {
		return err
	}
	r := reapplied{Before: again.Now, After: again.Then, Output: out.Path, Bytes: out.Bytes, SHA256: out.SHA256,
		Relinked: append([]transcript.Relink{}, out.Relinked...)}
	for i := range made {
		r.Records, r.Of = append(r.Records, made[i].ID), append(r.Of, again.Of[i].ID)
	}
	for i := range r.Records {
		a.unnamed(st, &r.Records[i])
	}
	if c.JSON {
		return a.printJSON(r)
	}
	for i := range made {
		fmt.Fprintf(a.out, "%s applied again as %s\n", r.Of[i], r.Records[i])
	}
	size := func(z model.Size) string { return contextTokens(z.Tokens, s.Estimated(), s.Policy().Fixed) }
	fmt.Fprintf(a.out, "%s → %s tokens, %s bytes written to %s\n",
		size(r.Before), size(r.After), thousands(out.Bytes), a.shown(out.Path))
	return nil
}
