package facts

import (
	"fmt"
	"slices"
	"testing"

	"palimpsest/model"
)

// Facts in text without spaces: where a path, a flag or a sentence begins and ends.
func TestFactsOfCJKText(t *testing.T) {
	for _, c := range []struct {
		author Author
		text   string
		want   []string
	}{
		{User, "日志在/var/log/app.log里，参数--dry-run，预算3万元", []string{"path /var/log/app.log", "identifier --dry-run", "number 3万元"}},
		{User, "帮我修复登录页面，先看 文档/设计.md。", []string{"path 文档/设计.md", "instruction 帮我修复登录页面，先看 文档/设计.md"}},
		{User, "設定は/etc/nginx/nginx.confにあります。「自動保存」は絶対に消さないで。",
			[]string{"path /etc/nginx/nginx.conf", "quoted 自動保存", "instruction 「自動保存」は絶対に消さないで"}},
		{Agent, "错误：找不到模块 utils/日期.ts", []string{"path utils/日期.ts", "error 错误：找不到模块 utils/日期.ts"}},
		{User, "파일은 src/로그인/화면.tsx 이고 제한은 30초입니다. 수정해 주세요.",
			[]string{"path src/로그인/화면.tsx", "number 30초", "instruction 수정해 주세요"}},
		{User, "航班HAT218改到窗边，订单KCZ9UM", []string{"identifier HAT218", "identifier KCZ9UM"}},
	} {
		var got []string
		Lift(&Message{Author: c.author, Parts: []model.Part{{Kind: model.PartText, Text: c.text}}}, func(l Lifted) {
			got = append(got, fmt.Sprint(l.Kind, " ", l.Text))
		})
		for _, w := range c.want {
			if !slices.Contains(got, w) {
				t.Errorf("%s: no %q in %q", c.text, w, got)
			}
		}
	}
}

// What a tool, a program or a printed address puts into a text is no fact of the work.
func TestFramesAreNoFacts(t *testing.T) {
	for _, c := range []struct {
		part model.Part
		not  []string
	}{
		{model.Part{Kind: model.PartResult, Error: true, Text: "Chunk ID: 2f6fcb\nWall time: 0.1 s\nok"}, []string{"error Chunk ID: 2f6fcb"}},
		{model.Part{Kind: model.PartResult, Error: true, Text: "Exit code 1\nfile.go:3: undefined: x"}, []string{"error Exit code 1"}},
		{model.Part{Kind: model.PartText, Text: "isError: true,\nlast_error: getStatusMessage(error),"}, []string{"error isError: true,", "error last_error: getStatusMessage(error),"}},
		{model.Part{Kind: model.PartText, Text: "sed 's/old_string/new_string/g' f.txt; sed '1,10s/old_string/new_string/' > /dev/null"},
			[]string{"path s/old_string/new_string/g", "path /old_string/new_string/", "number 10s", "path /dev/null"}},
		{model.Part{Kind: model.PartText, Text: "printf %02x at 323 W Galer St"}, []string{"number 02x", "number 323 W"}},
	} {
		Lift(&Message{Author: Agent, Parts: []model.Part{c.part}}, func(l Lifted) {
			if f := fmt.Sprint(l.Kind, " ", l.Text); slices.Contains(c.not, f) {
				t.Errorf("%q: %s", c.part.Text, f)
			}
		})
	}
}
