package gui

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize/blocks"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/preview"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// previewAt opens the preview of the long sample at its middle, with facts indexed.
func previewAt(t *testing.T, strategy model.Strategy) *stage {
	t.Helper()
	s := newStage(t)
	s.Desk.Planning.Set(func(q *model.Policy) { q.Strategy = strategy })
	s.Desk.Planning.SetAt(330)
	s.settle()
	s.Commands.Run(commands.Preview)
	s.settle()
	if s.Desk.DraftSet.DraftLines() == nil || s.Desk.Survival() == nil {
		t.Fatal("the draft is not read")
	}
	return s
}

// litMessages is how many originals are lit.
func litMessages(p *preview.Screen) (n int) {
	for i := range p.Originals().Len() {
		if p.Originals().Row(i).Lit {
			n++
		}
	}
	return n
}

// What was done in the preview leaves its button as it was: it opens it again.
func TestThePreviewCanBeOpenedAgain(t *testing.T) {
	s := previewAt(t, model.NoteText)
	s.Desk.Planning.Set(func(q *model.Policy) { q.Budget = model.Amount{N: 6000, Unit: model.Tokens} }) // a plan that is made meanwhile
	s.settle()
	s.press("Esc")
	s.settle()
	s.tap(words.T("do.preview"))
	if !s.preview.Open {
		t.Error("the preview stays closed")
	}
}

// A key of a screen that is open already does nothing and says nothing.
func TestTheKeyOfAnOpenScreen(t *testing.T) {
	s := previewAt(t, model.NoteText)
	s.press("Esc")
	s.settle()
	for _, id := range []string{commands.Preview, commands.Why} {
		s.Commands.Run(id)
		s.settle()
		if !s.InSheet() || !s.Commands.Enabled(id) {
			t.Errorf("%s says of its open screen that it can't be opened", id)
		}
		s.Commands.Run(id)
		s.press("Esc")
		s.settle()
		if s.InSheet() {
			t.Errorf("%s opened its screen twice", id)
		}
	}
}

// Each message of the plan is shown once or is one of those that a row represents;
func TestOriginalsAreAllThere(t *testing.T) {
	s := previewAt(t, model.NoteText)
	pl := s.Desk.Planning.Plan()
	for _, fold := range []bool{false, true} {
		if fold {
			s.preview.FoldEvery(true)
		}
		for fate := range model.Fates {
			s.preview.ToggleFate(fate + 1)
			want, got := 0, 0
			for _, r := range pl.Runs.All() {
				if r.Fate == model.Fates[fate] {
					want += r.To - r.From
				}
			}
			var tokens int64
			o := s.preview.Originals()
			for _, l := range o.Lines {
				if f := pl.Runs.At(l.Run).Fate; f != model.Fates[fate] {
					t.Errorf("the filter of %v shows %v", model.Fates[fate], f)
				}
				switch {
				case l.Rest > 0:
					got += l.Rest
				case l.Fold == kit.FoldOpen: // its messages follow
				default:
					got += l.To - l.From
				}
				if l.Fold != kit.FoldOpen {
					tokens += l.Tokens
				}
			}
			var sum int64
			for _, r := range pl.Runs.All() {
				if r.Fate == model.Fates[fate] {
					sum += r.Tokens
				}
			}
			if got != want || tokens != sum {
				t.Errorf("folded %v, fate %v: %d of %d messages, %d of %d tokens", fold, model.Fates[fate], got, want, tokens, sum)
			}
			s.preview.ToggleFate(fate + 1)
		}
	}
}

// What a line was made from is lit while the line is pointed at, and the other way
// round; what is chosen stays lit until Esc.
func TestBothSidesLight(t *testing.T) {
	s := previewAt(t, model.NoteText)
	p := s.preview
	lit := func() int { return litMessages(p) }
	lines := 0
	for i, r := range p.Result().Rows {
		if r.Kind != preview.AfterLine {
			continue
		}
		p.After.OnHover(i)
		shown := 0
		for _, h := range p.Result().Sources(i) {
			if j := slices.IndexFunc(p.Originals().Lines, func(l preview.OriginalLine) bool {
				return l.Fold == kit.FoldNone && p.Originals().Plan.Line.History(l.From) == h
			}); j >= 0 {
				shown++
			}
		}
		if lit() != shown {
			t.Errorf("line %d: %d messages lit, made from %d that are listed", i, lit(), shown)
		}
		lines += min(shown, 1)
		p.After.OnHover(-1)
	}
	if lines < 5 || lit() != 0 {
		t.Errorf("%d lines light something, %d messages stay lit", lines, lit())
	}
	for i := range p.Originals().Lines { // what is made from a message that is lit is lit, too
		p.Before.OnHover(i)
		if lit() > 0 && !slices.ContainsFunc(rowsOf(p), p.IsLit) {
			t.Errorf("message at row %d is lit, and nothing made from it", i)
		}
		p.Before.OnHover(-1)
	}
	i := slices.IndexFunc(p.Result().Rows, func(r preview.AfterRow) bool { return r.Kind == preview.AfterBlock })
	for ; i < len(p.Result().Rows); i++ {
		if p.After.OnSelect(i); lit() > 0 {
			break
		}
	}
	s.press("Esc")
	if lit() > 0 || !p.Open {
		t.Errorf("after Esc %d messages are lit, open %v", lit(), p.Open)
	}
}

