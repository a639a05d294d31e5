package facts

import "strings"

// LedgerHead reads the head of a group of a ledger, "Paths: a.go b.go". It
// returns the kind of the facts that follow and what is on the line itself; ok
// is false for any other line.
func LedgerHead(line string) (k Kind, rest string, ok bool) {
	for i := range ledgerWords {
		w := &ledgerWords[i]
		for k, head := range w.heads {
			if rest, ok := afterHead(line, head); ok {
				return Kind(k), rest, true
			}
		}
		for _, head := range []string{w.options, w.marks} {
			if rest, ok := afterHead(line, head); ok {
				return Identifier, rest, true
			}
		}
	}
	return Kinds, "", false
}

func afterHead(line, head string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(line, head)
	if !ok || rest != "" && !strings.HasPrefix(rest, " ") {
		return "", false
	}
	return strings.TrimSpace(rest), true
}

// LedgerWords returns the title of a ledger and the head of a group, as they are
// written in Chinese or English.
func LedgerWords(k Kind, chinese bool) (title, head string) {
	w := &ledgerWords[0]
	if chinese {
		w = &ledgerWords[1]
	}
	return w.title, w.heads[k]
}

// IsLedgerTitle reports whether a line is the title of a ledger.
func IsLedgerTitle(line string) bool {
	line = strings.TrimSpace(line)
	return line == ledgerWords[0].title || line == ledgerWords[1].title
}
