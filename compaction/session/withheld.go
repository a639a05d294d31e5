package session

import (
	"context"
	"fmt"

	"palimpsest/compaction/summarize"
	"palimpsest/compaction/summarize/redact"
	"palimpsest/model"
)

// Withheld is something that is not sent or not exported: a secret, an address,
// the name in a home folder. It is for a person to look through before anything
// leaves. Num is the message it is first in, 0 for a former summary; in an
// export of the source's own form it is the line.
type Withheld = redact.Hit

// sieveFor makes what hides secrets in something that leaves, whose identifiers are
// none.
func sieveFor(f *File, ids []string, keep map[string]bool) (*redact.Sieve, error) {
	r, err := f.opt.Scan(ids...)
	if err != nil {
		return nil, err
	}
	return redact.NewSieve(r, keep), nil
}

// partText is the text of a part without what a sieve hides. The arguments of a call
// are JSON.
func partText(s *redact.Sieve, p model.Part, num int) string {
	if p.Kind == model.PartCall {
		return s.JSON(p.Text, num)
	}
	return s.Text(p.Text, num)
}

// withhold returns the entries as they may leave the machine: everything found is
// replaced but what keep names. All of them are looked through first, so that what
// one shows to be a secret is hidden in the others too. When the scan can't be made
// nothing may be sent, and that is the error.
func withhold(ctx context.Context, f *File, entries []summarize.Entry, a Asking) ([]summarize.Entry, string, *redact.Sieve, error) {
	w, err := sieveFor(f, idsOf(entries), a.Keep)
	if err != nil {
		return nil, "", nil, fmt.Errorf("nothing is sent, because it can't be looked through for secrets: %w", err)
	}
	w.Allow(a.Let...)
	w.Also(f.opt.Also...)
	w.Also(a.Also...)
	out := make([]summarize.Entry, len(entries))
	var instruction string
	for range 2 {
		w.Again()
		for i, e := range entries {
			if err := ctx.Err(); err != nil {
				return nil, "", nil, err
			}
			e.Former = w.Text(e.Former, 0)
			parts := make([]model.Part, len(e.Parts))
			for j, p := range e.Parts {
				p.Text = partText(w, p, e.Num)
				parts[j] = p
			}
			e.Parts = parts
			out[i] = e
		}
		instruction = w.Text(a.Instruction, 0)
	}
	return out, instruction, w, nil
}

// idsOf lists the identifiers in the entries, which are no secrets.
func idsOf(entries []summarize.Entry) []string {
	var ids []string
	for i := range entries {
		if m := entries[i].Msg; m != nil {
			ids = append(ids, m.ID)
		}
		for _, p := range entries[i].Parts {
			ids = append(ids, p.CallID)
		}
	}
	return ids
}
