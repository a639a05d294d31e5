package mapped

import (
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// spoken is a part of a message with the value that it was made of.
type spoken struct {
	model.Part
	at      jspan.Value // the value
	list    jspan.Value // the array of which it is element i
	i       int
	of      []part // what such a value is read by
	answers string
	failed  bool
	made    bool
	unasked bool
	beside  bool // a result in the value of its call
	inside  bool // a picture in a result
	media   jspan.Value
	step    bool // it begins a step, and says nothing
}

// ofResult reports whether a part belongs to the message of a result.
func (s *spoken) ofResult() bool { return s.Kind == model.PartResult || s.inside }

// isSummary reports whether a part is a summary that stands among others.
func (s *spoken) isSummary() bool { return s.Kind == model.PartText && codec.IsSummaryText(s.Text) }

// speak reads the parts of a value by rules.
func speak(list []part, v jspan.Value, open unpacker) (out []spoken) {
	for k := range list {
		p := &list[k]
		if !hold(p.If, v) {
			continue
		}
		p.At.all(v, open, func(in, array jspan.Value, i int) {
			of := p.Of
			if len(of) == 0 {
				one := *p
				one.At, one.If = nil, nil
				of = []part{one}
			}
			for _, s := range block(of, in) {
				if !s.list.Exists() {
					s.list, s.i = array, i
				}
				out = append(out, s)
			}
		})
	}
	return out
}

// block reads one value, by the first rule that fits it. What none fits is not
// understood.
func block(of []part, v jspan.Value) []spoken {
	if v.Kind == jspan.Null {
		return nil
	}
	for k := range of {
		p := &of[k]
		if !hold(p.If, v) {
			continue
		}
		out := p.speak(v, of)
		for j := range p.Then {
			then := &p.Then[j]
			if !hold(then.If, v) {
				continue
			}
			in := v
			if len(then.At) > 0 {
				if in = then.At.one(v); !in.Exists() {
					continue
				}
			}
			one := *then
			one.At, one.If = nil, nil
			for _, s := range one.speak(in, []part{one}) {
				s.answers, s.failed = one.ID.text(v), holdAny(one.Fail, v)
				s.Name, s.beside = strings.TrimPrefix(one.Name.of(v), one.Strip), true
				out = append(out, s)
			}
		}
		return out
	}
	name := v.Get("type").TextN(40)
	if name == "" {
		name = v.Get("kind").TextN(40)
	}
	for key := range v.Each {
		if name != "" {
			break
		}
		name = string(key)
	}
	return []spoken{{Part: model.Part{Kind: model.PartOpaque, Name: name, Bytes: v.Len()}, at: v, of: of}}
}

func (p *part) speak(v jspan.Value, of []part) []spoken {
	s := spoken{at: v, of: of}
	text := func() string {
		in := v
		if len(p.Text) > 0 {
			in = p.Text.one(v)
		}
		if p.Raw {
			return codec.TextOrRaw(in)
		}
		return said(in)
	}
	name := strings.TrimPrefix(p.Name.of(v), p.Strip)
	switch p.As {
	case "text", "reasoning":
		s.Kind, s.Text = model.PartText, text()
		if p.As == "reasoning" {
			s.Kind = model.PartReasoning
		}
		if s.Text == "" {
			return nil
		}
	case "call":
		args := p.Args.one(v)
		s.Kind, s.CallID, s.Name, s.Text = model.PartCall, p.ID.text(v), name, args.RawText()
		s.made = p.Made
		if args.Kind == jspan.String {
			s.Text = args.Text()
		}
	case "result":
		s.Kind, s.Text = model.PartResult, text()
		s.answers, s.Name, s.failed, s.unasked = p.ID.text(v), name, holdAny(p.Fail, v), p.Unasked
		out := []spoken{s}
		for _, e := range p.Text.one(v).Items {
			if isMedia(e) {
				kind := e.Get("type").TextN(40)
				if in := e.Get(kind); in.Kind == jspan.String {
					e = in
				}
				out = append(out, spoken{Part: codec.MediaPart(kind, e), at: v, of: of, inside: true, media: e})
			}
		}
		return out
	case "media":
		if name == "" {
			name = v.Get("type").TextN(40)
		}
		if s.media = v; len(p.Text) > 0 {
			s.media = p.Text.one(v)
		}
		s.Part = codec.MediaPart(name, s.media)
	case "step":
		s.step = true
	case "sealed":
		s.Kind, s.Name, s.Bytes = model.PartOpaque, codec.SealedPart, v.Len()
	default:
		return nil
	}
	return []spoken{s}
}

// fill puts long texts where their names are.
func fill(list []spoken, texts jspan.Value, mark string) {
	if !texts.Exists() {
		return
	}
	named := func(s string) jspan.Value {
		name, ok := strings.CutPrefix(s, mark)
		if !ok {
			return jspan.Value{}
		}
		return texts.Get(name)
	}
	for i := range list {
		s := &list[i]
		if s.Kind == model.PartMedia {
			if v := named(s.media.TextN(200)); v.Exists() {
				s.Part = codec.MediaPart(s.Name, v)
			}
			continue
		}
		lines := strings.Split(s.Text, "\n")
		for k, line := range lines {
			if v := named(line); v.Exists() {
				lines[k] = v.Text()
			}
		}
		s.Text = strings.Join(lines, "\n")
	}
}
