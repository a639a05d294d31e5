package query

import (
	"slices"
	"strings"

	"palimpsest/model"
)

// Key is what a clause asks a message about.
type Key string

// The keys.
const (
	Role    Key = "role"
	Tool    Key = "tool"
	Tokens  Key = "tokens"
	Fate    Key = "fate"
	Is      Key = "is"
	Has     Key = "has"
	File    Key = "file"
	In      Key = "in"
	Message Key = "message"
	Match   Key = "match"
)

// KeyInfo describes a key.
type KeyInfo struct {
	Key    Key
	Also   []string // other names: Chinese ones
	Number bool     // it is compared with numbers
	Values []Choice // the only values; none: any text
}

// Choice is a value of a key that has a fixed list of them.
type Choice struct {
	Name string
	Also []string
}

// Keys is the table of operators, in the order in which they are offered.
var Keys = []KeyInfo{
	{Key: Role, Also: []string{"角色"}, Values: choices("user 用户", "assistant 助手", "tool 工具 result", "system 系统", "developer 开发者",
		"other 其他")},
	{Key: Tool, Also: []string{"工具"}},
	{Key: Tokens, Also: []string{"词元", "令牌"}, Number: true},
	{Key: Fate, Also: []string{"去向", "结局"}, Values: fateChoices()},
	{Key: Is, Also: []string{"是", "状态"}, Values: choices("error 错误 出错", "pinned 固定", "typed 本人", "live 在场", "gone 已去", "summary 摘要")},
	{Key: Has, Also: []string{"含", "有", "包含"}, Values: choices("image 图片", "media 媒体", "call 调用", "reasoning 推理", "code 代码", "link 链接")},
	{Key: File, Also: []string{"文件"}},
	{Key: In, Also: []string{"在"}, Values: choices("text 正文", "reasoning 推理", "call 调用", "result 结果", "summary 摘要")},
	{Key: Message, Also: []string{"消息"}, Number: true},
	{Key: Match, Also: []string{"匹配"}, Values: choices("case 大小写", "word 整词", "regexp 正则")},
}

// choices are values, each with its other names behind it.
func choices(list ...string) (out []Choice) {
	for _, c := range list {
		names := strings.Fields(c)
		out = append(out, Choice{names[0], names[1:]})
	}
	return out
}

// fateChoices are the fates by their letters, which a person may also spell out.
func fateChoices() (list []Choice) {
	zh := []string{"保留", "固定", "清除", "摘要", "丢弃", "新增"}
	for i, f := range model.Fates {
		list = append(list, Choice{f.Letter(), []string{f.String(), zh[i], "已" + zh[i]}})
	}
	return list
}

// keyOf finds a key by any of its names, whatever the case.
func keyOf(name string) *KeyInfo {
	name = strings.ToLower(name)
	for i := range Keys {
		if k := &Keys[i]; string(k.Key) == name || slices.Contains(k.Also, name) {
			return k
		}
	}
	return nil
}

// Info describes a key.
func (k Key) Info() *KeyInfo { return keyOf(string(k)) }

// choose finds a value by any of its names; "" is none.
func (k *KeyInfo) choose(name string) string {
	for _, c := range k.Values {
		if strings.EqualFold(c.Name, name) || slices.ContainsFunc(c.Also, func(a string) bool { return strings.EqualFold(a, name) }) {
			return c.Name
		}
	}
	return ""
}

// Near is the name out of a list that a misspelled one is likeliest to mean; "" if
// none is near.
func Near(name string, list []string) string {
	best, at := "", 2
	if len(name) < 6 {
		at = 1
	}
	for _, x := range list {
		if d := distance(strings.ToLower(name), strings.ToLower(x)); d <= at && d < len(x) && (best == "" || d < at) {
			best, at = x, d
		}
	}
	return best
}

// distance is how many letters have to be put in, taken out, changed or swapped with
// their neighbour to make one word of another.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, row, next := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		next[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			next[j+1] = min(row[j+1]+1, next[j]+1, row[j]+cost)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(y)]
}