// The way from a row to what can be done with it leads over the row's own edge.
func TestWhatARowOffersCanBePressed(t *testing.T) {
	s := previewAt(t, model.NoteText)
	p := s.preview
	was := s.Desk.DraftSet.Draft().Text.Text
	due := func() {}
	s.Overlay.After = func(_ time.Duration, f func()) func() { due = f; return func() {} }
	row := slices.IndexFunc(p.Result().Rows, func(r preview.AfterRow) bool { return r.Kind == preview.AfterLine })
	link := func() (found *kit.Link) {
		walk(p.After, nil, func(o fyne.CanvasObject, _ []fyne.CanvasObject) {
			if l, ok := o.(*kit.Link); ok && l.Text() == words.T("preview.remove") {
				found = l
			}
		})
		return found
	}
	if link() != nil {
		t.Fatal("actions are shown before the pointer is over a row")
	}
	lit := func() int { return litMessages(p) }
	p.After.OnHover(row)
	over := lit()
	p.After.OnHover(-1) // the link is another object
	l := link()
	if l == nil {
		t.Fatal("the link went when the pointer came to it")
	}
	left := due
	l.MouseIn(&desktop.MouseEvent{})
	if left(); link() == nil {
		t.Error("the link went while the pointer was over it")
	}
	if lit() != over {
		t.Errorf("over the link %d messages are lit, over its row %d", lit(), over)
	}
	l.MouseOut()
	if due(); link() != nil {
		t.Error("what a row offers stays when the pointer has left")
	}
	p.After.OnHover(row)
	l = link()
	l.Tapped(nil)
	s.settle()
	if s.Desk.DraftSet.Draft().Text.Text == was {
		t.Error("nothing was removed")
	}
	l.MouseOut()
}

// The size of a draft and its budget have all their digits, both.
func TestTheHeadOfADraftSpellsItsNumbersAlike(t *testing.T) {
	s := previewAt(t, model.NoteText)
	dr := s.Desk.DraftSet.Draft()
	if dr.Text.Tokens < 1000 {
		t.Fatalf("a short text of %d tokens", dr.Text.Tokens)
	}
	s.sees(fmt.Sprintf("Summary ~%s of %s tokens", words.Int(int64(dr.Text.Tokens)), words.Int(int64(dr.Plan.Policy.BudgetInForce().N))))
}

// What was needed later is put back at one press and survives; one undo takes it out
// again, and the lists agree with the survival at each step.
func TestPutBack(t *testing.T) {
	s := previewAt(t, model.NoteText)
	was := s.Desk.DraftSet.Draft()
	agree := func() {
		t.Helper()
		v := s.Desk.Survival()
		lost := len(v.Lost)
		if n := s.preview.Lost.Missing(); n != lost {
			t.Errorf("%d facts are listed as lost, %d are", n, lost)
		}
	}
	agree()
	missed := len(s.Desk.Survival().Needed.Misses)
	if missed == 0 {
		t.Fatal("nothing is missed")
	}
	s.preview.Lost.PutAllBack(preview.LostNeeded)
	s.settle()
	if n := s.Desk.Survival().Needed; len(n.Misses) != 0 || len(s.Desk.DraftSet.Drafts()) != 2 || s.Desk.DraftSet.Draft() == was {
		t.Errorf("%d of %d are still missed, %d drafts", len(n.Misses), missed, len(s.Desk.DraftSet.Drafts()))
	}
	agree()
	s.sees("2 edited  100 %")
	s.Desk.Undo()
	s.settle()
	if s.Desk.DraftSet.Draft() != was || len(s.Desk.DraftSet.Drafts()) != 1 || len(s.Desk.Survival().Needed.Misses) != missed {
		t.Error("undo does not take it out")
	}
	agree()
	s.Desk.Redo()
	s.settle()
	agree()
	s.Desk.DraftSet.TryStrategy(model.StructuredJSON)
	s.settle()
	agree()
	s.Desk.DraftSet.DiscardDrafts()
	s.settle()
	if agree(); strings.Contains(shown(s.top()), words.T("preview.isBack")) {
		t.Error("facts are said to be back that the draft shown never lost")
	}
	s.Desk.Undo()
	s.settle()
	s.Desk.DraftSet.ChooseDraft(1)
	s.settle()
	s.preview.ApplyDraft()
	s.settle()
	r := s.Desk.Job().Record
	if r == nil || !r.Edited || s.preview.Open || s.InSheet() {
		t.Fatalf("%+v, open %v", r, s.preview.Open)
	}
	if v := s.Desk.Session().Insight.SurviveRecord(r); v == nil || len(v.Lost(0)) > 500 {
		t.Errorf("%+v", v)
	}
}

// Lines and blocks are removed, moved and edited by hand, each as one step of undo;
// drafts of other strategies stand beside, and are discarded and brought back.
func TestTheDraftIsChangedByItsBlocks(t *testing.T) {
	s := previewAt(t, model.Extract)
	p := s.preview
	first := s.Desk.DraftSet.Draft().Text.Text
	row := func(kind preview.AfterKind) int {
		return slices.IndexFunc(p.Result().Rows, func(r preview.AfterRow) bool { return r.Kind == kind })
	}
	texts := []string{first}
	change := func(do func()) {
		t.Helper()
		do()
		s.settle()
		text := s.Desk.DraftSet.Draft().Text.Text
		if text == texts[len(texts)-1] {
			t.Fatal("nothing was changed")
		}
		texts = append(texts, text)
	}
	change(func() { p.After.OnDelete(row(preview.AfterLine)) })
	change(func() { p.Edits.MoveBlock(p.Result().Rows[row(preview.AfterBlock)].Block, 1) })
	change(func() { p.Edits.EditLine(row(preview.AfterLine), "In my own words.") })
	if !strings.Contains(texts[len(texts)-1], "In my own words.") {
		t.Error(texts[len(texts)-1])
	}
	change(func() { s.Desk.DraftSet.TryStrategy(model.NoteText) })
	if n := len(s.Desk.DraftSet.Drafts()); n != 3 {
		t.Errorf("%d drafts", n)
	}
	change(func() { s.Desk.DraftSet.DiscardDrafts() })
	if n := len(s.Desk.DraftSet.Drafts()); n != 1 || s.Desk.DraftSet.Draft().Text.Text != first {
		t.Errorf("%d drafts after Discard", n)
	}
	for i := len(texts) - 2; i >= 0; i-- {
		s.Desk.Undo()
		s.settle()
		if s.Desk.DraftSet.Draft().Text.Text != texts[i] {
			t.Fatalf("undo %d: %q\nwant %q", i, s.Desk.DraftSet.Draft().Text.Text, texts[i])
		}
	}
	for i := 1; i < len(texts); i++ {
		s.Desk.Redo()
		s.settle()
		if s.Desk.DraftSet.Draft().Text.Text != texts[i] {
			t.Fatalf("redo %d: %q\nwant %q", i, s.Desk.DraftSet.Draft().Text.Text, texts[i])
		}
	}
}

