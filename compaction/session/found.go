package session

import (
	"fmt"
	"strings"
	"time"

	"palimpsest/model"
	"palimpsest/model/tokens"
)

// FoundRecords are the compactions that the thread's own file holds, as records,
// the newest first. They are made when asked for and stored nowhere; what the file
// does not say is empty, and so is 0 for tokens.
func (t *CountedThread) FoundRecords() []model.Record {
	out := make([]model.Record, 0, len(t.thread.Found))
	for i := len(t.thread.Found) - 1; i >= 0; i-- {
		f := &t.thread.Found[i]
		r := model.Record{ID: fmt.Sprintf("F-%04d", i+1), UID: t.foundUID(i),
			Cause: model.CauseFound, Outcome: model.Applied, At: f.At, Reason: f.Cause}
		t.describeSource(&r)
		r.Counted = ""
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
		if rec := t.lineage.records[int32(f.Summary)]; rec != nil { // ours: it is stored
			r.Before, r.After, r.Counted, r.Parents = rec.Before, rec.After, rec.Counted, []string{rec.ID}
		}
		if f.Summary >= 0 {
			if text, err := t.searchText(int32(f.Summary)); err == nil {
				r.Summary = strings.TrimSpace(text)
			}
		}
		out = append(out, r)
	}
	return out
}

// foundUID names compaction i of those that the thread's file holds.
func (t *CountedThread) foundUID(i int) string {
	return fmt.Sprintf("found-%.16s-%d-%d-%d", t.file.Doc.Hash(), t.ref.Conversation, t.ref.Thread, i+1)
}
