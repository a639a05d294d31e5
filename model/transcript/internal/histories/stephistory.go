package histories

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// StepHistory reads the snapshot of a step history: its summaries, and behind
// them the steps that are kept in full. Both are spelled as in step records.
type StepHistory struct{ Steps }

func (StepHistory) Info() codec.Info {
	return codec.Info{Format: model.FormatStepHistory, Title: "Step history (snapshot)",
		How: "an object with recentDetailedHistory and summaryHistory"}
}

const detailLayer, summaryLayer = "recentDetailedHistory", "summaryHistory"

func isStepHistory(v jspan.Value) bool {
	return v.Kind == jspan.Object && v.Get(detailLayer).Kind == jspan.Array && v.Get(summaryLayer).Kind == jspan.Array
}

func (StepHistory) Recognise(s *codec.Sniff) (int, string) {
	if isStepHistory(s.Whole) || s.JSONLines && s.Share(isStepHistory) == 1 {
		return 96, "an object with recentDetailedHistory and summaryHistory"
	}
	return 0, ""
}

func (f StepHistory) Read(ctx context.Context, b *codec.Builder) error {
	return b.EachValue(ctx, func(v jspan.Value) {
		if !isStepHistory(v) {
			b.NoteAt(v, "unknown-record", "not the snapshot of a step history; it stays where it is")
			return
		}
		c := b.NewChat()
		defer c.Finish()
		c.Th.Saved = b.Span(v)
		n := int32(max(0, codec.Tokens(v.Get("totalSteps"))-v.Get(detailLayer).Count())) // are in summaries
		for _, name := range []string{summaryLayer, detailLayer} {
			layer := v.Get(name)
			array := b.Array(layer, model.Piece{})
			for i, e := range layer.Items {
				r, ok := asStep(e)
				if !ok {
					b.NoteAt(e, "unknown-record", "not a step record; it stays where it is")
					continue
				}
				b.Doc.Items++
				if !r.isSummary() {
					n++
				}
				f.record(c, e, r, b.Elem(array, i), n)
			}
		}
	})
}

// Relink puts summaries behind the others in their layer, and counts the steps
// that they replace.
func (f StepHistory) Relink(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error) {
	if len(c.Summaries) == 0 {
		return nil, nil
	}
	v, err := edit.ParseAt(d, th.Saved)
	if err != nil {
		return nil, err
	}
	if _, err := f.Steps.Relink(d, th, c, e); err != nil {
		return nil, err
	}
	list := edit.Within(th.Saved, v.Get(summaryLayer))
	index := slices.IndexFunc(d.Arrays, func(a model.Array) bool { return a.Off == list.Off })
	layer := d.Arrays[index]
	for _, s := range c.Summaries {
		at := model.Piece{Array: int32(index)}
		if n := len(layer.Elems); n > 0 {
			at.Span = layer.Elems[n-1]
		}
		if s.Layer == nil {
			ms := fmt.Append(nil, s.Time.UnixMilli())
			s.Layer = []json.RawMessage{edit.SpellLike(d, v.Get(detailLayer).Index(0)).
				Raw("startStep", spelledNumber(d, s.Steps[0])).Raw("endStep", spelledNumber(d, s.Steps[1])).
				Str("summary", s.Text).Raw("timestamp", ms).Str("strategy", string(model.ModelText)).
				Raw("keyPoints", []byte("[]")).Raw("firstTimestamp", ms).Raw("lastTimestamp", ms).Done()}
		}
		for _, b := range s.Layer {
			e.Insert(at, len(layer.Elems) > 0, b)
		}
		if x := v.Get("settings"); x.Exists() && s.Settings != nil {
			e.Replace(edit.Within(th.Saved, x), s.Settings)
		}
	}
	c.Summaries = nil
	done := v.Get("summarised")
	if done.Kind != jspan.Number {
		return nil, nil
	}
	went := map[int32]bool{}
	for _, i := range c.Drop {
		if n := th.Messages[i].Step; n > 0 {
			went[n] = true
		}
	}
	at := edit.Within(th.Saved, done)
	to := fmt.Sprint(codec.Tokens(done) + len(went))
	e.Replace(at, []byte(to))
	return []edit.Relink{{Off: at.Off, Field: "summarised", From: string(done.Raw()), To: to}}, nil
}