// A line is edited as it is: what is typed goes behind it. What the edit lost is no
// longer listed when it is undone.
func TestAnEditOfALineGoesOnFromItsEnd(t *testing.T) {
	s := previewAt(t, model.NoteText)
	p := s.preview
	row := slices.IndexFunc(p.Result().Rows, func(r preview.AfterRow) bool {
		x := s.Desk.DraftSet.DraftLines().Blocks[r.Block]
		return r.Kind == preview.AfterLine && x.Kind == blocks.Section && len(x.Lines) > 1
	})
	if row < 0 {
		t.Fatal("no ask is listed")
	}
	r := p.Result().Rows[row]
	was, lost := s.Desk.DraftSet.DraftLines().Raw(r.Block, r.Line), p.Lost.Missing()
	p.After.OnOpen(row)
	entry := s.Win.Canvas().Focused()
	for _, c := range " or so" {
		entry.TypedRune(c)
	}
	entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.settle()
	if got := s.Desk.DraftSet.DraftLines().Raw(r.Block, r.Line); got != was+" or so" {
		t.Errorf("%q became %q", was, got)
	}
	p.After.OnDelete(slices.IndexFunc(p.Result().Rows, func(x preview.AfterRow) bool { return x.Kind == preview.AfterBlock && x.Block == r.Block }))
	s.settle()
	if p.Lost.Missing() <= lost {
		t.Fatalf("%d lost, %d without the asks", lost, p.Lost.Missing())
	}
	s.Desk.Undo()
	s.settle()
	s.Desk.Undo()
	s.settle()
	if n := strings.Count(shown(s.top()), words.T("preview.isBack")); n > 0 || p.Lost.Missing() != lost {
		t.Errorf("%d facts are said to be back in a draft that nobody changed, %d lost", n, p.Lost.Missing())
	}
}

// turnsText is a summary by turns, as a person pastes one and as drafts of earlier versions are.
const turnsText = `[Conversation summary - earlier context]
Messages 2–19: turns 1–3, 6 calls.

Turn 1 (messages 2–7)
User: Please start by reading lex/number.go.
Agent: scanNumber accepts one underscore between digits.
2 calls:
- Edit ×2: lex/number.go

Turn 2 (messages 8–13)
User: Next: heredocs.
3 calls:
- Read: lex/string.go
- Bash: go test ./lex
Agent: An indented marker closes the heredoc.

Turn 3 (messages 14–19)
User: Add duration literals with days.
Agent: 7d is 168h.
1 call:
- Edit: lex/number.go`

// The row of a turn shows what was said in it: that is what is edited, and it stays a
// turn.
func TestTheWordsOfATurnAreEdited(t *testing.T) {
	s := previewAt(t, model.Extract)
	s.Desk.DraftSet.EditDraft(turnsText)
	s.settle()
	p := s.preview
	turns := func() (n, first int) {
		first = -1
		for i, r := range p.Result().Rows {
			if r.Kind != preview.AfterLine || s.Desk.DraftSet.DraftLines().Blocks[r.Block].Kind != blocks.Turns {
				continue
			}
			if _, said := s.Desk.DraftSet.DraftLines().FirstWords(r.Block, r.Line); said != r.Line {
				if n++; first < 0 {
					first = i
				}
			}
		}
		return n, first
	}
	n, first := turns()
	if n != 3 {
		t.Fatalf("of three turns with words %d are listed", n)
	}
	p.Edits.EditLine(first, "User: in my own words")
	s.settle()
	now, at := turns()
	r := p.Result().Rows[at]
	if got, _ := s.Desk.DraftSet.DraftLines().FirstWords(r.Block, r.Line); now != n || !strings.HasSuffix(got, "  in my own words") {
		t.Errorf("%d turns, now %d, the first says %q", n, now, got)
	}
}

// The heads that a ledger writes are in the language of the window.
func TestHeadsOfALedgerAreTranslated(t *testing.T) {
	defer words.Set(words.English)
	s := previewAt(t, model.NoteText)
	titles := map[string]bool{}
	for _, b := range s.Desk.DraftSet.DraftLines().Blocks {
		if b.Kind == blocks.Facts && b.Fact == facts.Identifier {
			titles[b.Title] = true
		}
	}
	if !titles["Names"] {
		t.Fatalf("heads %v", titles)
	}
	words.Set(words.Chinese)
	s.Desk.Planning.SetAt(329)
	s.settle()
	text := shown(s.top())
	for title := range titles {
		if strings.Contains(text, title+"   ") {
			t.Errorf("%q is not translated", title)
		}
	}
	row := slices.IndexFunc(s.preview.Result().Rows, func(r preview.AfterRow) bool {
		x := s.Desk.DraftSet.DraftLines().Blocks[r.Block]
		return x.Kind == blocks.Facts && x.Fact == facts.Identifier
	})
	s.preview.After.ScrollTo(float32(row) * s.preview.After.Pitch())
	s.sees(words.T("preview.block.identifier") + "   ")
}

