package gui

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"palimpsest/gui/dialogs"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// Every parameter is found by its name, in both languages, by its former names and by those
// of the four systems' documents. Wherever a person is, the focus is then in it: what the
// keyboard does next changes that parameter.
func TestThePaletteReachesEveryParameter(t *testing.T) {
	names := map[string][]string{ // former ones, and those of the documents
		"window": {"context window", "hard limit", "maxTokens", "上下文窗口"}, "trigger": {"trigger", "COMPACT_THRESHOLD", "触发"},
		"tail":  {"recent tail", "keepRecentCount", "keep recent", "最近部分", "windowSize"},
		"batch": {"compressionBatchSize", "compactWindow"}, "strategy": {"compressionStrategy", "AI_SUMMARY"},
		"budget": {"max summary", "summaryMaxTokens", "COMPACT_SUMMARY_MAX_CHARS"}, "layer": {"maxSummaryLength"},
		"failure": {"onFailure", "truncate"}, "hard": {"MAX_HISTORY_SIZE", "maxHistorySize"}, "backoff": {"back-off"},
	}
	for _, lang := range words.Languages { // its name in each language
		words.Set(lang)
		for _, x := range model.Params() {
			names[x.Key] = append(append(names[x.Key], x.Also...), words.T(x.Word))
		}
	}
	for _, lang := range words.Languages {
		s := newStage(t)
		s.setLanguage(lang)
		s.Desk.Planning.Set(func(q *model.Policy) {
			q.OnFailure, q.Clear.On, q.Former, q.Pins = model.TruncateAtHard, true, model.LayerFormer, []model.Range{{From: 20, To: 21}}
		})
		s.settle()
		palette := func(text string) *dialogs.Palette {
			p := &dialogs.Palette{W: s.Host}
			dialogs.ShowPaletteOf(s.Host, p)
			p.Field.SetText(text)
			p.Search()
			return p
		}
		p := palette("")
		for _, x := range model.Params() {
			for _, name := range names[x.Key] {
				p.Field.SetText(name)
				p.Search()
				if !slices.Contains(titles(p), words.T(x.Word)) {
					t.Errorf("%s: %q does not find %s", lang, name, x.Key)
				}
			}
		}
		for i, x := range model.Params() {
			for _, o := range s.Win.Canvas().Overlays().List() {
				s.Win.Canvas().Overlays().Remove(o)
			}
			if lang == words.Chinese {
				continue
			}
			switch i % 3 {
			case 1:
				s.togglePane("parameters")
			case 2:
				s.showRecords()
			}
			if p = palette(words.T(x.Word)); p.Shown[0].Text != words.T(x.Word) {
				t.Errorf("%q finds %q first", words.T(x.Word), p.Shown[0].Text)
			}
			s.Win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
			s.settle()
			s.changedByKeys(x)
		}
	}
}

// A click beside the palette leaves it open, and the next letter begins a search.
func TestThePaletteHearsAfterAClick(t *testing.T) {
	s := newStage(t)
	p := &dialogs.Palette{W: s.Host}
	dialogs.ShowPaletteOf(s.Host, p)
	canvas := s.Win.Canvas()
	canvas.Unfocus() // as a press of the mouse does
	canvas.Overlays().Top().(fyne.Tappable).Tapped(&fyne.PointEvent{})
	canvas.Focused().TypedRune('w')
	canvas.Focused().TypedRune('i')
	if p.Field.Text() != "wi" || len(p.Shown) == 0 {
		t.Errorf("the field has %q", p.Field.Text())
	}
}

// titles are the lines that the palette shows.
func titles(p *dialogs.Palette) (list []string) {
	for _, c := range p.Shown {
		list = append(list, c.Text)
	}
	return list
}

// changedByKeys checks that keys, pressed where the focus is, change one parameter.
func (s *stage) changedByKeys(x *model.Param) {
	s.t.Helper()
	f := s.Win.Canvas().Focused()
	if f == nil {
		s.t.Errorf("%s: the focus is nowhere", x.Key)
		return
	}
	before := s.Desk.Planning.Params()
	press := func(names ...fyne.KeyName) {
		for _, name := range names {
			f.TypedKey(&fyne.KeyEvent{Name: name})
		}
	}
	switch x.Value(&before).(type) {
	case *bool, *[]model.Range:
		press(fyne.KeySpace)
	case *string:
		if press(fyne.KeyDown); *x.Value(&before).(*string) == x.Choices[len(x.Choices)-1] {
			press(fyne.KeyUp)
		}
	default:
		press(fyne.KeyUp)
	}
	s.settle()
	after := s.Desk.Planning.Params()
	var changed []string
	for _, y := range model.Params() {
		if !reflect.DeepEqual(y.Value(&before), y.Value(&after)) {
			changed = append(changed, y.Key)
		}
	}
	if strings.Join(changed, " ") != x.Key {
		s.t.Errorf("%s: the keys change %q", x.Key, changed)
	}
	s.Desk.Planning.Set(func(q *model.Policy) { *q = before })
	s.settle()
}
