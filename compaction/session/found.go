package session

import (
	"fmt"
	"strings"
	"time"

	"palimpsest/model"
	"palimpsest/model/tokens"
)

// FoundRecords are the compactions that the thread's own file tells of, as
// records, the newest first. They are made when asked for and stored nowhere;
// what the file does not tell is empty, and 0 for tokens means that.
func (s *Session) FoundRecords() []model.Record {
	doc := s.file.Doc
	out := make([]model.Record, 0, len(s.thread.Found))
	for i := len(s.thread.Found) - 1; i >= 0; i-- {
		f := &s.thread.Found[i]
		r := model.Record{ID: fmt.Sprintf("F-%04d", i+1), UID: s.foundUID(i),
			Session: s.file.Title(s.ref.Conversation), Path: doc.Path, Format: doc.Format, SourceSHA: doc.Hash(), SourceSize: doc.Size,
			Conversation: s.ref.Conversation, Thread: s.ref.Thread, Agent: s.thread.AgentID,
			Cause: model.CauseFound, Outcome: model.Applied, At: f.At, Reason: f.Cause}
		if f.Time != 0 {
			r.Time = time.UnixMilli(f.Time).UTC()
		}
		if f.Before != nil {
			r.Before.Tokens = int64(*f.Before)
		}
		if f.After != nil {
			r.After.Tokens = int64(*f.After)
		}
		if r.Before.Tokens+r.After.Tokens > 0 {
			r.Counted = tokens.Reported.String()
		}
		if f.Summary >= 0 {
			if text, err := s.wholeText(int32(f.Summary)); err == nil {
				r.Summary = strings.TrimSpace(text)
			}
		}
		out = append(out, r)
	}
	return out
}

// foundUID names compaction i of those that the thread's file tells of.
func (s *Session) foundUID(i int) string {
	return fmt.Sprintf("found-%.16s-%d-%d-%d", s.file.Doc.Hash(), s.ref.Conversation, s.ref.Thread, i+1)
}
