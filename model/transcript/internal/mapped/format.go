package mapped

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"time"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/anthropic"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

//go:embed maps
var shipped embed.FS

// Shipped returns the formats whose rules are in maps, in the order of their files' names. They
// are read when a first file is opened: most verbs list or restore and open none.
var Shipped = sync.OnceValue(load)

func load() []codec.Format {
	var out []codec.Format
	names, _ := fs.Glob(shipped, "maps/*.json")
	for _, name := range names {
		b, err := shipped.ReadFile(name)
		if err != nil {
			panic(err) // it is in the program
		}
		r, err := parse(b)
		if err != nil {
			panic(fmt.Errorf("%s: %w", name, err)) // a test loads them all
		}
		out = append(out, Format{Rules: r})
	}
	return out
}

// Format reads by rules. The value in the registry has nothing but them; that of a
// document knows by which of them each of its pieces is read.
type Format struct {
	codec.Unlinked
	*Rules
	plan map[pieceKey]planned
}

// pieceKey is a piece: one value may hold a call and be the result's as well, or a turn,
// of which each side is a message.
type pieceKey struct {
	model.Span
	result bool
	who    model.Role // of a result none
}

func keyOf(p model.Piece, result bool, who model.Role) pieceKey {
	if result {
		who = 0
	}
	return pieceKey{p.Span, result, who}
}

// planned is how a piece is read: as a message, or as one value in it.
type planned struct {
	rule  *rule
	of    []part     // not nil: a value in a message
	texts model.Span // the long texts of the conversation
}

// Info implements [codec.Format].
func (f Format) Info() codec.Info {
	return codec.Info{Format: f.Format, Title: f.Title, How: f.How, Places: f.Places, Proven: f.Proven}
}

// ReadOnly implements [codec.ReadOnly].
func (f Format) ReadOnly() string {
	if len(f.Rules.Summary) > 0 {
		return ""
	}
	return f.Title + " is read, and not written: its own tool would not take a file that was changed."
}

// sureScore is that of formats whose signs are theirs alone, also in a single record.
const sureScore = 97

// Recognise implements [codec.Format].
func (f Format) Recognise(s *codec.Sniff) (int, string) {
	if f.Lines && !s.JSONLines && f.Score < sureScore { // a log of one line is one value
		return 0, ""
	}
	signed := func(v jspan.Value) bool {
		for _, list := range f.Signs {
			if hold(list, v) {
				return true
			}
		}
		return false
	}
	if !s.JSONLines {
		if s.Whole.Exists() && signed(s.Whole) {
			return f.Score, f.How
		}
		return 0, ""
	}
	if n := s.Share(signed); n > 0 && (f.Lines || n >= 0.5) {
		return f.Score, f.How
	}
	return 0, ""
}

// Parts implements [model.Codec].
func (f Format) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	var out []model.Part
	calls, glue := 0, false
	for _, p := range m.Pieces {
		if p.Duplicate {
			continue
		}
		v, err := edit.ParseAt(d, p.Span)
		if err != nil {
			return nil, err
		}
		result := m.Kind == model.KindResult
		how := f.plan[keyOf(p, result, m.Role)]
		var list []spoken
		switch {
		case how.of != nil:
			list = block(how.of, v)
		case how.rule != nil:
			list = speak(how.rule.Parts, v, parsed)
			glue = how.rule.Glue
		}
		texts, err := f.textsOf(d, how.texts, v.Raw())
		if err != nil {
			return nil, err
		}
		fill(list, texts, f.Talk.Mark)
		for _, s := range list {
			if s.unasked && !result {
				s.Kind = model.PartText
			}
			if s.ofResult() != result || s.step {
				continue
			}
			switch s.Kind {
			case model.PartResult:
				s.CallID, s.Name, s.Error = m.Answers, m.Name, m.Error
			case model.PartCall:
				if calls < len(m.Calls) {
					s.CallID = m.Calls[calls].ID
				}
				calls++
			case model.PartText:
				if n := len(out); glue && n > 0 && out[n-1].Kind == model.PartText {
					out[n-1].Text += s.Text
					continue
				}
			}
			out = append(out, s.Part)
		}
	}
	return out, nil
}

// textsOf is the object with a conversation's long texts, if the bytes name any of them.
func (f Format) textsOf(d *model.Document, at model.Span, raw []byte) (texts jspan.Value, err error) {
	if at.Len > 0 && bytes.Contains(raw, []byte(f.Talk.Mark)) {
		texts, err = edit.ParseAt(d, at)
	}
	return texts, err
}

