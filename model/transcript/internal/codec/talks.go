package codec

import (
	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// BlockRun is a run of content blocks that is one message.
type BlockRun struct {
	From, To   int // half-open; 0, 0: all of it
	Kind       model.Kind
	Compaction bool
}

// BlockRuns cuts a content value into messages. A string, and anything that is
// one message as a whole, gives one run or none.
func BlockRuns(m model.Message, content jspan.Value) []BlockRun {
	if content.Kind == jspan.String {
		if k := m.Kind; (k == model.KindUser || k == model.KindSystem) && IsSummaryText(content.TextN(MarkScan)) {
			return []BlockRun{{Kind: model.KindSummary}}
		}
		return nil
	}
	var runs []BlockRun
	for i, e := range content.Items {
		r := BlockRun{From: i, To: i + 1, Kind: m.Kind}
		alone := true
		switch e.Get("type").TextN(12) {
		case "tool_result":
			r.Kind = model.KindResult
		case "compaction":
			r.Kind, r.Compaction = model.KindSummary, true
		case "text":
			if alone = IsSummaryText(e.Get("text").TextN(MarkScan)); alone {
				r.Kind = model.KindSummary
			}
		default:
			alone = false
		}
		if n := len(runs); !alone && n > 0 && runs[n-1].Kind == m.Kind {
			runs[n-1].To = i + 1
			continue
		}
		runs = append(runs, r)
	}
	return runs
}
