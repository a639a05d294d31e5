// Package filling sums up what fills the context at a place of a history.
//
//	at message 480: ~144.3K tokens
//	  kinds   tool results 73 %, agent 18 %, …
//	  tools   what each tool returned: Read 48 %, Bash 12 %, …
//	  files   what was returned of each file: schema/check.go 9 %, …
//
// It is computed and not stored: for the window, and for whoever embeds a session.
package filling

import (
	"cmp"
	"context"
	"slices"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/body"
)

// Filling is the context before a place of the history, by what is in it.
type Filling struct {
	At       int   // history position before which it is
	Messages int   // that are in it
	Tokens   int64 // of these
	Beyond   int64 // tokens in no message: system prompt, tools, what the file does not hold
	// Kinds are all messages; Tools are the results by the tool that returned them, and
	// Files those of calls that name a file. The largest is first.
	Kinds, Tools, Files []Part
}

// Part is what messages of one sort come to.
type Part struct {
	Kind     model.Kind
	Name     string // of a tool or a file; "": of Kinds
	Tokens   int64
	Messages int
	Largest  int // history position of its largest message; −1: it has none there
	most     int64
}

// Whole is all that is in the context.
func (f *Filling) Whole() int64 { return f.Tokens + f.Beyond }

// entry is a message of the context; stored is −1 for the summary of a record.
type entry struct {
	kind            model.Kind
	stored, history int
	tokens          int64
}

// Of sums up the context before a history position: with the records that are applied
// where that is the session's place, else as the file has it.
func Of(ctx context.Context, s *session.Session, at int) (*Filling, error) {
	f := &Filling{At: at, Beyond: s.Calibration().Beyond(at, s.Policy().Fixed)}
	kinds, tools, files := sums{}, sums{}, sums{}
	t := s.Thread()
	called, path := map[string]string{}, map[string]string{} // by the id of a call
	for i, e := range entries(s, at) {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		f.Messages++
		f.Tokens += e.tokens
		kinds.add(e.kind, "", e)
		if e.stored < 0 {
			continue
		}
		m := &t.Messages[e.stored]
		if len(m.Calls) > 0 {
			parts, err := s.Read(int32(e.stored))
			if err != nil {
				return nil, err
			}
			for _, p := range parts {
				if p.Kind == model.PartCall {
					called[p.CallID], path[p.CallID] = p.Name, body.PathOf(p.Text)
				}
			}
		}
		if m.Kind != model.KindResult {
			continue
		}
		tools.add(e.kind, cmp.Or(m.Name, called[m.Answers]), e)
		if name := path[m.Answers]; name != "" {
			files.add(e.kind, name, e)
		}
	}
	f.Kinds, f.Tools, f.Files = kinds.list(), tools.list(), files.list()
	return f, nil
}

// entries are the messages of the context, in order.
func entries(s *session.Session, at int) (list []entry) {
	t := s.Thread()
	if at == s.At() {
		line := s.Plan(s.Policy(), compaction.Options{Manual: true}).Line
		for i := range line.Len() {
			list = append(list, entry{line.Kind(i), int(line.Item(i).Msg), line.History(i), int64(line.Tokens(i))})
		}
		return list
	}
	live, from := t.Live(at), t.LiveFrom(at)
	own := len(live) - (at - from)
	for i, stored := range live {
		history := -1
		if i >= own {
			history = from + i - own
		}
		list = append(list, entry{t.Messages[stored].Kind, int(stored), history, int64(s.Tokens(stored))})
	}
	return list
}

// sort is by what messages are summed up.
type sort struct {
	kind model.Kind
	name string
}

type sums map[sort]*Part

func (x sums) add(kind model.Kind, name string, e entry) {
	p := x[sort{kind, name}]
	if p == nil {
		p = &Part{Kind: kind, Name: name, Largest: -1}
		x[sort{kind, name}] = p
	}
	p.Messages++
	p.Tokens += e.tokens
	if e.history >= 0 && e.tokens > p.most {
		p.Largest, p.most = e.history, e.tokens
	}
}

// list is those that weigh something, the largest first.
func (x sums) list() (list []Part) {
	for _, p := range x {
		if p.Tokens > 0 {
			list = append(list, *p)
		}
	}
	slices.SortFunc(list, func(a, b Part) int {
		return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind))
	})
	return list
}
