package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"unicode/utf8"

	"palimpsest/model"
	"palimpsest/model/visible"
)

// terminal is what all of a verb's output goes through: no control character of a
// transcript, a name, an argument or a server reaches the terminal, whatever printed
// it. Line breaks and tabs pass. Others are spelled \u001b, which is also how JSON
// spells them in a string, the only place where JSON has them.
//
//	transcript, name, server ──▶ table, say, printJSON … ──▶ terminal ──▶ stdout, stderr
type terminal struct {
	w      *output
	rest   []byte // the begin of a character whose end has not come
	colour bool   // its own words may be coloured
	width  int    // columns; 0: it is no terminal, and lines are as long as they are
}

// output is what a terminal writes to. It keeps the first error, which those who print
// don't look at.
type output struct {
	to  io.Writer
	err error
}

// Write passes b on.
func (o *output) Write(b []byte) (int, error) {
	n, err := o.to.Write(b)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// failure is why not all of it could be written; nil: it could.
func (o *output) failure() error {
	if o.err == nil {
		return nil
	}
	return &model.Problem{Code: "output", What: "The output could not be written whole.", Why: systemSays(o.err),
		Next: "What is there of it is not all.", Err: o.err}
}

// systemSays is the sentence with the system's reason for an error, without what it was
// doing and to which file.
func systemSays(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return "The system says: " + err.Error() + "."
}

// newTerminal writes to w, which may be a screen. when is auto, always or never.
func newTerminal(w io.Writer, when string) *terminal {
	t := &terminal{w: &output{to: w}, width: widthOf(w)}
	switch when {
	case "always":
		t.colour = true
	case "never":
	default: // see no-color.org
		t.colour = t.width > 0 && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	return t
}

// bare is what a terminal writes to: for what is no text, and for the bar of a progress.
func bare(w io.Writer) io.Writer {
	if t, ok := w.(*terminal); ok {
		return t.w
	}
	return w
}

// widthOf is how many columns a screen has; 0: it is none. COLUMNS says it where the
// system does not.
func widthOf(w io.Writer) int {
	if o, ok := w.(*output); ok {
		w = o.to
	}
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	n, ok := columns(f)
	if !ok {
		return 0
	}
	if said, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && said > 0 && n == 0 {
		n = said
	}
	return cmp.Or(n, 80)
}

// style is how some words of ours look.
type style string

const (
	bold   style = "\x1b[1m"
	red    style = "\x1b[31m"
	yellow style = "\x1b[33m"
)

// styled writes a text in a style, if the terminal has any.
func styled(w io.Writer, s style, text string) {
	t, ok := w.(*terminal)
	if !ok || !t.colour {
		fmt.Fprint(w, text)
		return
	}
	t.end()
	fmt.Fprint(t.w, string(s))
	fmt.Fprint(t, text)
	t.end()
	fmt.Fprint(t.w, "\x1b[0m")
}

// Write passes on a text in pieces of any size. What it returns counts what was
// taken, not what was written.
func (t *terminal) Write(b []byte) (int, error) {
	all := append(t.rest, b...)
	out := make([]byte, 0, len(all))
	for len(all) > 0 {
		if !utf8.FullRune(all) && len(all) < utf8.UTFMax {
			break
		}
		r, n := utf8.DecodeRune(all)
		switch {
		case r == utf8.RuneError && n == 1:
			out = fmt.Appendf(out, `\x%02x`, all[0])
		case !visible.Is(r):
			out = visible.AppendEscaped(out, r)
		default:
			out = append(out, all[:n]...)
		}
		all = all[n:]
	}
	t.rest = append([]byte(nil), all...)
	_, err := t.w.Write(out)
	return len(b), err
}

// end writes what was held back.
func (t *terminal) end() {
	for _, c := range t.rest {
		fmt.Fprintf(t.w, `\x%02x`, c)
	}
	t.rest = nil
}