// A turn unfolds by itself: what was done in it follows it, and the others stay as they are.
func TestATurnUnfolds(t *testing.T) {
	s := previewAt(t, model.Extract)
	s.Desk.DraftSet.EditDraft(turnsText)
	s.settle()
	p := s.preview
	rows := func() []preview.AfterRow { return slices.Clone(p.Result().Rows) }
	was := rows()
	at := slices.IndexFunc(was, func(r preview.AfterRow) bool { return r.Kind == preview.AfterLine && r.Fold == kit.FoldClosed })
	if at < 0 {
		t.Fatal("no line can be unfolded")
	}
	p.After.OnFold(at, true)
	now, turn := rows(), was[at]
	more := len(now) - len(was)
	if more < 1 || now[at].Fold != kit.FoldOpen || !slices.Equal(now[at+1+more:], was[at+1:]) {
		t.Fatalf("%d rows more, %+v after %+v", more, now[at:at+2], turn)
	}
	for i, r := range now[at+1 : at+1+more] {
		if r.Kind != preview.AfterLine || r.Block != turn.Block || r.Line <= turn.Line || r.Fold != kit.FoldNone {
			t.Errorf("row %d under the turn: %+v", i, r)
		}
	}
	if p.After.OnFold(at, false); !slices.Equal(rows(), was) {
		t.Error("folded again it is not as it was")
	}
	p.FoldEvery(false) // all are open now
	whole := rows()
	if at = slices.Index(whole, now[at]); at < 0 {
		t.Fatal("the turn is gone")
	}
	if p.After.OnFold(at, false); len(rows()) != len(whole)-more {
		t.Errorf("of %d rows %d are left, the turn had %d", len(whole), len(rows()), more)
	}
}

// A text that is edited by hand becomes a draft when a person goes elsewhere; Ctrl+K works in it.
func TestAnEditedTextOutlivesTheScreen(t *testing.T) {
	s := previewAt(t, model.Extract)
	s.preview.Edits.Edit()
	s.Win.Canvas().Focused().(fyne.Shortcutable).TypedShortcut(
		&desktop.CustomShortcut{KeyName: fyne.KeyK, Modifier: fyne.KeyModifierShortcutDefault})
	if s.Win.Canvas().Overlays().Top() == nil {
		t.Error("Ctrl+K does nothing in the text")
	}
	s.press("Esc")
	s.preview.Edits.SetText("In my own words.")
	s.Commands.Run("records")
	s.settle()
	if dr := s.Desk.DraftSet.Draft(); s.preview.Open || dr == nil || dr.Text.Text != "In my own words." {
		t.Fatalf("the text is lost: %+v", dr)
	}
	n := len(s.Desk.DraftSet.Drafts())
	s.preview.Show()
	s.settle()
	s.preview.Edits.Edit()
	s.Commands.Run("records")
	s.settle()
	if got := len(s.Desk.DraftSet.Drafts()); got != n || s.preview.Open {
		t.Errorf("%d drafts, %d before a text that nobody changed", got, n)
	}
}

// What is back stays listed when the window is built anew, so that it can be taken out again.
func TestALookKeepsWhatIsPutBack(t *testing.T) {
	t.Cleanup(func() { words.Set(words.English) })
	s := previewAt(t, model.NoteText)
	s.preview.Lost.PutAllBack(preview.LostNeeded)
	s.settle()
	for _, lang := range []string{words.English, words.Chinese} {
		s.setLanguage(lang)
		s.settle()
		if !strings.Contains(shown(s.top()), words.T("preview.isBack")) {
			t.Errorf("%s: nothing is listed that was put back", lang)
		}
	}
}

// A text that is edited by hand is applied as it was typed.
func TestAnEditedTextIsApplied(t *testing.T) {
	s := previewAt(t, model.Extract)
	s.preview.Edits.Edit()
	s.preview.Edits.SetText("In my own words.")
	s.preview.ApplyDraft()
	s.settle()
	stack := s.Desk.Session().Stack()
	if len(stack) != 1 || stack[0].Summary != "In my own words." || !stack[0].Edited {
		t.Fatalf("%d records", len(stack))
	}
	if s.preview.Open || s.InSheet() {
		t.Error("the screen stays open")
	}
	if r := s.Desk.Row(s.Desk.Selected()); r.Record != stack[0].UID {
		t.Errorf("the new summary is not selected: %+v", r)
	}
}

// Before a record that was made later in the history a plan can be looked at, and is
// applied nowhere: the screen says why.
func TestAPlanBeforeARecordIsNotApplied(t *testing.T) {
	s := previewAt(t, model.Extract)
	s.preview.ApplyDraft()
	s.settle()
	if len(s.Desk.Session().Stack()) != 1 {
		t.Fatal("nothing was applied")
	}
	s.Desk.Planning.SetAt(150)
	s.settle()
	s.Commands.Run(commands.Preview)
	s.settle()
	why := words.T("plan.later", "record", "R-0001", "n", 330)
	s.sees(why)
	if s.Desk.DraftSet.Draft() == nil || s.Commands.ByID[commands.Compact].Reason() != why || s.Commands.ByID[commands.ApplyDraft].Reason() != why {
		t.Errorf("the draft is %v, and the commands say %q", s.Desk.DraftSet.Draft(), s.Commands.ByID[commands.Compact].Reason())
	}
	if got := s.Desk.CanExport(desk.Previewed); got != "later" {
		t.Errorf("it can be exported: %q", got)
	}
	s.Desk.Planning.SetAt(400)
	s.settle()
	if !s.Commands.Enabled(commands.ApplyDraft) || s.Desk.CanExport(desk.Previewed) != "" {
		t.Error("behind the record a plan can't be applied")
	}
}

