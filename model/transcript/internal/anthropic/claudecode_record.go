package anthropic

import (
	"hash/maphash"
	"slices"
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

// ccRecord is what the chain needs to know of a record.
type ccRecord struct {
	piece                 model.Piece
	prompt                uint64 // of the text of a user record, 0: none
	uuid, parent, logical string
	agent                 string
	msgID                 string // of the model's answer; blocks of one answer share it
	tool                  string // the call a progress record is about
	bound                 *ccBoundary
	messages              []model.Message
	up                    int32 // the record that parent names, if it was known when this one was read; -1
	dup                   int32
	line                  int32
	thread                int32 // -1: of no thread yet
	stored                int32 // index of its first message in the thread; -1
	kind                  ccKind
	weight                uint8 // of an assistant record's preview: text over calls over reasoning
	side                  bool  // isSidechain
	compared              bool  // it is the first of its uuid, and filed for the others
	root                  bool  // it says that nothing is before it
}

// add gives the record one more message.
func (rec *ccRecord) add(m model.Message) { rec.messages = append(rec.messages, m) }

// answers reports whether the record holds a tool result.
func (rec *ccRecord) answers() bool {
	return len(rec.messages) > 0 && rec.messages[0].Kind == model.KindResult
}

// addCalls adds the ids of the calls that the record makes.
func (rec *ccRecord) addCalls(ids map[string]bool) {
	for _, m := range rec.messages {
		for _, c := range m.Calls {
			if c.ID != "" {
				ids[c.ID] = true
			}
		}
	}
}

// isMark reports whether the record only marks a compaction.
func (rec *ccRecord) isMark() bool {
	return !slices.ContainsFunc(rec.messages, func(m model.Message) bool { return m.Kind != model.KindBoundary })
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
	uuid    string
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
	recs   []ccRecord
	firsts map[string]int32  // by uuid: its first record
	tools  map[string]string // by id of a call: the name of its tool
	tasks  map[uint64]*ccTask
	byCall map[string]*ccTask
	agents map[string]string // agent ID → type, as results report it
	seed   maphash.Seed
	items  int
	msgID  string // of the assistant record read last

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
	return &ccReader{Builder: b, firsts: map[string]int32{}, tools: map[string]string{},
		tasks: map[uint64]*ccTask{}, byCall: map[string]*ccTask{}, agents: map[string]string{},
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

// byUUID is the first record of a uuid.
func (r *ccReader) byUUID(uuid string) (int32, bool) {
	if n, ok := r.firsts[uuid]; ok {
		return n, true
	}
	return -1, false
}

// parentOf is the uuid that a record points to, and the record of that uuid if
// it is known.
func (r *ccReader) parentOf(b []byte) (id string, up int32) {
	if up, ok := r.byUUID(codec.ViewOf(b)); ok {
		return r.recs[up].uuid, up
	}
	return r.TextOf(b), -1
}

// agentOf keeps the name of an agent, which is mostly that of the record before.
func (r *ccReader) agentOf(b []byte) string {
	if n := len(r.recs); n > 0 && r.recs[n-1].agent == codec.ViewOf(b) {
		return r.recs[n-1].agent
	}
	return r.TextOf(b)
}

// register files a record under its uuid, or notes that the UUID was there before.
func (r *ccReader) register(rec *ccRecord, v jspan.Value) {
	rec.uuid = v.Get("uuid").Text()
	for i := range rec.messages {
		m := &rec.messages[i]
		m.ID, m.ParentID, m.Time = rec.uuid, rec.parent, codec.Millis(v.Get("timestamp"))
	}
	if rec.uuid == "" {
		return
	}
	first, known := r.firsts[rec.uuid]
	if !known {
		r.firsts[rec.uuid] = int32(len(r.recs))
		return
	}
	why := "another record with the same uuid; both are kept, the first one counts in the chain"
	r.compare(first)
	like := ccNamesake{rec.uuid, rec.kind, maphash.Bytes(r.seed, v.Get("message").Raw())}
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
func (r *ccReader) compare(at int32) {
	first := &r.recs[at]
	if first.compared {
		return
	}
	first.compared = true
	if r.namesakes == nil {
		r.namesakes = map[ccNamesake]int32{}
	}
	if v, err := edit.ParsePiece(r.Doc, first.piece); err == nil {
		r.namesakes[ccNamesake{first.uuid, first.kind, maphash.Bytes(r.seed, v.Get("message").Raw())}] = at
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
