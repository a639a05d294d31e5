package session

import (
	"fmt"
	"unicode/utf8"

	"palimpsest/compaction/summarize"
	"palimpsest/compaction/summarize/redact"
	"palimpsest/model"
)

// Withheld is something that is not sent: a secret, an address, the name in a
// home folder. It is for a person to look through before anything is sent.
type Withheld struct {
	redact.Finding
	Num   int // of the message it stands first in; 0: in a former summary
	Times int
	As    string // the placeholder that is sent
}

// Bounds on what is looked through of one text, in bytes: far beyond what a
// prompt shows of it.
const (
	scannedText   = 64 << 10
	scannedResult = 8 << 10
)

// withhold gives the entries as they may leave the machine: everything found is
// replaced but what keep names. Texts are cut far beyond what is told of them,
// so that what is sent is what was looked through. When the scan can't be made
// nothing may be sent, and that is the error.
func withhold(entries []summarize.Entry, instruction string, keep map[string]bool) ([]summarize.Entry, string, []Withheld, error) {
	r, err := redact.New(idsOf(entries)...)
	if err != nil {
		return nil, "", nil, fmt.Errorf("nothing is sent, because it can't be looked through for secrets: %w", err)
	}
	w := &withholder{r: r, keep: keep, at: map[string]int{}}
	out := make([]summarize.Entry, len(entries))
	for i, e := range entries {
		e.Former = w.text(e.Former, scannedText, 0)
		parts := make([]model.Part, len(e.Parts))
		for j, p := range e.Parts {
			most := scannedText
			if p.Kind == model.PartResult || p.Kind == model.PartCall {
				most = scannedResult
			}
			p.Text = w.text(p.Text, most, e.Num)
			parts[j] = p
		}
		e.Parts = parts
		out[i] = e
	}
	instruction = w.text(instruction, scannedText, 0)
	return out, instruction, w.found, nil
}

type withholder struct {
	r     *redact.Redactor
	keep  map[string]bool
	at    map[string]int // secret → place in found
	found []Withheld
}

func (w *withholder) text(s string, most, num int) string {
	if len(s) > most {
		for most > 0 && !utf8.RuneStart(s[most]) {
			most--
		}
		s = s[:most]
	}
	if s == "" {
		return s
	}
	all := w.r.Scan(s)
	hidden := all[:0]
	for _, f := range all {
		i, known := w.at[f.Secret]
		if !known {
			i = len(w.found)
			w.at[f.Secret] = i
			w.found = append(w.found, Withheld{Finding: f, Num: num, As: w.r.Placeholder(&f)})
		}
		w.found[i].Times++
		if !w.keep[f.Secret] {
			hidden = append(hidden, f)
		}
	}
	return w.r.Replace(s, hidden)
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
