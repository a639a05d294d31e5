package redact

import "strings"

// outOfJSON narrows a finding so that replacing it leaves JSON in the text as
// it was: it begins behind an escape that it is in, ends before one that it
// cuts, and holds no quote. A name behind the single backslash of a Windows
// path is in no JSON.
func outOfJSON(text string, f Finding) Finding {
	if q := strings.IndexByte(f.Secret, '"'); q >= 0 {
		f.To = f.From + q
	}
	if f.Kind != Home && odd(text[:f.From]) {
		f.From++
		if text[f.From-1] == 'u' && f.From+4 <= f.To && isHex(text[f.From:f.From+4]) {
			f.From += 4
		}
	}
	if f.To > f.From && odd(text[:f.To]) {
		f.To--
	}
	if f.To <= f.From {
		f.To = f.From
	}
	if f.Secret = text[f.From:f.To]; f.Kind == Email && noPerson(f.Secret) {
		f.To = f.From // its name was nothing but the letter of an escape, as in \n@app.route
	}
	return f
}

// odd reports whether a text ends in an odd run of backslashes: what follows is
// escaped.
func odd(s string) bool {
	n := len(s) - len(strings.TrimRight(s, `\`))
	return n%2 == 1
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdefABCDEF") == "" }
