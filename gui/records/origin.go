package records

import (
	"cmp"
	"strings"

	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// recordOrigin shows what a record did and where it is from: every value whole,
// in as many lines as it needs, but for hashes, of which a press copies all.
type recordOrigin struct {
	d      *State
	obj    *container.Scroll
	copied func()
	*kit.Facts
}

func newRecordOrigin(d *State, copied func()) *recordOrigin {
	o := &recordOrigin{d: d, Facts: kit.NewFacts(originName), copied: copied}
	o.obj = container.NewVScroll(kit.Pad(8, 10, 8, 14, o.Box))
	return o
}

// The measures of a row.
const (
	originName  = 94 // width of the names
	originLines = 6  // the most of one value
)

// add shows a value, unless there is none.
func (o *recordOrigin) add(key, value string) {
	if value != "" {
		o.Add(words.T(key), kit.Means(kit.NewParagraph(value, kit.ColorText, 12, originLines), "records.origin.means"))
	}
}

// known shows a value also when there is none.
func (o *recordOrigin) known(key, value string) {
	o.add(key, cmp.Or(value, words.T("records.notRecorded")))
}

// hash shows as much of a hash as there is room for.
func (o *recordOrigin) hash(key, value string) {
	if value == "" {
		return
	}
	row := kit.NewPressRow(19, kit.NewText(value, kit.ColorText, 11).Mono().Fit(), func() {
		kit.Copy(value)
		o.copied()
	})
	row.SetTip(words.T("records.hash.tip", "hash", value))
	o.Add(words.T(key), row)
}

// show lists what is known of a record; nil: nothing. nested is what its summary
// covers, nil while that is not known.
func (o *recordOrigin) show(rec *model.Record, nested *session.Nested) {
	o.Clear()
	if rec != nil {
		o.effect(rec, nested)
		o.provenance(rec)
	}
	for range 2 { // the height of a paragraph follows its width
		o.obj.Refresh()
	}
}

// messagesWords are how many messages there were before a record, and after it.
func messagesWords(rec *model.Record) string {
	switch was, left := words.Int(int64(rec.Before.Messages)), words.Int(int64(rec.After.Messages)); {
	case rec.Before.Messages == 0:
		return ""
	case rec.After.Messages == 0:
		return was
	default:
		return was + " → " + left
	}
}

// effect shows what the list has no column for.
func (o *recordOrigin) effect(rec *model.Record, nested *session.Nested) {
	o.Head(words.T("records.effect"))
	o.add("records.messages", messagesWords(rec))
	if span, differs := nested.Beyond(); differs {
		o.add("records.reach", words.T("records.reach.is", "span", show.SpanWords(span.From+1, span.To)))
	}
	o.add("records.reason", show.RecordReason(rec))
}

func (o *recordOrigin) provenance(rec *model.Record) {
	found := rec.Cause == model.CauseFound
	o.Head(words.T("records.provenance"))
	o.add("records.origin", words.T(map[bool]string{true: "records.origin.file", false: "records.origin.here"}[found]))
	if found {
		o.known("records.preset", "")
		o.known("records.strategy", "")
		o.known("records.model", rec.Model)
	} else {
		o.add("records.preset", show.RecordPreset(rec))
		o.add("records.strategy", words.T("strategy."+string(rec.Strategy)))
		o.add("records.model", cmp.Or(rec.Model, words.T("records.noModel")))
	}
	if a := rec.Asked; a != nil {
		o.add("records.call", words.T("records.call.tokens", "in", words.TokensOf(int64(a.Input), a.Input > 0, true),
			"out", words.TokensOf(int64(a.Output), a.Output > 0, true)))
	}
	o.known("records.counted", show.CounterOfRecord(rec))
	o.add("records.at", words.Int(int64(rec.At)))
	if !found {
		o.add("records.edited", map[bool]string{true: words.T("records.yes"), false: words.T("records.no")}[rec.Edited])
	}
	if rec.Duration > 0 {
		o.add("records.took", words.Duration(rec.Duration))
	}
	o.add("records.base", rec.Base)
	o.add("records.again", rec.Again)
	o.add("records.parents", strings.Join(rec.Parents, ", "))
	o.add("records.file", rec.Path)
	o.hash("records.inputSHA", rec.SourceSHA)
	if rec.RangeSHA == "" {
		o.known("records.rangeSHA", "")
	}
	o.hash("records.rangeSHA", rec.RangeSHA)
	o.add("records.output", rec.Output)
	o.hash("records.outputSHA", rec.OutputSHA)
}
