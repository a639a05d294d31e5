package desk

import (
	"strings"
	"testing"

	"palimpsest/model"
)

func TestDetailOfEveryKindOfRow(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 20))
	w.settle()
	if w.Selected() != 0 {
		t.Fatalf("row %d is selected at first, want the first live one", w.Selected())
	}
	w.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 8, Unit: model.Messages} })
	w.settle()
	show := func(row int, raw bool) string {
		w.SelectRow(row)
		w.LoadDetail(raw)
		w.settle()
		var b strings.Builder
		for _, p := range w.Detail().Texts {
			b.WriteString(p.Text)
		}
		return b.String()
	}
	if got := show(3, false); !strings.Contains(got, "\"path\":\"src/f0.go\"") {
		// row 3: system, user, the summary in front of the range, call
		t.Errorf("arguments of a call: %q", got)
	}
	if show(4, false); w.Detail().Tool != "read_file" || !strings.Contains(w.Detail().Args, "src/f0.go") {
		t.Errorf("the result is that of %q %q", w.Detail().Tool, w.Detail().Args)
	}
	if w.Partner(w.Row(3)) != 3 {
		t.Errorf("the result of the call is at %d", w.Partner(w.Row(3)))
	}
	if got := show(3, true); !strings.Contains(got, `"tool_calls"`) {
		t.Errorf("source of a call: %q", got)
	}
	for i := range w.RowCount() {
		if w.Row(i).Msg == nil {
			if got := show(i, false); got != w.Draft().Text.Text {
				t.Errorf("the summary's row shows %q", got)
			}
		}
	}
	var copied string
	w.CopyRow(0, false, func(s string, _ int, err error) { copied = s })
	w.settle()
	if copied != "You are careful." {
		t.Errorf("copied %q", copied)
	}
}

func TestPresetsAreSavedWithoutWhatBelongsToTheHistory(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 5))
	w.settle()
	if w.Modified() {
		t.Fatal("modified at the start")
	}
	w.Set(func(p *model.Policy) {
		p.Tail, p.Pins = model.Amount{N: 123, Unit: model.Tokens}, []model.Range{{From: 1, To: 2}}
	})
	if !w.Modified() {
		t.Fatal("not modified")
	}
	w.SavePreset("mine")
	w.settle()
	if len(w.Presets()) != 1 || w.Params().Preset != "mine" || w.Modified() {
		t.Fatalf("%+v, preset %q", w.Presets(), w.Params().Preset)
	}
	if p := w.Presets()[0].Policy; p.Pins != nil || p.Window != 0 || p.Tail.N != 123 {
		t.Fatalf("saved %+v", p)
	}
	if w.Defaults().Window != 128000 {
		t.Errorf("the history's window is %d", w.Defaults().Window)
	}
	w.DeletePreset("mine")
	w.settle()
	if len(w.Presets()) != 0 {
		t.Error("not deleted")
	}
}
