// Package repair is the screen of what keeps a session from being resumed, and of its mends.
package repair

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/sched"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/repair"
	"palimpsest/model/transcript"
)

// Screen shows the faults of one file:
//
//	how many stop it, how many do harm; where they are
//	tick │ line │ fault, and what comes of it │ its mend   │ after the mend
//	copy, write beside, write in its place
type Screen struct {
	w *screen.Host

	Open   bool
	path   string
	found  *session.Inspected // nil: it is being looked through
	err    error              // why it could not be
	marked *session.File      // that was looked through for the lists
	ticks  map[string]bool    // what a person ticked or did not, by the fault

	obj          *fyne.Container
	sign         *kit.Sign
	title, where *kit.Text
	strip        *strip
	all          *kit.Check
	List         *kit.List
	after        *fyne.Container
	ticked       *kit.Text
	write, place *kit.Button
}

// New makes the screen.
func New(w *screen.Host) *Screen {
	p := &Screen{w: w, sign: kit.NewSign(kit.GlyphInfo, kit.ColorMuted, 16), title: kit.NewText("", kit.ColorText, 18).Bold(),
		where: kit.NewText("", kit.ColorMuted, 13), strip: newStrip(), after: kit.Column(6), ticked: kit.NewText("", kit.ColorMuted, 13)}
	back := kit.NewButton(words.T("preview.back"), kit.Secondary, p.close).WithTip("preview.back.tip").Small()
	line := kit.Row(8, back, p.sign, p.title, kit.Spring(), p.where)
	head := kit.NewPane("", kit.Pad(8, 12, 8, 12, kit.Column(6, line, p.strip.box)))
	p.all = kit.NewCheck("", false, p.tickAll)
	p.List = kit.NewRows(116, p.count, func() (fyne.CanvasObject, func(int)) { return p.row() })
	p.List.OnTick = func(i int, _ bool) { p.tick(i) }
	faults := kit.NewPane("", kit.Column(0, p.heads(), kit.NewRule(), kit.Stretch(p.List)))
	result := kit.NewPane(words.T("repair.after"), kit.Pad(8, 12, 8, 12, p.after))
	p.write = kit.NewButton(words.T("repair.write"), kit.Primary, func() { p.mend(false) })
	p.place = kit.NewButton(words.T("repair.place"), kit.Secondary, p.askPlace)
	foot := kit.NewPane("", kit.Pad(8, 12, 8, 12, kit.Row(8, kit.NewButton(words.T("repair.copy"), kit.Secondary, p.copyList),
		kit.Spring(), p.ticked, p.place, p.write)))
	body := kit.NewSplit(false, faults, result, kit.KeepSecond, 304)
	w.Desk.Listen(desk.TopicSession, p.mark)
	w.Desk.Listen(desk.TopicFiles, p.mark)
	w.Commands.Bind(commands.Repair, p.Can, p.Show)
	p.obj = kit.Panes(kit.Sized(0, 92, head), kit.Stretch(body), kit.Sized(0, 48, foot))
	return p
}

// mark looks the present file through beside everything else, so that the lists can say that
// it can't be resumed.
func (p *Screen) mark() {
	e := p.w.Desk.Current()
	if e == nil || e.State != desk.Ready || !p.Can() || p.marked == e.File {
		return
	}
	path, o := e.Path, repair.Options{Read: transcript.Again(e.File.Doc)}
	p.marked = e.File
	sched.Run(p.w.Desk.Sched, "repair look", func(ctx context.Context, _ func(sched.Progress)) (int, error) {
		x, err := session.LookForFaults(ctx, path, o)
		if err != nil {
			return 0, err
		}
		defer x.Close()
		return x.Count(repair.Stops), nil
	}, func(n int, err error) {
		if err == nil && n != e.Stops {
			e.Stops = n
			p.w.Desk.Notify(desk.TopicFiles)
		}
	})
}

// Can reports whether there is a file to look through.
func (p *Screen) Can() bool {
	e := p.w.Desk.Current()
	if e == nil || e.Sample != "" || p.Open {
		return false
	}
	_, stored := session.ConversationID(e.Path)
	return !stored
}

// Show opens the screen for the present file.
func (p *Screen) Show() {
	if !p.Can() {
		return
	}
	p.Open, p.path, p.ticks = true, p.w.Desk.Current().Path, map[string]bool{}
	p.forget()
	p.w.Commands.Show(p.obj, p.close)
	p.look()
	p.w.Win.Canvas().Focus(p.List)
}

