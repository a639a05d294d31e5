// Package summarize makes the text that replaces messages which leave the
// context: without a model, without a network, always the same for the same
// input.
//
// Contract. [Make] holds its budget for every budget that has room for the
// heading and one line "n messages"; below that it returns that shortest honest
// text and leaves the judgement to the caller. Limits count Unicode code points
// or tokens, never bytes. No turn, step or call is silently gone: what does not
// fit is counted, with message numbers. The text is valid UTF-8 whatever the
// history holds, free of control characters and terminal escapes, and what a
// history says can't pass for a line of the summary's own frame. The work on a
// part is bounded: a tool result of 10 MB costs as much as one of 10 kB.
//
// Former summaries that are summarised again come first, in a section of their
// own, without their headings.
package summarize

import (
	"context"
	"errors"
	"fmt"

	"palimpsest/model"
)

// Entry is one message to summarise.
type Entry struct {
	Msg   *model.Message
	Parts []model.Part // decoded by the caller; texts may be of any size and hold anything
	Num   int          // 1-based number shown to people: the position in the history
	Turn  int          // 1-based number of the turn of the history it belongs to; 0: not known

	// Copy is a message of before the range that an earlier compaction kept: it has no
	// number and no turn of its own; Num is the place where it is.
	Copy bool

	// Stays says that it stays word for word, after the entries that go: what it does
	// is the state in which they leave things.
	Stays bool

	// Uncut says that a model is sent its texts whole, as far as they fit: unasked, long ones
	// are cut by what they are.
	Uncut bool

	// Former, if not "", is the text of an earlier summary that is summarised
	// again. Msg may then be nil.
	Former string
}

// Request says what to summarise and how.
type Request struct {
	Entries  []Entry // in the order of the history
	Strategy model.Strategy

	// Budget bounds the whole text, heading included, in Tokens or Chars (code
	// points). N == 0: no limit.
	Budget model.Amount
	Count  func(string) int // tokens of a text; needed when Budget is in Tokens

	Lang Lang

	// Facts is what a note lists from; nil: the facts of the entries.
	Facts *Facts

	// Memory is that of former requests about the same messages; nil: none.
	Memory *Memory
}

// Result is a finished summary.
type Result struct {
	Text      string   // begins with the heading line
	KeyPoints []string // one line a turn or step, each at most 200 code points and an ellipsis
	Lang      Lang     // English or Chinese
}

// ErrEmpty says that there is nothing to summarise.
var ErrEmpty = errors.New("summarize: no messages to summarise")

// Make writes the summary of the entries. It fails only on a request that makes
// no sense and when ctx is done.
func Make(ctx context.Context, r Request) (Result, error) {
	if len(r.Entries) == 0 {
		return Result{}, ErrEmpty
	}
	m, err := newMeasure(r.Budget, r.Count)
	if err != nil {
		return Result{}, err
	}
	lang := r.Lang
	if lang != English && lang != Chinese {
		lang = detect(r.Entries)
	}
	w := wordsOf(lang)
	lay := map[model.Strategy]layout{model.NoteText: textLayout{w}, model.Extract: textLayout{w}, model.StructuredJSON: jsonLayout{w},
		model.StructuredTable: tableLayout{w}}[r.Strategy]
	if lay == nil {
		return Result{}, fmt.Errorf("summarize: strategy %q makes no text here", r.Strategy)
	}
	text, d, err := makeNote(ctx, &r, lay, w, m)
	if err != nil {
		return Result{}, err
	}
	return Result{Text: text, KeyPoints: d.keyPoints(), Lang: lang}, nil
}
