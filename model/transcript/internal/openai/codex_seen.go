package openai

import (
	"bytes"
	"hash/maphash"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// codexSeen is what can be known of a record without those before it.
type codexSeen struct {
	payload jspan.Value
	when    int64
	kind    codexKind
	event   byte   // of codexSaid: whose words are repeated
	hash    uint64 // of them
	item    codexItem
	count   codexCount
}

// codexKind is what a record is to the history.
type codexKind uint8

const (
	codexOther codexKind = iota // nothing
	codexBare                   // a record of the flat form that is no item
	codexMeta
	codexTurn
	codexItemRecord
	codexCompacted
	codexEvent
	codexSaid    // an event that repeats words of a message
	codexCounted // an event that reports usage
)

// codexItem is what can be known of an item without those before it.
type codexItem struct {
	kind      codec.ItemKind
	assistant bool       // it is a part of an answer
	calls     bool       // … and makes call
	words     bool       // … and says something
	failed    bool       // of a result
	loads     bool       // of a result
	hash      uint64     // of the words
	id        string     // kept
	preview   string     // of words or of a result; kept
	callID    []byte     // of a result
	call      model.Call // kept
}

// codexCount is the usage that an event reports.
type codexCount struct {
	window int
	usage  model.Usage
	known  bool   // there is one of the latest call
	total  uint64 // hash of that of all calls
}

// codexSeer looks at records.
type codexSeer struct {
	codec.Texts
	seed    maphash.Seed
	seen    []codexSeen
	taken   int    // of the records that were seen
	scratch []byte // for texts that are only hashed
}

// Reset implements [codec.Seer].
func (s *codexSeer) Reset() { s.seen, s.taken = s.seen[:0], 0 }

// next is what was seen of the record that comes next.
func (s *codexSeer) next() *codexSeen {
	s.taken++
	return &s.seen[s.taken-1]
}

// See implements [codec.Seer].
func (s *codexSeer) See(v jspan.Value) {
	s.seen = append(s.seen, codexSeen{})
	x := &s.seen[len(s.seen)-1]
	x.payload, x.when = v.Get("payload"), codec.Millis(v.Get("timestamp"))
	if x.payload.Kind != jspan.Object {
		if x.kind = codexBare; IsBareItem(v) || codec.KindOfItem(v) != codec.ItemOther {
			x.kind, x.payload = codexItemRecord, v
			s.item(v, &x.item)
		}
		return
	}
	switch string(v.Get("type").Bytes()) {
	case "session_meta":
		x.kind = codexMeta
	case "turn_context":
		x.kind = codexTurn
	case "response_item":
		x.kind = codexItemRecord
		s.item(x.payload, &x.item)
	case "event_msg":
		s.eventOf(x.payload, x)
	case "compacted":
		x.kind = codexCompacted
	}
}

func (s *codexSeer) item(v jspan.Value, x *codexItem) {
	x.kind, x.id = codec.KindOfItem(v), s.ID(v.Get("id"))
	x.assistant = x.kind == codec.ItemAnswer || x.kind == codec.ItemMessage && v.Get("role").Is("assistant")
	switch {
	case x.kind == codec.ItemResult:
		x.callID, x.failed, x.loads = v.Get("call_id").Bytes(), s.Failed(v), codec.LoadsTools(v)
		if len(x.callID) == 0 {
			x.call.Name = s.Text(v.Get("name"))
		}
		if o := codec.OutputOf(v); o.Kind == jspan.String {
			x.preview = s.Preview(o)
		} else if p := codec.OutputParts(v, nil); len(p) > 0 {
			x.preview = codec.Preview(p[0].Text[:codec.CutRunes(p[0].Text, codec.PreviewScan)])
		}
	case x.assistant && x.kind == codec.ItemMessage:
		if text := s.joinedText(v); len(text) > 0 {
			x.words, x.preview, x.hash = true, s.PreviewOf(text), s.textHash('a', text)
		}
	case x.assistant:
		x.call, x.calls = s.CallOf(v)
	}
}

// eventOf looks at a record of the stream that is meant for a screen.
func (s *codexSeer) eventOf(v jspan.Value, x *codexSeen) {
	x.kind = codexSaid
	switch string(v.Get("type").Bytes()) {
	case "user_message":
		x.event, x.hash = 'u', s.textHash('u', v.Get("message").Bytes())
	case "agent_message":
		x.event, x.hash = 'a', s.textHash('a', v.Get("message").Bytes())
	case "agent_reasoning", "agent_reasoning_raw_content":
		x.event, x.hash = 'r', s.textHash('r', v.Get("text").Bytes())
	case "token_count":
		x.kind = codexCounted
		info := v.Get("info")
		last := info.Get("last_token_usage")
		x.count = codexCount{window: int(info.Get("model_context_window").Int()), known: last.Kind == jspan.Object}
		if x.count.known {
			x.count.usage = model.Usage{Input: int(last.Get("input_tokens").Int()), CacheRead: int(last.Get("cached_input_tokens").Int()),
				Output: int(last.Get("output_tokens").Int()), Reasoning: int(last.Get("reasoning_output_tokens").Int())}
			x.count.total = maphash.Bytes(s.seed, info.Get("total_token_usage").Raw())
		}
	default:
		x.kind = codexEvent
	}
}

func (s *codexSeer) textHash(what byte, text []byte) uint64 {
	var h maphash.Hash
	h.SetSeed(s.seed)
	h.WriteByte(what)
	h.Write(bytes.TrimSpace(text))
	return h.Sum64()
}

// joinedText is all text of a message item, as events repeat it: without the tags around an
// image. It is good until the next call.
func (s *codexSeer) joinedText(v jspan.Value) []byte {
	content := v.Get("content")
	if content.Kind == jspan.String {
		return content.Bytes()
	}
	s.scratch = s.scratch[:0]
	for _, c := range content.Items {
		if t, ok := codec.ContentText(c); ok && !bytes.HasPrefix(t.Bytes(), []byte("<image name=")) && !t.Is("</image>") {
			s.scratch = t.AppendText(s.scratch)
		}
	}
	return s.scratch
}
