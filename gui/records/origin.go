package records

import (
	"cmp"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// recordOrigin shows what a record did and where it is from: every value whole,
// in as many lines as it needs, but for hashes, of which a press copies all.
type recordOrigin struct {
	d      *State
	obj    *container.Scroll
	rows   *fyne.Container
	copied func()
}

func newRecordOrigin(d *State, copied func()) *recordOrigin {
	o := &recordOrigin{d: d, rows: kit.Flow(1), copied: copied}
	o.obj = container.NewVScroll(container.New(originBox{}, o.rows))
	return o
}

// originBox leaves room around the rows. When their height follows from the
// width they get, the scroll asks for it again.
type originBox struct{}

// MinSize is Fyne's.
func (originBox) MinSize(o []fyne.CanvasObject) fyne.Size {
	m := o[0].MinSize()
	return fyne.NewSize(0, m.Height+kit.Px(16))
}

// Layout is Fyne's.
func (originBox) Layout(o []fyne.CanvasObject, s fyne.Size) {
	o[0].Move(fyne.NewPos(kit.Px(14), kit.Px(8)))
	o[0].Resize(fyne.NewSize(max(0, s.Width-kit.Px(24)), s.Height-kit.Px(16)))
}

// The measures of a row.
const (
	originName  = 94 // width of the names
	originLine  = 19
	originLines = 6 // the most of one value
)

func (o *recordOrigin) head(key string) {
	o.rows.Add(kit.Pad(5, 0, 3, 0, kit.NewText(show.Upper(words.T(key)), kit.ColorFaint, 11).Bold()))
}

// add shows a value, unless there is none.
func (o *recordOrigin) add(key, value string) {
	if value != "" {
		text := kit.NewParagraph(value, kit.ColorText, 12, originLines)
		o.rows.Add(container.New(originCells{}, kit.NewText(words.T(key), kit.ColorMuted, 12).Fit(),
			kit.Means(text, "records.origin.means")))
	}
}

// figure shows a figure with its card.
func (o *recordOrigin) figure(key string, f figure.Figure, text string) {
	w := kit.NewFigure(kit.ColorText, 12).Fit()
	show.PutFigure(w, o.d, f, text, show.ShareInk(f))
	o.rows.Add(container.New(originCells{}, kit.NewText(words.T(key), kit.ColorMuted, 12).Fit(), w))
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
	row := kit.NewPressRow(originLine, container.New(originCells{}, kit.NewText(words.T(key), kit.ColorMuted, 12).Fit(),
		kit.NewText(value, kit.ColorText, 11).Mono().Fit()), func() {
		kit.Copy(value)
		o.copied()
	})
	row.SetTip(words.T("records.hash.tip", "hash", value))
	o.rows.Add(row)
}

// originCells puts the name beside the first line of its value.
type originCells struct{}

// MinSize is Fyne's.
func (originCells) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, max(kit.Px(originLine), o[1].MinSize().Height+kit.Px(3)))
}

// Layout is Fyne's.
func (originCells) Layout(o []fyne.CanvasObject, s fyne.Size) {
	name := kit.Px(originName)
	o[0].Move(fyne.NewPos(0, 0))
	o[0].Resize(fyne.NewSize(name, kit.Px(originLine)))
	top := float32(0)
	if h := o[1].MinSize().Height; h < kit.Px(originLine) {
		top = (kit.Px(originLine) - h) / 2
	}
	o[1].Move(fyne.NewPos(name+kit.Px(6), top))
	o[1].Resize(fyne.NewSize(max(0, s.Width-name-kit.Px(6)), s.Height-top))
}

// show lists what is known of a record; nil: nothing. nested is what its summary
// covers, nil while that is not known.
func (o *recordOrigin) show(rec *model.Record, nested *session.Nested) {
	o.rows.Objects = nil
	if rec != nil {
		o.effect(rec, nested)
		o.provenance(rec)
	}
	o.rows.Refresh()
	o.obj.Refresh()
	o.obj.Refresh() // the values have their width, and so their heights, only now
}

// size shows a size, or why it is not known.
func (o *recordOrigin) size(key string, f figure.Figure) {
	text := ""
	if !f.Known() {
		text = show.WhyMissing(f)
	}
	o.figure(key, f, text)
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

func (o *recordOrigin) effect(rec *model.Record, nested *session.Nested) {
	f := figures.OfRecord(rec)
	o.head("records.effect")
	o.size("records.before", f.Before)
	o.size("records.after", f.After)
	o.add("records.messages", messagesWords(rec))
	if f.Saved.Known() {
		o.figure("records.saved", f.Saved, "")
	}
	if f.Survives.Known() {
		o.figure("records.survives", f.Survives, show.CountedShare("result.ofFacts", f.Survives))
	}
	if rec.Covered > 0 && rec.Cause != model.CauseRestore {
		went := show.Went(rec.Messages(), rec.Formers)
		if rec.Range.To > rec.Range.From {
			went += ", " + show.SpanWords(rec.Range.From+1, rec.Range.To)
		}
		o.add("records.went", went)
	}
	if span, differs := nested.Beyond(); differs {
		o.add("records.reach", words.T("records.reach.is", "span", show.SpanWords(span.From+1, span.To)))
	}
	o.add("records.reason", show.RecordReason(rec))
}

func (o *recordOrigin) provenance(rec *model.Record) {
	found := rec.Cause == model.CauseFound
	o.head("records.provenance")
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
	if rec.Asked != nil {
		o.add("records.call", askedWords(rec.Asked))
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

// askedWords shows what a model was sent and answered.
func askedWords(a *model.Asked) string {
	return words.T("records.call.tokens", "in", words.TokensOf(int64(a.Input), a.Input > 0, true), "out",
		words.TokensOf(int64(a.Output), a.Output > 0, true))
}
