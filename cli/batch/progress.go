package batch

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Progress says how many of the files, or of what else, are done. Its methods may be called by any goroutine.
type Progress struct {
	mu    sync.Mutex
	w     io.Writer
	now   func() time.Time
	width int // of the terminal; 0: it is none, and lines are written

	noun             string // what is counted, of several
	total, done, bad int
	began, said      time.Time
	shown            int // characters of the bar that is shown
}

const (
	barAfter = 300 * time.Millisecond // what is quicker needs none
	barEvery = 100 * time.Millisecond
	lineEach = 10 * time.Second // in a log
)

// NewProgress writes to w, a terminal of that width; 0: it is none. A nil writer keeps
// quiet.
func NewProgress(w io.Writer, width, total int, now func() time.Time) *Progress {
	at := now()
	return &Progress{w: w, width: width, noun: "files", total: total, now: now, began: at, said: at}
}

// Of counts other things than files, of a number that is not known before; each is how many
// of how many are done.
func (p *Progress) Of(noun string) (each func(done, total int)) {
	p.noun = noun
	return func(done, total int) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.done, p.total = done, total
		p.show()
	}
}

// Done counts a file; bad: it was refused or failed.
func (p *Progress) Done(bad bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if bad {
		p.bad++
	}
	p.show()
}

// show shows how far it is, if it is time.
func (p *Progress) show() {
	now := p.now()
	switch {
	case p.w == nil || p.done == p.total:
	case p.width > 0 && now.Sub(p.began) >= barAfter && (p.shown == 0 || now.Sub(p.said) >= barEvery):
		p.said = now
		p.bar()
	case p.width == 0 && now.Sub(p.said) >= lineEach:
		p.said = now
		fmt.Fprintf(p.w, "%s\n", p.text())
	}
}

// Clear takes the bar away, so that something else can be written.
func (p *Progress) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown > 0 {
		fmt.Fprint(p.w, "\r"+strings.Repeat(" ", p.shown)+"\r")
		p.shown = 0
	}
}

// Elapsed is how long it has run.
func (p *Progress) Elapsed() time.Duration { return p.now().Sub(p.began) }

// text is how far it is: "12 of 40 files, 1 not done, 3 s".
func (p *Progress) text() string {
	bad := ""
	if p.bad > 0 {
		bad = fmt.Sprintf(", %d not done", p.bad)
	}
	return fmt.Sprintf("%d of %d %s%s, %d s", p.done, p.total, p.noun, bad, int(p.Elapsed().Seconds()))
}

// bar draws the bar in place of the one before.
func (p *Progress) bar() {
	text := " " + p.text()
	cells := min(40, p.width-len(text)-3)
	line := strings.TrimSpace(text)
	if cells >= 5 {
		full := cells * p.done / max(1, p.total)
		line = "[" + strings.Repeat("#", full) + strings.Repeat(".", cells-full) + "]" + text
	}
	line = line[:min(len(line), max(0, p.width-1))]
	fmt.Fprint(p.w, "\r"+line+strings.Repeat(" ", max(0, p.shown-len(line))))
	p.shown = len(line)
}
