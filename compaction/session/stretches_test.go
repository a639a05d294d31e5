package session

import (
	"testing"

	"pgregory.net/rapid"

	"palimpsest/model"
)

// Every message is counted once, and what a worker reads for a stretch it reads at once.
func TestStretchesHoldEveryMessageOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var messages []model.Message
		off := int64(0)
		for range rapid.IntRange(0, 200).Draw(t, "messages") {
			if rapid.IntRange(0, 20).Draw(t, "back") == 0 {
				off /= 2
			}
			off += int64(rapid.IntRange(0, 300).Draw(t, "gap"))
			n := int64(rapid.IntRange(1, 2000).Draw(t, "bytes"))
			m := model.Message{Pieces: []model.Piece{{Span: model.Span{Off: off, Len: n}}}}
			if rapid.IntRange(0, 20).Draw(t, "none") == 0 {
				m.Pieces = nil
			}
			messages = append(messages, m)
			off += n
		}
		s, at := stretches{messages: messages, most: 1500}, 0
		for at < len(messages) {
			from, to := s.next()
			if from != at || to <= from {
				t.Fatalf("from %d to %d behind %d of %d", from, to, at, len(messages))
			}
			begin := int64(-1)
			for _, m := range messages[from:to] {
				for _, p := range m.Pieces {
					if begin < 0 {
						begin = p.Off // one message alone may be longer
					} else if p.Off < begin || p.End()-begin > 1500 {
						t.Fatalf("a piece at %d to %d in a stretch from %d on", p.Off, p.End(), begin)
					}
				}
			}
			at = to
		}
		if from, to := s.next(); from != to {
			t.Fatal("there is more behind the end")
		}
	})
}
