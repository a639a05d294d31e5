package summarize

import (
	"strings"
	"testing"
)

func TestTemplatesAreChecked(t *testing.T) {
	built := Sections()
	if list := built.Check(); len(list) != 0 {
		t.Errorf("the built-in wording: %+v", list)
	}
	for _, c := range []struct {
		en, zh string
		want   string
	}{
		{"", " \n", "0 empty "},
		{"Begin with 'Conversation summary:'{limit}", "", ""},
		{"", "以「对话摘要：」开头{limit}", ""},
		{"conversation summary: {limits} {limit}", "", "1 placeholder {limits}"},
		{`Conversation summary:{limit} as {"json": 1}`, "", ""},
		{"Conversation summary:", "对话摘要", "1 no-limit |2 no-limit "},
		{"Be brief{limit}", "{n}对话摘要{limit}", "1 no-prefix |2 placeholder {n}"},
	} {
		tpl := Template{Name: "own", English: c.en, Chinese: c.zh}
		var got []string
		for _, p := range tpl.Check() {
			if p.Fault.Fatal() != (p.Fault == TemplateEmpty || p.Fault == TemplateUnknown) {
				t.Errorf("%s", p.Fault)
			}
			n := "1"
			switch {
			case p.Fault == TemplateEmpty:
				n = "0"
			case p.Lang == Chinese:
				n = "2"
			}
			got = append(got, n+" "+string(p.Fault)+" "+p.Detail)
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q, %q: %q, want %q", c.en, c.zh, s, c.want)
		}
	}
}
