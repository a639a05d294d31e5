package mapped

import (
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
}

// speak reads the parts of a value by rules.
func speak(list []part, v jspan.Value) (out []spoken) {
	for k := range list {
		p := &list[k]
		if !hold(p.If, v) {
			continue
		}
		p.At.all(v, parsed, func(in, array jspan.Value, i int) {
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
				s.Name = one.Name.text(v)
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
		if len(p.Text) == 0 {
			return said(v)
		}
		return said(p.Text.one(v))
	}
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
		s.Kind, s.CallID, s.Name, s.Text = model.PartCall, p.ID.text(v), p.Name.text(v), args.RawText()
		s.made = p.Made
		if args.Kind == jspan.String {
			s.Text = args.Text()
		}
	case "result":
		s.Kind, s.Text = model.PartResult, text()
		s.answers, s.Name, s.failed, s.unasked = p.ID.text(v), p.Name.text(v), holdAny(p.Fail, v), p.Unasked
	case "media":
		s.Kind, s.Name, s.Bytes = model.PartMedia, p.Name.text(v), v.Len()
		if s.Name == "" {
			s.Name = v.Get("type").TextN(40)
		}
	case "sealed":
		s.Kind, s.Name, s.Bytes = model.PartOpaque, codec.SealedPart, v.Len()
	default:
		return nil
	}
	return []spoken{s}
}