func (p *Screen) close() {
	p.Open = false
	p.forget()
	p.w.Commands.Hide()
}

func (p *Screen) forget() {
	if p.found != nil {
		p.found.Close()
	}
	p.found, p.err = nil, nil
}

// look looks the file through with the mends that are ticked.
func (p *Screen) look() {
	ticks := make(map[string]bool, len(p.ticks))
	for k, on := range p.ticks {
		ticks[k] = on
	}
	o := repair.Options{Mend: func(f *repair.Fault) bool {
		if on, said := ticks[f.Key()]; said {
			return on
		}
		return f.Proposed
	}}
	if e := p.w.Desk.Current(); e != nil && e.File != nil {
		o.Read = transcript.Again(e.File.Doc)
	}
	path := p.path
	p.show()
	sched.Run(p.w.Desk.Sched, "repair", func(ctx context.Context, _ func(sched.Progress)) (*session.Inspected, error) {
		return session.LookForFaults(ctx, path, o)
	}, func(x *session.Inspected, err error) {
		if errors.Is(err, context.Canceled) {
			return
		}
		if !p.Open || p.path != path {
			if x != nil {
				x.Close()
			}
			return
		}
		p.forget()
		p.found, p.err = x, err
		p.show()
	})
}

func (p *Screen) count() int {
	if p.found == nil {
		return 0
	}
	return len(p.found.Faults)
}

func (p *Screen) tick(i int) {
	if p.found == nil || i >= p.count() || p.found.Faults[i].NoMend != "" {
		return
	}
	f := p.found.Faults[i]
	p.ticks[f.Key()] = !f.Mended
	p.look()
}

// tickAll ticks all faults that have a mend, or none.
func (p *Screen) tickAll(on bool) {
	for i := range p.count() {
		p.ticks[p.found.Faults[i].Key()] = on
	}
	p.look()
}

// show shows what is known.
func (p *Screen) show() {
	x := p.found
	p.where.SetText(filepath.Base(p.path))
	title, glyph, ink := words.T("repair.looking"), kit.GlyphHalf, kit.ColorAccent
	switch {
	case p.err != nil:
		head, rest, _ := show.ErrorWords(p.err)
		title, glyph, ink = head+" "+rest, kit.GlyphError, kit.ColorError
	case x == nil:
	case x.Err != nil:
		_, rest, _ := show.ErrorWords(x.Err)
		title, glyph, ink = words.T("repair.unreadable", "why", rest), kit.GlyphError, kit.ColorError
	default:
		stops, harms := x.Count(repair.Stops), x.Count(repair.Harmful)
		switch {
		case stops > 0:
			title, glyph, ink = words.T("repair.stops", "count", stops), kit.GlyphError, kit.ColorError
		case harms > 0:
			title, glyph, ink = words.T("repair.harms", "count", harms), kit.GlyphWarning, kit.ColorWarning
		default:
			title, glyph, ink = words.T("repair.none", "count", len(repair.Rules())), kit.GlyphTick, kit.ColorKept
		}
		if stops > 0 && harms > 0 {
			title += " " + words.T("repair.more", "count", harms)
		}
		p.where.SetText(fmt.Sprintf("%s · %s · %s", filepath.Base(p.path), show.FormatTitle(x.Doc.Format),
			words.T("repair.lines", "count", x.Lines)))
	}
	p.sign.Set(glyph, ink)
	p.title.SetText(title)
	mends := 0
	p.strip.set(nil, 1)
	if x != nil {
		mends = x.Mended()
		p.strip.set(x.Faults, x.Lines)
	}
	p.all.SetOn(mends > 0 && mends == p.count())
	p.ticked.SetText(words.T("repair.ticked", "n", mends, "all", p.count()))
	can := x != nil && x.Err == nil && mends > 0
	p.write.SetEnabled(can)
	p.place.SetEnabled(can)
	p.result()
	p.List.Refresh()
	p.obj.Refresh()
}

