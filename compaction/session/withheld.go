package session

import (
	"fmt"
	"unicode/utf8"

	"palimpsest/compaction/summarize"
	"palimpsest/compaction/summarize/redact"
	"palimpsest/model"
)

// Withheld is something that is not sent or not exported: a secret, an address,
// the name in a home folder. It is for a person to look through before anything
// leaves. Num is the message it is first in, 0 for a former summary; in an
// export of the source's own form it is the line.
type Withheld = redact.Hit

// Bounds on what is looked through of one text, in bytes: far beyond what a
// prompt shows of it.
const (
	scannedText   = 64 << 10
	scannedResult = 8 << 10
)

// withhold returns the entries as they may leave the machine: everything found is
// replaced but what keep names. Texts are cut far beyond what is used of them,
// so that what is sent is what was looked through. When the scan can't be made
// nothing may be sent, and that is the error.
func withhold(scan Scan, entries []summarize.Entry, instruction string, keep map[string]bool) (
	[]summarize.Entry, string, []Withheld, error) {
	r, err := scan(idsOf(entries)...)
	if err != nil {
		return nil, "", nil, fmt.Errorf("nothing is sent, because it can't be looked through for secrets: %w", err)
	}
	w := redact.NewSieve(r, keep)
	out := make([]summarize.Entry, len(entries))
	for i, e := range entries {
		e.Former = w.Text(begin(e.Former, scannedText), 0)
		parts := make([]model.Part, len(e.Parts))
		for j, p := range e.Parts {
			most := scannedText
			if p.Kind == model.PartResult || p.Kind == model.PartCall {
				most = scannedResult
			}
			p.Text = w.Text(begin(p.Text, most), e.Num)
			parts[j] = p
		}
		e.Parts = parts
		out[i] = e
	}
	instruction = w.Text(begin(instruction, scannedText), 0)
	return out, instruction, w.Found(), nil
}

// begin is the beginning of a text, at most so many bytes.
func begin(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
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
