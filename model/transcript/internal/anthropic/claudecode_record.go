package anthropic

import (
	"hash/maphash"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// ccKind is what a record is to the chain.
type ccKind uint8

const (
	ccLoose ccKind = iota // no chain record: a title, a snapshot
	ccUser
	ccAssistant
	ccSystem
	ccAttachment
	ccProgress
	ccQueue // a prompt that only a line of the queue has
)

// ccType is the kind that a record's type names.
func ccType(v jspan.Value) ccKind {
	switch v.Get("type").TextN(20) {
	case "user":
		return ccUser
	case "assistant":
		return ccAssistant
	case "system":
		return ccSystem
	case "attachment":
		return ccAttachment
	case "progress":
		return ccProgress
	}
	return ccLoose
}

// ccRecord is what the chain needs to know of a record. No text is kept. It holds no
// pointer: there are as many as lines, and the garbage collector would go through them.
type ccRecord struct {
	piece                 model.Piece
	prompt                uint64 // of the text of a user record, 0: none
	uuid, parent, logical ccText
	agent                 ccText
	msgID                 ccText // of the model's answer; blocks of one answer share it
	tool                  ccText // the call a progress record is about
	up                    int32  // the record that parent names, if it was known when this one was read; -1
	dup                   int32
	line                  int32
	bound                 int32 // of the reader's boundaries, from 1 on; 0: it is none
	thread                int32 // -1: of no thread yet
	stored                int32 // index of its first message in the thread; -1
	slab                  int32 // its messages: so many of a slab of the reader, from one on
	first, messages       int32
	kind                  ccKind
	weight                uint8 // of an assistant record's preview: text over calls over reasoning
	side                  bool  // isSidechain
	compared              bool  // it is the first of its uuid, and filed for the others
	root                  bool  // it says that nothing is before it
}

// ccBoundary is a compaction that the file records.
type ccBoundary struct {
	found      model.Found
	head, tail string   // first and last record that stay word for word
	anchor     string   // the record they are read behind: the summary
	kept       []string // records that stay word for word
	end        int      // the record that points past it to one that stays; 0: none does
}

// ccNamesake identifies one of the records of a UUID. A copy is one of whichever of them
// it equals, so that it stays a copy when others of them go.
type ccNamesake struct {
	uuid    int32 // its number
	kind    ccKind
	message uint64 // hash
}

// ccTask is a call that starts an agent.
type ccTask struct {
	call, name string
	rec        int32 // the record that makes the call
}

// SyntheticModel is what Claude Code calls itself where it answers in place of a
// model.
const SyntheticModel = "<synthetic>"

type ccReader struct {
	*codec.Builder
	recs []ccRecord
	ccKept
	callID codec.IDTable // of calls
	tools  []string      // by number of a call: the name of its tool
	tasks  map[uint64]*ccTask
	byCall map[string]*ccTask
	agents map[string]string // agent ID → type, as results report it
	seed   maphash.Seed
	items  int
	msgID  ccText // of the assistant record read last

	namesakes map[ccNamesake]int32 // records of uuids that occur more than once

	queued  []ccQueued       // what waits in the queue
	shownAs map[uint64]int32 // by hash of a queued prompt: the record that shows it to the model

	session, dir, model string
	sideModel           string // the last one of a sidechain
	custom, ai, summary string // titles, the better first
	leaf                string // the record a summary title is about
	midway              bool   // what the first record of the main line follows is not in the file
}

func newCCReader(b *codec.Builder) *ccReader {
	return &ccReader{Builder: b, tasks: map[uint64]*ccTask{}, byCall: map[string]*ccTask{}, agents: map[string]string{},
		shownAs: map[uint64]int32{},
		seed:    maphash.MakeSeed()}
}

// promptHash is how a prompt is found again; 0 for one that says nothing.
func (r *ccReader) promptHash(text string) uint64 {
	if text = strings.TrimSpace(text); text == "" {
		return 0
	}
	return maphash.String(r.seed, text) | 1
}

// parentOf is the uuid that a record points to, and the record of that uuid if
// it is known.
func (r *ccReader) parentOf(b []byte) (id ccText, up int32) {
	if len(b) == 0 {
		return 0, -1
	}
	if n := r.uuids.FindBytes(b); n >= 0 {
		return ccText(n + 1), r.firsts[n]
	}
	return r.keep(r.Intern(string(b))), -1
}

// agentOf keeps the name of an agent, which is mostly that of the record before.
func (r *ccReader) agentOf(b []byte) ccText {
	if n := len(r.recs); n > 0 && r.text(r.recs[n-1].agent) == codec.ViewOf(b) {
		return r.recs[n-1].agent
	}
	return r.keep(r.TextOf(b))
}

// register files a record under its uuid, or notes that the UUID was there before.
func (r *ccReader) register(rec *ccRecord, v jspan.Value) {
	uuid := v.Get("uuid").Bytes()
	if len(uuid) == 0 {
		return
	}
	n, fresh := r.uuids.FindOrAdd(codec.ViewOf(uuid))
	rec.uuid = ccText(n + 1)
	if fresh {
		r.firsts = append(r.firsts, int32(len(r.recs)))
		return
	}
	why := "another record with the same uuid; both are kept, the first one counts in the chain"
	r.compare(n)
	like := ccNamesake{n, rec.kind, maphash.Bytes(r.seed, v.Get("message").Raw())}
	if earlier, ok := r.namesakes[like]; ok {
		rec.dup = earlier
		why = "a copy of an earlier record with the same uuid; kept, and not counted twice"
	} else {
		r.namesakes[like] = int32(len(r.recs))
	}
	r.Note("duplicate-id", why)
}

// compare files the first record of a uuid under its message, once another one
// is to be compared with it. It reads that record once more, the first time only,
// so that no file, however many copies it holds, is read more than twice.
func (r *ccReader) compare(n int32) {
	first := &r.recs[r.firsts[n]]
	if first.compared {
		return
	}
	first.compared = true
	if r.namesakes == nil {
		r.namesakes = map[ccNamesake]int32{}
	}
	if v, err := edit.ParsePiece(r.Doc, first.piece); err == nil {
		r.namesakes[ccNamesake{n, first.kind, maphash.Bytes(r.seed, v.Get("message").Raw())}] = r.firsts[n]
	}
}

func (r *ccReader) titles(v jspan.Value) {
	if s := v.Get("customTitle").TextN(200); s != "" {
		r.custom = codec.Preview(s)
	}
	switch v.Get("type").TextN(12) {
	case "ai-title":
		if s := codec.FirstOf(v.Get("aiTitle").TextN(200), v.Get("title").TextN(200)); s != "" {
			r.ai = codec.Preview(s)
		}
	case "summary":
		if s := v.Get("summary").TextN(200); s != "" {
			r.summary, r.leaf = codec.Preview(s), v.Get("leafUuid").Text()
		}
	}
}
