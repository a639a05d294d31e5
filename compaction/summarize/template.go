package summarize

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"palimpsest/model/pattern"
)

// Template is the wording of a request for a summary: what comes before the
// data. "{limit}" in it is replaced by the length allowed, in brackets. People
// may change it; [Template.Version] distinguishes the wordings.
type Template struct {
	Name    string `json:"name"`
	English string `json:"en"` // for histories in all other languages
	Chinese string `json:"zh"`
}

const limitMark = "{limit}"

// TemplateFault names something that is wrong with a wording.
type TemplateFault string

const (
	TemplateEmpty    TemplateFault = "empty"       // it holds no words
	TemplateUnknown  TemplateFault = "placeholder" // it holds a placeholder that nothing is put in for
	TemplateNoLimit  TemplateFault = "no-limit"    // the summary's length is not limited
	TemplateNoPrefix TemplateFault = "no-prefix"   // the required beginning is not stated, and answers are judged by it
)

// TemplateFaults lists all faults, so that a screen can prove it has words for
// each.
func TemplateFaults() []TemplateFault {
	return []TemplateFault{TemplateEmpty, TemplateUnknown, TemplateNoLimit, TemplateNoPrefix}
}

// Fatal reports whether nothing can be asked with the wording; the other faults
// are a person's choice.
func (f TemplateFault) Fatal() bool { return f == TemplateEmpty || f == TemplateUnknown }

// TemplateProblem is a fault of a template in one of its languages.
type TemplateProblem struct {
	Lang   Lang
	Fault  TemplateFault
	Detail string // the placeholder; "" for the others
}

var placeholderExpr = pattern.New(`\{[A-Za-z_][A-Za-z0-9_]*\}`)

// Check lists what is wrong with a template. A language without words is asked
// for in those of the other one.
func (t *Template) Check() []TemplateProblem {
	if strings.TrimSpace(t.English) == "" && strings.TrimSpace(t.Chinese) == "" {
		return []TemplateProblem{{English, TemplateEmpty, ""}}
	}
	var out []TemplateProblem
	for l, text := range map[Lang]string{English: t.English, Chinese: t.Chinese} {
		if strings.TrimSpace(text) == "" {
			continue
		}
		for _, p := range placeholderExpr.FindAllString(text, -1) {
			if p != limitMark {
				out = append(out, TemplateProblem{l, TemplateUnknown, p})
			}
		}
		if !strings.Contains(text, limitMark) {
			out = append(out, TemplateProblem{l, TemplateNoLimit, ""})
		}
		prefix := strings.TrimRight(promptWordsOf(l).prefix, ":：")
		if !strings.Contains(strings.ToLower(text), strings.ToLower(prefix)) {
			out = append(out, TemplateProblem{l, TemplateNoPrefix, ""})
		}
	}
	slices.SortStableFunc(out, func(a, b TemplateProblem) int { return cmp.Compare(a.Lang, b.Lang) })
	return out
}

// Version is the name with a mark of the wording, so that a record, and an
// answer that is kept, can say which words led to it.
func (t *Template) Version() string {
	sum := sha256.Sum256([]byte(t.English + "\x00" + t.Chinese))
	return t.Name + "@" + hex.EncodeToString(sum[:4])
}

// Wording is the text for a language.
func (t *Template) Wording(l Lang) string { return t.in(l) }

func (t *Template) in(l Lang) string {
	text := t.English
	if l == Chinese && t.Chinese != "" || text == "" {
		text = t.Chinese
	}
	if n := len(text); n > 0 && text[n-1] != '\n' {
		text += "\n"
	}
	return text
}

// Sections asks for a summary under headings that a reader can scan.
func Sections() Template {
	return Template{
		Name: "sections",
		English: "Compress the following conversation into a summary{limit} from which the work can go on.\n" +
			"Write in the language of the conversation. Begin with 'Conversation summary:'. Then use these headings, in this order, " +
			"and leave out those that would be empty:\n" +
			"## Goal\n## Constraints\n## Decisions\n## Done\n## Open\n## Files\n## Commands\n## Errors\n## Next\n" +
			"Under Constraints, repeat what the person demanded or forbade word for word.\n" +
			"Copy paths, commands, identifiers, numbers with their units and error messages exactly as they stand. Say nothing that " +
			"is not in the text.\n" +
			"Leave out: small talk, repetition, detailed tool output.\n",
		Chinese: "请将以下对话历史压缩成一份摘要{limit}，使工作可以据此继续。\n" +
			"用中文输出，以「对话摘要：」开头。然后按顺序使用以下标题，内容为空的标题省略：\n" +
			"## 目标\n## 约束\n## 决策\n## 已完成\n## 未完成\n## 文件\n## 命令\n## 错误\n## 下一步\n" +
			"在「约束」下逐字重复用户要求或禁止的内容。\n" +
			"路径、命令、标识符、带单位的数字和错误信息须原样照抄。不要写文本中没有的内容。\n" +
			"忽略：闲聊、重复内容、工具执行的详细输出。\n",
	}
}
