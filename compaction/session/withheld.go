package session

import (
	"context"
	"fmt"
	"strings"

	"palimpsest/compaction/summarize"
	"palimpsest/compaction/summarize/redact"
	"palimpsest/model"
)

// Withheld is something that is not sent or not exported: a secret, an address,
// the name in a home folder. It is for a person to look through before anything
// leaves. Num is the message it is first in, 0 for a former summary; in an
// export of the source's own form it is the line.
type Withheld = redact.Hit

// OwnRulesSetting is the name under which the database keeps the rules that a person
// made: a list of [redact.Own].
const OwnRulesSetting = "privacyRules"

// ScanAlso returns a scan that looks for a person's own rules too. They are asked for
// at each scan; while they can't be had nothing leaves.
func ScanAlso(own func() ([]redact.Own, error)) Scan {
	return func(ids ...string) (*redact.Redactor, error) {
		r, err := redact.New(ids...)
		if err != nil {
			return nil, err
		}
		list, err := own()
		if err != nil {
			return nil, fmt.Errorf("read the rules of your own: %w", err)
		}
		return r, r.Own(list)
	}
}

// sieveFor makes what hides secrets in something that leaves, whose identifiers are
// none.
func sieveFor(f *File, ids []string, keep map[string]bool) (*redact.Sieve, error) {
	r, err := f.opt.Scan(ids...)
	if err != nil {
		return nil, err
	}
	return redact.NewSieve(r, keep), nil
}

// Sieve makes what hides secrets in texts about the file that leave the machine.
func (f *File) Sieve() (*redact.Sieve, error) {
	w, err := sieveFor(f, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("nothing is sent, because it can't be looked through for secrets: %w", err)
	}
	w.Also(f.opt.Also...)
	return w, nil
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

// Found is something that would be withheld from a question about a history, and the
// line where it is first, as it would be sent.
type Found struct {
	Withheld
	Sent string // "" if what hides it hides its placeholder too
}

// LookThrough looks through all messages of the history for what would be withheld,
// without sending anything.
func LookThrough(ctx context.Context, s *Session) ([]Found, error) {
	f := s.File()
	var entries []summarize.Entry
	t := s.Thread()
	for i, at := range t.History {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m := &t.Messages[at]
		parts, err := f.Doc.Parts(m)
		if err != nil {
			return nil, err
		}
		entries = append(entries, summarize.Entry{Msg: m, Num: i + 1, Parts: parts})
	}
	sent, _, w, err := withhold(ctx, f, entries, Asking{})
	if err != nil {
		return nil, err
	}
	var out []Found
	for _, h := range w.Found() {
		x := Found{Withheld: h}
		if h.Num > 0 {
			x.Sent = lineWith(sent[h.Num-1].Parts, h.As)
		}
		out = append(out, x)
	}
	return out, nil
}

// longLine is how much of a line is shown on each side of what was found, in code
// points.
const longLine = 80

// lineWith is the line of a message that holds a placeholder, clipped around it.
func lineWith(parts []model.Part, as string) string {
	for _, p := range parts {
		before, after, found := strings.Cut(p.Text, as)
		if !found {
			continue
		}
		l := []rune(before[strings.LastIndexByte(before, '\n')+1:])
		after, _, _ = strings.Cut(after, "\n")
		r := []rune(after)
		left, right := string(l[max(0, len(l)-longLine):]), string(r[:min(len(r), longLine)])
		return strings.TrimSpace(left + as + right)
	}
	return ""
}
