package anthropic

import (
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// A person who types while Claude Code works fills a queue. Its lines are loose records:
//
//	enqueue  content   a prompt, or what a background task says
//	dequeue            the first begins a turn, and is written as a user record
//	remove             the first is shown to the model beside the results of its calls
//	remove   content   the one that says this is, if the reason is absorbed_mid_turn; else the person took it back
//	popAll   content   the person took it back to change it
//
// What is shown so has been written as an attachment since Claude Code 2.1.4x only. Of
// older sessions the queue's line is all that there is of the person's words.

// taskMark begins what a background task says in the queue of older sessions.
const taskMark = `{"task_id":`

// ccQueued is a prompt in the queue.
type ccQueued struct {
	text  string
	piece model.Piece
	when  int64
	line  int32
}

// queue takes in a line of the queue.
func (r *ccReader) queue(v jspan.Value, p model.Piece) {
	text := v.Get("content").Text()
	switch op := v.Get("operation").TextN(12); {
	case op == "enqueue":
		r.queued = append(r.queued, ccQueued{text, p, codec.Millis(v.Get("timestamp")), int32(r.Line)})
	case len(r.queued) == 0:
	case op == "dequeue":
		r.queued = r.queued[1:]
	case op == "remove":
		k := slices.IndexFunc(r.queued, func(q ccQueued) bool {
			return !v.Has("content") || strings.TrimSpace(q.text) == strings.TrimSpace(text)
		})
		if k < 0 {
			return
		}
		if reason := v.Get("reason").TextN(40); reason == "absorbed_mid_turn" || reason == "" && !v.Has("content") {
			p.Duplicate = true
			r.prompted(r.queued[k], model.KindUser, p)
		}
		r.queued = slices.Delete(r.queued, k, k+1)
	case op == "popAll":
		back := slices.DeleteFunc(slices.Clone(r.queued), func(q ccQueued) bool { return strings.Contains(text, q.text) })
		if len(back) == len(r.queued) {
			back = nil // what it says is not what was queued: all of it
		}
		r.queued = back
	}
}

// prompted makes a message of a prompt of the queue, and reports whether it is one. A command is for
// the program, and what a task says is no person's.
func (r *ccReader) prompted(q ccQueued, kind model.Kind, shown ...model.Piece) bool {
	said := strings.TrimSpace(model.Said(q.text))
	if model.Injected(q.text) || said == "" || strings.HasPrefix(said, "/") || strings.HasPrefix(said, taskMark) {
		return false
	}
	rec := ccRecord{kind: ccQueue, dup: -1, line: q.line, piece: q.piece, stored: -1, up: -1, prompt: r.promptHash(q.text)}
	rec.add(model.Message{Role: model.RoleUser, Kind: kind, Origin: model.OriginTyped, Name: queuedName, Time: q.when,
		Preview: codec.Preview(said), Pieces: slices.Insert(shown, 0, q.piece)})
	r.recs = append(r.recs, rec)
	return true
}

// shown is the attachment by which the model saw a prompt of the queue: one that is written after
// the prompt was queued, and maybe before it is removed.
func (r *ccReader) shown(i int) (at int32, ok bool) {
	at, ok = r.shownAs[r.recs[i].prompt]
	return at, ok && r.recs[i].kind == ccQueue && r.recs[at].piece.Off > r.recs[i].piece.Off
}

// joinShown lets the lines of the queue go where the attachment goes that has their prompt.
func (r *ccReader) joinShown(threads []*ccThread) {
	for i := range r.recs {
		if at, ok := r.shown(i); ok && r.recs[at].thread >= 0 && r.recs[at].stored >= 0 {
			rec := &r.recs[i]
			for _, p := range rec.messages[0].Pieces {
				threads[r.recs[at].thread].duplicate(r.recs[at].stored, p)
			}
		}
	}
}