// Pinning what a line was made from keeps the edited text.
func TestSourcesArePinned(t *testing.T) {
	s := previewAt(t, model.NoteText)
	s.preview.Lost.PutAllBack(preview.LostNeeded)
	s.settle()
	text := s.Desk.DraftSet.Draft().Text.Text
	h := s.Desk.Planning.Gone()[len(s.Desk.Planning.Gone())-1]
	s.Desk.Planning.PinPicked([]int{h}, true)
	s.settle()
	if !s.Desk.Session().Pinned(h) || s.Desk.DraftSet.Draft() == nil || s.Desk.DraftSet.Draft().Text.Text != text {
		t.Errorf("pinned %v, the text stays %v", s.Desk.Session().Pinned(h), s.Desk.DraftSet.Draft() != nil && s.Desk.DraftSet.Draft().Text.Text == text)
	}
	s.Desk.Undo()
	s.settle()
	if s.Desk.Session().Pinned(h) || s.Desk.DraftSet.Draft().Text.Text != text {
		t.Errorf("undo does not give the text back: pinned %v, %q", s.Desk.Session().Pinned(h), s.Desk.DraftSet.Draft().Text.Text)
	}
}

// What is back stays listed when a message is pinned, and when that is taken back.
func TestWhatIsBackStaysListed(t *testing.T) {
	s := previewAt(t, model.NoteText)
	s.preview.Lost.PutAllBack(preview.LostNeeded)
	s.settle()
	back := func() int { return strings.Count(shown(s.top()), words.T("preview.isBack")) }
	n := back()
	gone := s.Desk.Planning.Gone()
	s.Desk.Planning.PinPicked(gone[len(gone)-1:], true)
	s.settle()
	if n == 0 || back() != n {
		t.Errorf("%d facts are back, %d after a pin", n, back())
	}
	s.Desk.Undo()
	s.settle()
	if back() != n {
		t.Errorf("%d facts are back, %d after undo", n, back())
	}
}

// A fact that is back because its message was pinned stays where it was listed, with the pin
// to be taken back there.
func TestAPinnedFactStaysListed(t *testing.T) {
	s := previewAt(t, model.NoteText)
	listed := func() (out []string) {
		walk(s.preview.Lost.List, nil, func(o fyne.CanvasObject, _ []fyne.CanvasObject) {
			if x, ok := o.(*kit.Paragraph); ok {
				out = append(out, x.Text())
			}
		})
		return out
	}
	facts := listed()
	pin, pins := "", s.Desk.Planning.Params().Pins
	for i := 0; i < 20 && len(pins) == 0; i++ { // of some the message left the context before
		s.preview.Lost.List.OnMenu(i, fyne.NewPos(100, 100))
		if s.Win.Canvas().Overlays().Top() == nil {
			continue
		}
		menu := shown(s.top())
		at := strings.Index(menu, "Pin #")
		if at < 0 { // its message can't be pinned
			s.press("Esc")
			continue
		}
		pin, _, _ = strings.Cut(menu[at:], "\n")
		s.tap(pin)
		s.settle()
		if pins = s.Desk.Planning.Params().Pins; s.Win.Canvas().Overlays().Top() != nil {
			s.press("Esc") // the menu
		}
	}
	if len(pins) == 0 {
		t.Fatalf("nothing is pinned: %q", pin)
	}
	price, pl := int64(0), s.Desk.Planning.Plan()
	for i := range pl.Line.Len() {
		if fate, _ := pl.FateAt(i); fate == model.Pinned {
			price += int64(pl.Line.Tokens(i))
		}
	}
	if !strings.HasSuffix(pin, ", +"+words.Int(price)) {
		t.Errorf("%q brought %d tokens", pin, price)
	}
	if again := listed(); len(facts) == 0 || again[0] != facts[0] {
		t.Errorf("listed\n%q\nafter the pin\n%q", facts, again)
	}
	s.sees(words.T("preview.isPinned", "n", pins[len(pins)-1].To))
	s.tap(words.T("preview.takeOut"))
	s.settle()
	if len(s.Desk.Planning.Params().Pins) != 0 || !slices.Equal(listed(), facts) {
		t.Errorf("%v are pinned, listed\n%q", s.Desk.Planning.Params().Pins, listed())
	}
}

// A message that is to be read is opened itself, whatever the ledger hides.
func TestAMessageIsReadThatTheLedgerHides(t *testing.T) {
	s := newStage(t)
	for _, hide := range []func(){
		func() { s.Desk.SetFilter(desk.Filter{Text: "role:user"}) },
		func() { s.Desk.Planning.SetView(session.ModelSees) },
		func() { s.Desk.SetFilter(desk.Filter{Text: "no such words"}) },
	} {
		hide()
		s.settle()
		h := 0
		for s.Desk.RowOfMessage(h) >= 0 {
			h++
		}
		s.Commands.Read(h)
		s.settle()
		if s.Desk.SelectedMessage() != h || s.Desk.RowOfMessage(h) < 0 {
			t.Errorf("message %d was asked for, %d is read", h, s.Desk.SelectedMessage())
		}
		s.press("Esc")
		s.settle()
	}
}

// Who looks at another strategy's draft still does so when a message is pinned, and when
// that is taken back.
func TestAPinKeepsTheStrategyThatIsLookedAt(t *testing.T) {
	s := previewAt(t, model.NoteText)
	s.Desk.DraftSet.TryStrategy(model.Extract)
	s.settle()
	extract := s.Desk.DraftSet.Draft()
	gone := s.Desk.Planning.Gone()
	s.Desk.Planning.PinPicked(gone[len(gone)-1:], true)
	s.settle()
	if dr := s.Desk.DraftSet.Draft(); dr == extract || dr.Plan.Policy.Strategy != model.Extract || len(dr.Plan.Policy.Pins) == 0 || len(s.Desk.DraftSet.Drafts()) != 2 {
		t.Errorf("%s of %d drafts, %d pins", dr.Plan.Policy.Strategy, len(s.Desk.DraftSet.Drafts()), len(dr.Plan.Policy.Pins))
	}
	s.Desk.Undo()
	s.settle()
	if dr := s.Desk.DraftSet.Draft(); dr.Text.Text != extract.Text.Text || len(s.Desk.DraftSet.Drafts()) != 2 || len(dr.Plan.Policy.Pins) > 0 {
		t.Errorf("undone: %s of %d drafts", dr.Plan.Policy.Strategy, len(s.Desk.DraftSet.Drafts()))
	}
	s.press("Esc")
	s.settle()
	own := func(when string) {
		t.Helper()
		if dr := s.Desk.DraftSet.Draft(); dr.Plan.Policy.Strategy != model.NoteText {
			t.Errorf("on the workbench it is %s %s", dr.Plan.Policy.Strategy, when)
		}
	}
	own("after Esc")
	s.Desk.Undo() // of the other draft
	s.settle()
	s.Desk.Redo()
	s.settle()
	own("after undo and redo")
	s.Desk.Planning.Set(func(q *model.Policy) { q.Budget.N += 1000 })
	s.settle()
	own("with other parameters")
}

