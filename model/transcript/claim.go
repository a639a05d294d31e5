package transcript

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// A format is claimed by the shape of a source, and the claim is earned by its bodies:
// where more than a tenth of what messages say is not understood, the next format that
// may fit is tried. If none does better, a sentence says what is not understood; of a
// source that is mostly not, no format is claimed at all.
const (
	mostClaimed = 0.50
)

// sampled is how many messages of a document show whether its bodies are understood.
const sampled = 60

// sealed are opaque parts that hold nothing to read, or what another part repeats.
var sealed = map[string]bool{codec.SealedPart: true, "signature": true, "encrypted_content": true, "redacted_thinking": true, "data": true,
	"reasoning": true, "reasoning item": true, "thoughtSignature": true, "step-start": true, "call of the user": true, "tool_call": true,
	"function_call": true, "cache_control": true}

// understanding is how much of what messages say was read.
type understanding struct {
	messages, unread int // with a body; of them, those that hold something unknown
	chars, unknown   int64
	kinds            []string // of unknown blocks
	step             int      // one message of so many was looked at
}

func (u *understanding) share() float64 {
	if u.unknown*int64(u.step) < codec.FewWords {
		return 0
	}
	return float64(u.unknown) / float64(u.chars+u.unknown)
}

// refuted reports whether most of the text, in most of the messages, is not
// understood: a single message says little of a format, and a compacted history
// may have few left.
func (u *understanding) refuted() bool {
	return u.share() > mostClaimed && u.unread > 1 && 2*u.unread > u.messages
}

// sentence says how many messages are not understood, and what is in them.
func (u *understanding) sentence() string {
	s := fmt.Sprintf("%d of %d messages hold what is not understood", u.unread, u.messages)
	if len(u.kinds) > 0 {
		s += ": " + strings.Join(u.kinds[:min(len(u.kinds), 6)], ", ")
	}
	return s
}

// understood looks at messages of a document: at a few of them, or at all.
func understood(d *model.Document, all bool) *understanding {
	total := messagesIn(d)
	step := 1
	if !all {
		step = max(1, total/sampled)
	}
	u := &understanding{step: step}
	at := 0
	for m := range d.Messages {
		if at++; at%step == 0 {
			u.message(d, m)
		}
	}
	slices.Sort(u.kinds)
	return u
}

// message takes in how much of a message was read.
func (u *understanding) message(d *model.Document, m *model.Message) {
	if m.Kind == model.KindBoundary || m.Kind == model.KindOther && m.Role != model.RoleOther {
		return // no model sees it
	}
	parts, err := d.Parts(m)
	if err != nil {
		return
	}
	chars, unknown, silent := int64(0), int64(0), true
	var kinds []string
	for _, p := range parts {
		switch {
		case p.Kind != model.PartOpaque: // a result without a text may be one whose body is unknown
			chars += int64(len(p.Text))
			silent = silent && p.Text == "" && p.Kind != model.PartCall && p.Kind != model.PartMedia
		case sealed[p.Name]:
			silent = false
		default:
			unknown += int64(p.Bytes)
			if !slices.Contains(kinds, p.Name) {
				kinds = append(kinds, p.Name)
			}
		}
	}
	if silent || unknown > 0 { // of what was not understood, only words count
		unknown = max(0, bodyOf(d, m)-chars)
	}
	if chars+unknown == 0 {
		return
	}
	u.messages++
	u.chars, u.unknown = u.chars+chars, u.unknown+unknown
	if unknown > 0 {
		u.unread++
		for _, k := range kinds {
			if !slices.Contains(u.kinds, k) {
				u.kinds = append(u.kinds, k)
			}
		}
	}
}

// bodyOf is how many bytes of text are in the pieces of a message, besides what says
// something about it.
func bodyOf(d *model.Document, m *model.Message) (n int64) {
	var walk func(v jspan.Value)
	walk = func(v jspan.Value) {
		if v.Kind == jspan.String && codec.IsWords(v) {
			n += int64(v.Len())
		}
		for _, e := range v.Items {
			walk(e)
		}
		for key, val := range v.Each {
			if !codec.Aside[string(key)] {
				walk(val)
			}
		}
	}
	for _, p := range m.Pieces {
		if v, err := edit.ParseAt(d, p.Span); err == nil && !p.Duplicate {
			walk(v)
		}
	}
	return n
}

// lessLikely reads a document in which no message was found as the next format that may
// fit and finds some; nil if none does.
func lessLikely(ctx context.Context, d *model.Document, file io.ReaderAt, size int64, o Options) *model.Document {
	if o.Format != "" || o.Map != nil {
		return nil
	}
	for _, g := range d.Guesses[min(1, len(d.Guesses)):] {
		o.Format = g.Format
		if other, err := Read(ctx, d.Path, file, size, o); err == nil && understood(other, true).share() <= codec.MostUnread {
			other.Why, other.Guesses = g.Why, d.Guesses
			return other
		}
	}
	return nil
}

// earned checks the claim on a document that was read. It returns the document, or what
// the next format reads better, or why there is none.
func earned(ctx context.Context, d *model.Document, file io.ReaderAt, size int64, o Options) (*model.Document, error) {
	if understood(d, false).share() <= codec.MostUnread/2 { // of a few, so that less is reason to look at all
		return d, nil
	}
	u := understood(d, true)
	if u.share() <= codec.MostUnread {
		return d, nil
	}
	best, left := d, u
	if !appended[d.Format] && o.Format == "" && o.Map == nil { // its records name their program
		for _, g := range d.Guesses[min(1, len(d.Guesses)):] {
			next := o
			next.Format = g.Format
			other, err := Read(ctx, d.Path, file, size, next)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				continue
			}
			if v := understood(other, true); v.share() < left.share() {
				other.Why, other.Guesses, other.Unconfirmed = g.Why, d.Guesses, d.Unconfirmed
				best, left = other, v
			}
		}
		if left.refuted() && !best.Unconfirmed {
			return nil, &model.Problem{Code: "not-understood",
				What: fmt.Sprintf("%s looks like %s, and is not.", d.Path, d.Codec.(codec.Format).Info().Title),
				Why:  strings.ToUpper(left.sentence()[:1]) + left.sentence()[1:] + ".",
				Next: fmt.Sprintf("Say where its messages are with a field map (--map), or read it all the same: --read-as %s.", d.Format)}
		}
	}
	if left.share() > codec.MostUnread && !slices.ContainsFunc(best.Notes, func(n model.Note) bool { return n.Code == "not-understood" }) {
		codec.Say(best, model.Note{Code: "not-understood", Reason: left.sentence()})
	}
	return best, nil
}