// Place puts the summary before the element that holds the first message it replaces, or, where
// the format can, after the parts of the element that stay.
func (f Format) Place(d *model.Document, th *model.Thread, m *model.Message, dropped func(model.Piece) bool) (model.Piece, bool) {
	if !slices.ContainsFunc(f.Rules.Summary, func(one form) bool { return one.In }) {
		return edit.Outermost(d, m.Pieces[0]), false
	}
	at := *m
	at.Pieces = []model.Piece{edit.EditablePiece(d, th, m)}
	return anthropic.Messages{}.Place(d, th, &at, dropped)
}

// Relink takes out of the file what one of its compactions had taken, where the summary of that
// goes: without it they would be live again, unless each of them says that it is not.
func (f Format) Relink(_ *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error) {
	live, gone := edit.IndexSet(th.Live(len(th.History))), edit.IndexSet(c.Drop)
	hides := func(x model.Found) bool { return x.Summary >= 0 && live[int32(x.Summary)] && gone[int32(x.Summary)] }
	flagged := func(u rule) bool { return len(u.Hidden) > 0 }
	if !slices.ContainsFunc(th.Found, hides) || slices.ContainsFunc(f.Each(), flagged) {
		return nil, nil
	}
	for i := range th.Found[len(th.Found)-1].Summary {
		for _, p := range th.Messages[i].Pieces {
			if !live[int32(i)] {
				e.Drop(p)
			}
		}
	}
	return nil, nil
}

// Summary spells an element that holds the text.
func (f Format) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	var b bytes.Buffer
	k := slices.IndexFunc(f.Rules.Summary, func(one form) bool { return hold(one.If, like) })
	if k < 0 {
		return nil, fmt.Errorf("no summary is spelled beside %.40s", like.Raw())
	}
	if err := json.Compact(&b, f.Rules.Summary[k].Is); err != nil {
		return nil, err
	}
	out := b.Bytes()
	for name, val := range map[string][]byte{"$uid": edit.Quote(d, s.UID), "$time": edit.Quote(d, s.Time.UTC().Format(time.RFC3339)),
		"$millis": fmt.Append(nil, s.Time.UnixMilli())} {
		out = bytes.ReplaceAll(out, []byte(`"`+name+`"`), val)
	}
	return bytes.ReplaceAll(out, []byte(`"$text"`), edit.Quote(d, s.Text)), nil
}

// ResultContent implements [codec.Format].
func (f Format) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpan(d, m.Pieces[:1], func(v jspan.Value) (found jspan.Value) {
		how := f.plan[keyOf(m.Pieces[0], true, 0)]
		var look func(of []part, v jspan.Value)
		look = func(of []part, v jspan.Value) {
			for _, p := range of {
				in := v
				if len(p.At) > 0 {
					in = p.At.one(v)
				}
				switch {
				case found.Exists() || !hold(p.If, v):
				case p.As != "result":
					look(p.Then, v)
				case len(p.Text) > 0:
					found = p.Text.one(in)
				default:
					found = in
				}
			}
		}
		if look(how.of, v); found.Exists() || how.rule == nil {
			return found
		}
		for _, p := range how.rule.Parts {
			if !hold(p.If, v) {
				continue
			}
			of := p.Of
			if len(of) == 0 {
				of = []part{{As: p.As, Text: p.Text}}
			}
			p.At.all(v, parsed, func(in, _ jspan.Value, _ int) { look(of, in) })
		}
		return found
	})
}

// SpellNote spells what takes the place of a cleared result's output.
func (Format) SpellNote(d *model.Document, at model.Span, note string) ([]byte, error) {
	v, err := edit.ParseAt(d, at)
	switch {
	case err != nil || v.Kind != jspan.Array:
		return edit.Quote(d, note), err
	case v.Index(0).Has("type"):
		return edit.TypedText(d, "text", note), nil
	}
	return edit.List(edit.NewObject(d).Str("text", note).Done()), nil // blocks that are recognised by their members
}

// Read implements [codec.Format].
func (f Format) Read(ctx context.Context, b *codec.Builder) error {
	f.plan = map[pieceKey]planned{}
	b.Doc.Codec = f
	r := &reader{Format: f, b: b, ctx: ctx, chats: map[string]*chat{}, unread: map[string]int{}}
	if b.Doc.Size <= mostCovered && f.Format != model.FormatGeneric {
		r.leaves = &leaves{at: map[[probe]byte]*leaf{}, logged: f.Logged}
	}
	r.leaves.take("", b.Whole)
	if err := r.source(); err != nil {
		return err
	}
	r.finish()
	r.leaves.say(b.Doc)
	return ctx.Err()
}