// A line that was made from messages of before the last compaction says so, can't be
// pinned, and opens the message.
func TestALineOfAMessageThatWentBefore(t *testing.T) {
	s := previewAt(t, model.NoteText)
	s.preview.ApplyDraft()
	s.settle()
	s.Desk.Planning.SetAt(len(s.Desk.Session().Thread().History))
	s.settle()
	s.Commands.Run(commands.Preview)
	s.settle()
	p, row, at := s.preview, -1, -1
	for i, r := range p.Result().Rows {
		if src := p.Result().Sources(i); r.Kind == preview.AfterLine && row < 0 && len(src) == 1 && len(p.Originals().Holds(src)) == 0 {
			row, at = i, src[0]
		}
	}
	if row < 0 {
		t.Fatal("every line is of messages in the context")
	}
	p.After.ScrollTo(float32(row) * p.After.Pitch())
	p.After.OnHover(row)
	if litMessages(p) != 0 {
		t.Error("messages are lit that are not there")
	}
	s.sees("#" + words.Int(int64(at+1)) + ", " + show.PastWords(s.Desk, at))
	link := func(text string) (found *kit.Link) {
		walk(p.After, nil, func(o fyne.CanvasObject, _ []fyne.CanvasObject) {
			if l, ok := o.(*kit.Link); ok && strings.HasPrefix(l.Text(), text) && found == nil {
				found = l
			}
		})
		return found
	}
	pin := link(words.T("preview.pin"))
	if pin == nil || pin.Tip() != words.T("preview.pin.past") {
		t.Fatalf("%v", pin)
	}
	pins := len(s.Desk.Planning.Params().Pins)
	if pin.Tapped(nil); len(s.Desk.Planning.Params().Pins) != pins {
		t.Error("a message is pinned that is not in the context")
	}
	link("#" + words.Int(int64(at+1))).Tapped(nil)
	s.settle()
	if s.Desk.SelectedMessage() != at || s.Win.Canvas().Overlays().Top() == nil {
		t.Errorf("message %d is open, want %d", s.Desk.SelectedMessage(), at)
	}
}