// result shows what the file is after the mends.
func (p *Screen) result() {
	var list []fyne.CanvasObject
	if x := p.found; x != nil && x.Err == nil {
		number := func(key string, before, after int) {
			list = append(list, kit.Row(4, kit.Label(words.T(key)), kit.Spring(),
				kit.Sized(64, 0, kit.NewText(words.Int(int64(before)), kit.ColorMuted, 13).Right()),
				kit.Sized(64, 0, kit.NewText(words.Int(int64(after)), kit.ColorText, 13).Right())))
		}
		list = append(list, kit.Row(4, kit.Spring(), kit.Sized(64, 0, kit.NewText(words.T("repair.before"), kit.ColorMuted, 12).Right()),
			kit.Sized(64, 0, kit.NewText(words.T("repair.then"), kit.ColorMuted, 12).Right())))
		number("repair.records", x.Before.Records, x.After.Records)
		number("repair.calls", x.Before.Calls, x.After.Calls)
		number("repair.results", x.Before.Results, x.After.Results)
		number("repair.live", x.Before.Live, x.After.Live)
		read := words.T("repair.read", "format", show.FormatTitle(x.Doc.Format))
		list = append(list, kit.NewRule(), kit.NewText(read, kit.ColorText, 13).Bold().Fit())
		for _, r := range x.ByRule() {
			rule := words.T("repair.rule." + r.Rule)
			glyph, ink, said := kit.GlyphTick, kit.ColorKept, words.T("repair.gone", "rule", rule)
			if r.Left > 0 {
				glyph, ink, said = kit.GlyphWarning, kit.ColorWarning, words.T("repair.remains", "rule", rule, "count", r.Left)
			}
			list = append(list, kit.Row(6, kit.NewSign(glyph, ink, 13), kit.Stretch(kit.NewParagraph(said, kit.ColorText, 13, 2))))
		}
		kept, all := x.KeptBytes()
		said, ink := words.T("repair.clean"), kit.ColorKept
		if x.Worst() > repair.Harmless {
			said, ink = words.T("repair.left"), kit.ColorWarning
		}
		list = append(list, kit.NewParagraph(said, ink, 13, 3), kit.NewRule(),
			kit.NewText(words.T("repair.stay"), kit.ColorText, 13).Bold(),
			kit.NewParagraph(words.T("repair.bytes", "kept", words.Int(kept), "all", words.Int(all)), kit.ColorText, 13, 2),
			kit.NewParagraph(words.T("repair.stays"), kit.ColorMuted, 13, 4),
			kit.NewParagraph(words.T("repair.untried"), kit.ColorMuted, 13, 4))
	}
	p.after.Objects = list
	p.after.Refresh()
}

func (p *Screen) askPlace() {
	kit.Ask(p.w.Win.Canvas(), words.T("repair.place.title"), words.T("repair.place.means", "file", filepath.Base(p.path)),
		words.T("repair.place.do"),
		words.T("do.cancel"), kit.Primary, func() { p.mend(true) })
}

// mend writes the mended file, beside the source or in its place.
func (p *Screen) mend(place bool) {
	x, st := p.found, p.w.Desk.Store()
	if x == nil {
		return
	}
	p.found = nil // the file belongs to the work now
	to := session.Output{Path: session.Beside(p.path)}
	if place {
		to = session.Output{Path: p.path, ReplaceSource: true}
	}
	sched.Run(p.w.Desk.Sched, "repair write", func(ctx context.Context, _ func(sched.Progress)) (*session.Written, error) {
		defer x.Close()
		opt := session.Options{}
		var running []model.LiveSession
		if st != nil {
			opt.Store = st
			running, _ = st.Live(ctx, time.Now().Add(-model.LiveFor))
		}
		if place {
			if err := x.Busy(running, time.Now(), session.JustWritten); err != nil {
				return nil, err
			}
		}
		_, w, err := x.Mend(ctx, opt, to)
		return w, err
	}, func(w *session.Written, err error) {
		if err != nil {
			p.err = err
			p.show()
			return
		}
		p.w.Overlay.Toast(words.T("repair.written", "file", w.Path, "record", w.Record), "", nil)
		p.close()
		p.w.Desk.Add(w.Path)
	})
}

func (p *Screen) copyList() {
	var b strings.Builder
	for i := range p.count() {
		f := p.found.Faults[i]
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", words.T("repair.line", "n", f.Line), words.T("repair.rule."+f.Rule),
			words.T("repair.does."+string(f.Does)), f.Found)
	}
	kit.Copy(b.String())
	p.w.Overlay.Toast(words.T("shell.copied"), "", nil)
}
