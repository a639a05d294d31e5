package facts_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// say makes a message of one text: "u: …" by a person, "a: …" by the agent,
// "t: …" a tool's result, "r: …" the agent's reasoning, "c: …" the arguments of
// a call of the agent's.
func say(s string) facts.Message {
	who, text, _ := strings.Cut(s, ": ")
	part := map[string]model.PartKind{"u": model.PartText, "a": model.PartText, "t": model.PartResult, "r": model.PartReasoning, "c": model.PartCall}[who]
	author := facts.Agent
	switch who {
	case "u":
		author = facts.User
	case "t":
		author = facts.Tool
	}
	return facts.Message{Author: author, Parts: []model.Part{{Kind: part, Text: text}}}
}

// index builds an index of messages as say makes them.
func index(t testing.TB, lines ...string) *facts.Index {
	t.Helper()
	x, err := facts.Build(context.Background(), len(lines), func(i int) (facts.Message, error) { return say(lines[i]), nil })
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// fire is a firing before message at that takes [0, cut) away, keeps the rest
// and leaves texts.
func fire(at, cut int, texts ...string) facts.Change {
	return facts.Change{At: at, Removed: []model.Range{{From: 0, To: cut}}, Kept: []model.Range{{From: cut, To: at}}, Remaining: texts}
}

// history opens a file's main thread.
type history struct {
	name string
	doc  *model.Document
	th   *model.Thread
}

func (h history) len() int { return len(h.th.History) }

func (h history) message(i int) (facts.Message, error) {
	m := &h.th.Messages[h.th.History[i]]
	parts, err := h.doc.Parts(m)
	return facts.Message{Author: facts.AuthorOf(m), Parts: parts}, err
}

func (h history) index(t testing.TB) *facts.Index {
	t.Helper()
	idx, err := facts.Build(context.Background(), h.len(), h.message)
	if err != nil {
		t.Fatal(err)
	}
	return idx
}

// open opens a sample ("samples/…") or a real transcript; it skips the test when
// the real transcripts are not here.
func open(t testing.TB, name string) history {
	t.Helper()
	path := filepath.Join(realdata.Root(t), "assets", name)
	if !strings.HasPrefix(name, "samples/") {
		path = filepath.Join(realdata.Transcripts(t), name)
	}
	d, err := transcript.Open(context.Background(), path, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return history{name, d, d.Conversations[0].Main()}
}
