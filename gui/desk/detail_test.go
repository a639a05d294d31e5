package desk

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/assets"
	"palimpsest/compaction/session"
	"palimpsest/model"
)

func TestDetailOfEveryKindOfRow(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 20))
	w.settle()
	if w.Selected() != 0 {
		t.Fatalf("row %d is selected at first, want the first live one", w.Selected())
	}
	w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 8, Unit: model.Messages} })
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
			if got := show(i, false); got != w.DraftSet.Draft().Text.Text {
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

// Several messages are copied without secrets, too: a value that only one of them names is
// hidden in the others.
func TestSeveralAreCopiedWithoutSecrets(t *testing.T) {
	const key = "Zk3vQ9xT7mB2wL5nR8pY4cJ6"
	path := filepath.Join(t.TempDir(), "secret.json")
	text := fmt.Sprintf(`{"model":"gpt-4o","messages":[{"role":"user","content":"export API_SECRET_KEY=%s"},
		{"role":"assistant","content":"I keep %s in mind."},{"role":"user","content":"Say %s again."}]}`, key, key, key)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	w := newWindow(t)
	w.Add(path)
	w.settle()
	for _, hide := range []bool{false, true} {
		got, found := "", 0
		w.CopyPicked([]int{1, 2}, Copying{Hide: hide}, func(text string, hidden int, err error) {
			if err != nil {
				t.Error(err)
			}
			got, found = text, hidden
		})
		w.settle()
		if strings.Contains(got, key) == hide || (found > 0) != hide || !strings.Contains(got, "in mind") {
			t.Errorf("hide %v: %q, %d found", hide, got, found)
		}
	}
}

func TestPresetsAreSavedWithoutWhatBelongsToTheHistory(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 5))
	w.settle()
	if w.Planning.Modified() {
		t.Fatal("modified at the start")
	}
	w.Planning.Set(func(p *model.Policy) {
		p.Tail, p.Pins = model.Amount{N: 123, Unit: model.Tokens}, []model.Range{{From: 1, To: 2}}
	})
	if !w.Planning.Modified() {
		t.Fatal("not modified")
	}
	w.Planning.SavePreset("mine")
	w.settle()
	if len(w.Planning.Presets()) != 1 || w.Planning.Params().Preset != "mine" || w.Planning.Modified() {
		t.Fatalf("%+v, preset %q", w.Planning.Presets(), w.Planning.Params().Preset)
	}
	if p := w.Planning.Presets()[0].Policy; p.Pins != nil || p.Window != 0 || p.Tail.N != 123 {
		t.Fatalf("saved %+v", p)
	}
	if w.Planning.Defaults().Window != 128000 {
		t.Errorf("the history's window is %d", w.Planning.Defaults().Window)
	}
	w.Planning.DeletePreset("mine")
	w.settle()
	if len(w.Planning.Presets()) != 0 {
		t.Error("not deleted")
	}
}

// Lines that could not be read are rows in their places, and show their bytes.
func TestDamagedLinesAreRows(t *testing.T) {
	w := newWindow(t)
	i := slices.IndexFunc(assets.Samples, func(s assets.Sample) bool { return s.File == "damaged.jsonl" })
	a := assets.Samples[i]
	w.Select(w.AddSample(a.ID, "Damaged", a.File, a.Bytes()))
	w.settle()
	lines := strings.Split(string(a.Bytes()), "\n")
	bad := w.Session().File().Doc.Damaged()
	var got []int
	last := -1
	for i := range w.RowCount() {
		r := w.Row(i)
		if r.Kind != session.RowDamaged {
			if r.Num > 0 {
				last = r.Num
			}
			continue
		}
		got = append(got, r.Note.Line)
		if last > 0 {
			if p := w.Session().Thread().Messages[w.Session().Thread().History[last-1]].Pieces; p[0].Off > r.Note.Off {
				t.Errorf("line %d is behind message %d", r.Note.Line, last)
			}
		}
		w.SelectRow(i)
		w.LoadDetail(false)
		w.settle()
		d := w.Detail()
		if d == nil || len(d.Texts) != 1 || d.Texts[0].Text != strings.TrimSuffix(lines[r.Note.Line-1], "\r") && d.Texts[0].Text != lines[r.Note.Line-1] {
			t.Errorf("line %d shows %+v", r.Note.Line, d)
		}
	}
	if len(got) != len(bad) || len(bad) == 0 || !slices.IsSorted(got) {
		t.Errorf("rows for %v, %d are damaged", got, len(bad))
	}
	w.SetFilter(Filter{Text: "is:summary"})
	w.settle()
	for i := range w.RowCount() {
		if w.Row(i).Kind == session.RowDamaged {
			t.Error("a damaged line passes for a summary")
		}
	}
}