// A copy of a message that a compaction of the file kept is lit with the lines that were made
// from that message, and can't be pinned by its number.
func TestALineIsLinkedToTheCopyOfItsMessage(t *testing.T) {
	var lines []string
	item := func(role, text string) string {
		raw, err := json.Marshal(map[string]any{"type": "message", "role": role,
			"content": []any{map[string]string{"type": map[string]string{"user": "input_text"}[role] + map[string]string{"assistant": "output_text"}[role], "text": text}}})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	add := func(kind, payload string) {
		lines = append(lines, fmt.Sprintf(`{"timestamp":"2026-03-04T09:%02d:00.000Z","type":%q,"payload":%s}`, len(lines)%60, kind, payload))
	}
	add("session_meta", `{"id":"0195-larch","cwd":"/home/mira/larch","originator":"codex_cli_rs","cli_version":"0.142.0"}`)
	turn := func(ask string, k int) {
		add("response_item", item("user", ask))
		add("response_item", item("assistant", fmt.Sprintf("Step %d is done. %s", k, strings.Repeat("It went well. ", 80))))
	}
	asks := []string{"Always run make larch-check before you commit.", "Go on with src/bark.go.",
		"Look at src/needle.go and tell me what it holds.", "Go on with src/root.go."}
	kept := make([]string, len(asks))
	for k, ask := range asks {
		turn(ask, k)
		kept[k] = item("user", ask)
	}
	add("compacted", `{"message":"","replacement_history":[`+strings.Join(kept, ",")+`]}`)
	for k := range 12 {
		turn(fmt.Sprintf("Now part %d of the tree, src/part%d.go.", k, k), k)
	}
	path := filepath.Join(t.TempDir(), "rollout.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newStage(t, path)
	s.Desk.Planning.Set(func(q *model.Policy) {
		q.Strategy, q.Tail, q.KeepFirstUser = model.Extract, model.Amount{N: 4, Unit: model.Messages}, false
	})
	s.settle()
	s.Commands.Run(commands.Preview)
	s.settle()
	p := s.preview
	if got := s.Desk.DraftSet.DraftLines().Copied; len(got) != len(asks) {
		t.Fatalf("copies %v", got)
	}
	lit := 0
	for i, l := range p.Originals().Lines {
		h, copied := s.Desk.DraftSet.DraftLines().Copied[l.From]
		if !copied || l.To != l.From+1 {
			continue
		}
		if s.Desk.Session().Thread().Messages[s.Desk.Session().Thread().History[h]].Preview != p.Originals().Row(i).First {
			t.Errorf("row %d is no copy of message %d", i, h)
		}
		p.Before.OnHover(i)
		if used := s.Desk.DraftSet.DraftLines().Used[h]; len(used) > 0 {
			lit++
			if litMessages(p) == 0 || len(p.Originals().Holds([]int{h})) != 1 || len(p.Originals().Pinnable([]int{h})) != 0 {
				t.Errorf("the copy of message %d is not lit, or can be pinned", h)
			}
		}
	}
	if lit != len(asks) {
		t.Errorf("of %d copies %d are lit", len(asks), lit)
	}
}

// F7 goes through what changes, and round; Shift+F7 goes the same way back.
func TestNextDifferenceInThePreview(t *testing.T) {
	s := previewAt(t, model.NoteText)
	at := func() [2]int { return [2]int{s.preview.Before.Selected(), s.preview.After.Selected()} }
	seen := map[[2]int]bool{}
	for range 12 {
		s.press("F7")
		seen[at()] = true
	}
	if len(seen) < 5 {
		t.Errorf("F7 finds %d places", len(seen))
	}
	s.press("F7")
	there := at()
	s.press("F7")
	s.press("Shift+F7")
	if now := at(); now[0] != there[0] && now[1] != there[1] {
		t.Errorf("there and back: %v, %v", there, now)
	}
}

// The table of kinds adds up to the survival.
func TestTheTableOfKindsAddsUp(t *testing.T) {
	s := previewAt(t, model.Extract)
	v := s.Desk.Survival()
	var sum facts.Tally
	for k := range facts.Kinds {
		sum.Gone += v.Kinds[k].Gone
		sum.Survived += v.Kinds[k].Survived
	}
	if sum != v.All() || sum.Gone == 0 {
		t.Errorf("%+v, %+v", sum, v.All())
	}
	s.sees(words.T("preview.ofAll", "n", sum.Survived, "all", sum.Gone))
}

// All drafts are beside each other by their blocks; a block of another one is taken over
// into the one shown, and given back.
func TestDraftsAreColumns(t *testing.T) {
	s := previewAt(t, model.Extract)
	p := s.preview
	s.Desk.DraftSet.TryStrategy(model.NoteText)
	s.settle()
	s.Desk.DraftSet.ChooseDraft(0)
	s.settle()
	p.ShowColumns()
	s.settle()
	columns := p.Columns()
	if len(columns) != 2 {
		t.Fatalf("%d columns", len(columns))
	}
	first := s.Desk.DraftSet.Draft().Text.Text
	facts := -1
	for i, r := range s.Desk.DraftSet.DraftReadings() {
		heads, lines := 0, 0
		for _, x := range columns[i].Rows {
			if x.Line < 0 {
				heads++
			} else {
				lines++
			}
		}
		want, wantLines := 0, 0
		for b := range r.Blocks {
			if x := &r.Blocks[b]; x.Kind != blocks.Frame && len(x.Lines) > 0 {
				want++
				for _, l := range x.Lines {
					if !l.Fixed {
						wantLines++
					}
				}
			}
		}
		if heads != want || lines != wantLines || heads == 0 {
			t.Errorf("column %d: %d blocks of %d, %d lines of %d", i, heads, want, lines, wantLines)
		}
	}
	for i, x := range columns[1].Rows {
		if b := &s.Desk.DraftSet.DraftReadings()[1].Blocks[x.Block]; x.Line < 0 && b.Kind == blocks.Facts {
			facts = i
		}
	}
	columns[0].Take(0) // a draft takes nothing of its own
	s.settle()
	if s.Desk.DraftSet.Draft().Text.Text != first {
		t.Error("the draft took its own block")
	}
	words := s.Desk.DraftSet.DraftReadings()[1].Blocks[columns[1].Rows[facts].Block].Lines[0].Text
	columns[1].Take(facts)
	s.settle()
	if text := s.Desk.DraftSet.Draft().Text.Text; text == first || !strings.Contains(text, words) || len(p.Columns()) != 3 {
		t.Errorf("%d columns; %q is not in %q", len(p.Columns()), words, text)
	}
	s.Desk.Undo()
	s.settle()
	if s.Desk.DraftSet.Draft().Text.Text != first || len(p.Columns()) != 2 {
		t.Errorf("%d columns after undo", len(p.Columns()))
	}
}

// A draft is set beside the one before it, an edited one beside what it was made from, and
// the first beside the second, until a person chooses another.
func TestWhatADraftIsSetBeside(t *testing.T) {
	s := previewAt(t, model.Extract)
	p := s.preview
	for _, x := range []model.Strategy{model.NoteText, model.StructuredTable} {
		s.Desk.DraftSet.TryStrategy(x)
		s.settle()
	}
	p.ShowDiff(false)
	beside := func(now, with int) {
		t.Helper()
		s.settle()
		list := s.Desk.DraftSet.Drafts()
		if s.Desk.DraftSet.Draft() != list[now] {
			t.Fatalf("draft %d of %d is not shown", now+1, len(list))
		}
		name := fmt.Sprintf("%d %s", with+1, show.DraftWord(list[with]))
		if got := p.Beside(); got != list[with] || !strings.Contains(shown(s.top()), name) {
			t.Errorf("draft %d is not set beside %q", now+1, name)
		}
	}
	beside(2, 1)
	s.Desk.DraftSet.ChooseDraft(1)
	beside(1, 0)
	s.Desk.DraftSet.ChooseDraft(0)
	beside(0, 1)
	first := shown(s.top())
	s.press("F7")
	s.settle()
	if shown(s.top()) == first {
		t.Error("F7 goes to no other difference")
	}
	s.press("Shift+F7")
	s.settle()
	if shown(s.top()) != first {
		t.Error("Shift+F7 does not go back")
	}
	s.Desk.DraftSet.EditDraft(s.Desk.DraftSet.Draft().Text.Text + "\nIn my own words.")
	beside(slices.Index(s.Desk.DraftSet.Drafts(), s.Desk.DraftSet.Draft()), 0)
	s.sees("In my own words.") // far below, where it differs
	p.ShowDiff(true)
	beside(slices.Index(s.Desk.DraftSet.Drafts(), s.Desk.DraftSet.Draft()), 0)
	s.sees("In my own words.")
}

// A block moves over several others at once, as far as it can go, in one step; what was
// lit is that of its new place.
func TestABlockMovesOverSeveral(t *testing.T) {
	s := previewAt(t, model.NoteText)
	p := s.preview
	var facts []int
	first := s.Desk.DraftSet.DraftLines()
	for b := range first.Blocks {
		if first.Blocks[b].Kind == blocks.Facts {
			facts = append(facts, b)
		}
	}
	if len(facts) < 3 {
		t.Fatalf("%d blocks of facts", len(facts))
	}
	title := first.Blocks[facts[0]].Title
	p.Edits.MoveBlock(facts[0], 100)
	s.settle()
	moved := s.Desk.DraftSet.DraftLines()
	last := facts[len(facts)-1]
	if got := moved.Blocks[last].Title; got != title || len(moved.Blocks) != len(first.Blocks) {
		t.Errorf("the last block is %q, not %q", got, title)
	}
	for i, r := range p.Result().Rows {
		if r.Kind == preview.AfterBlock && p.IsLit(i) != (r.Block == last) {
			t.Errorf("the block in row %d: lit %v", i, p.IsLit(i))
		}
	}
	s.Desk.Undo()
	s.settle()
	if s.Desk.DraftSet.DraftLines().Text() != first.Text() {
		t.Error("one undo does not take it back")
	}
}

// Alt+↓ twice moves the selected block two places: the selection goes with it.
func TestTheSelectionGoesWithItsBlock(t *testing.T) {
	s := previewAt(t, model.NoteText)
	p := s.preview
	names := func() (list []string) {
		for i := range s.Desk.DraftSet.DraftLines().Blocks {
			list = append(list, s.Desk.DraftSet.DraftLines().Blocks[i].Title)
		}
		return list
	}
	was, at := names(), -1
	for i, r := range p.Result().Rows {
		if b := r.Block; r.Kind == preview.AfterBlock && s.Desk.DraftSet.DraftLines().CanMove(b, 1) && s.Desk.DraftSet.DraftLines().CanMove(b+1, 1) {
			at = i
			break
		}
	}
	if at < 0 {
		t.Fatal("no block can be moved twice")
	}
	block := p.Result().Rows[at].Block
	s.Win.Canvas().Focus(p.After)
	p.After.Select(at)
	p.After.OnSelect(at)
	for range 2 {
		s.Commands.Run(commands.BlockDown)
		s.settle()
	}
	if now := names(); now[block+2] != was[block] {
		t.Errorf("%q was moved: %q, then %q", was[block], was, now)
	}
	if r := p.Result().Rows[p.After.Selected()]; r.Kind != preview.AfterBlock || r.Block != block+2 {
		t.Errorf("%+v is selected", r)
	}
}

// While a model is still to be asked, what the messages that stay don't hold is lost at most.
func TestWhatIsLostWithoutATextIsAtMost(t *testing.T) {
	s := newStage(t)
	s.Desk.Planning.Set(func(q *model.Policy) { q.Strategy = model.ModelText })
	s.Desk.Planning.SetAt(330)
	s.settle()
	s.Commands.Run(commands.Preview)
	s.settle()
	v := s.Desk.Survival()
	if v == nil || !v.Lower || v.Needed == nil {
		t.Fatalf("%+v", v)
	}
	all := v.All()
	most := func(n int) string { return "≤ " + words.Int(int64(n)) }
	s.sees(words.T("preview.lostOf", "lost", most(all.Gone-all.Survived), "all", all.Gone), most(v.Needed.Needs.Needs-v.Needed.Met))
}

// rowsOf are the places of the rows of the right side.
func rowsOf(p *preview.Screen) (list []int) {
	for i := range p.Result().Rows {
		list = append(list, i)
	}
	return list
}

// An edited draft stays when a message is pinned elsewhere. Where other settings leave it
// out, both ways to compact ask before they go on without it.
func TestAnEditIsNotLostWithOtherSettings(t *testing.T) {
	s := previewAt(t, model.NoteText)
	s.preview.Lost.PutAllBack(preview.LostNeeded)
	s.settle()
	text := s.Desk.DraftSet.Draft().Text.Text
	shows := func(when string) {
		t.Helper()
		if dr := s.Desk.DraftSet.Draft(); dr == nil || dr.Text.Text != text || s.Desk.DraftSet.Unedited() == nil {
			t.Errorf("%s the edited text is not shown", when)
		}
	}
	s.press("Esc")
	s.Desk.Planning.TogglePinOf(s.Desk.Planning.Gone()[0])
	s.settle()
	shows("after a pin")
	s.Desk.Undo()
	s.settle()
	shows("after undo")
	if n := len(s.Desk.DraftSet.Drafts()); n != 2 {
		t.Errorf("after undo there are %d drafts", n)
	}

	asks := func(id string) {
		t.Helper()
		s.Commands.Run(id)
		s.settle()
		s.sees(words.T("edited.title"))
		if s.Desk.Job() != nil {
			t.Errorf("%s went on without the edited draft", id)
		}
	}
	asks(commands.Compact)
	s.press("Esc")
	s.Desk.Planning.Set(func(q *model.Policy) { q.Budget.N += 1000 })
	s.settle()
	s.Commands.Run(commands.Preview)
	s.settle()
	s.sees(words.T("preview.editedOthers"))
	asks(commands.ApplyDraft)
	s.tap(words.T("edited.use"))
	s.settle()
	shows("when it is to be used")
	s.Commands.Run(commands.ApplyDraft)
	s.settle()
	if j := s.Desk.Job(); j == nil || j.Record == nil || j.Record.Summary != text {
		t.Error("the edited draft was not applied")
	}
}
