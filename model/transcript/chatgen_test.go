package transcript

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"pgregory.net/rapid"
	"strings"
	"testing"

	"palimpsest/model"
)

// spelling is how a generated document spells JSON.
type spelling struct {
	indent       string
	ascii, crlf  bool
	bom, noFinal bool
	roleLast     bool
}

func drawSpelling(t *rapid.T) spelling {
	return spelling{
		indent:   rapid.SampledFrom([]string{"", "", " ", "  ", "\t"}).Draw(t, "indent"),
		ascii:    rapid.Bool().Draw(t, "ascii"),
		crlf:     rapid.Bool().Draw(t, "crlf"),
		bom:      rapid.IntRange(0, 5).Draw(t, "bom") == 0,
		noFinal:  rapid.Bool().Draw(t, "noFinal"),
		roleLast: rapid.Bool().Draw(t, "roleLast"),
	}
}

// member is a key with a value; order is kept.
type member struct {
	key string
	val any
}

// ordered spells an object with its members in order.
type ordered []member

func (o ordered) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		k, v := encode(m.key), encode(m.val)
		b.Write(k)
		b.WriteByte(':')
		b.Write(v)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// spell writes one value, or one a line.
func (s spelling) spell(lines bool, values ...any) string {
	var parts []string
	for _, v := range values {
		b := encode(v)
		if s.indent != "" && !lines {
			var out bytes.Buffer
			if err := json.Indent(&out, b, "", s.indent); err != nil {
				panic(err)
			}
			b = out.Bytes()
		}
		parts = append(parts, string(b))
	}
	text := strings.Join(parts, "\n")
	if s.ascii {
		var b strings.Builder
		for _, r := range text {
			if r < 0x80 {
				b.WriteRune(r)
			} else if r > 0xffff {
				fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
			} else {
				fmt.Fprintf(&b, `\u%04x`, r)
			}
		}
		text = b.String()
	}
	if !s.noFinal {
		text += "\n"
	}
	if s.crlf {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if s.bom {
		text = "\ufeff" + text
	}
	return text
}

func (s spelling) message(role string, more ...member) ordered {
	if s.roleLast {
		return append(more, member{"role", role})
	}
	return append(ordered{{"role", role}}, more...)
}

var genText = rapid.SampledFrom([]string{"go on", "a \"quote\" \\ and\nlines", "漢字 😀 é", "<tag> & more", "{}", "x"})

// genTurn draws what an agent's turn holds: the ids of its calls and which of
// them are answered, in what order.
func genTurn(t *rapid.T) (calls []string, answers []string) {
	n := rapid.SampledFrom([]int{0, 0, 1, 1, 2, 3}).Draw(t, "calls")
	for k := range n {
		calls = append(calls, rapid.SampledFrom([]string{"0", fmt.Sprint("c", k)}).Draw(t, "id"))
	}
	answers = rapid.Permutation(calls).Draw(t, "order")
	if n > 0 && rapid.IntRange(0, 6).Draw(t, "abandoned") == 0 {
		answers = answers[1:]
	}
	return calls, answers
}

// genOpenAI draws a conversation in OpenAI's form.
func genOpenAI(t *rapid.T, s spelling) []any {
	var out []any
	add := func(role string, more ...member) { out = append(out, s.message(role, more...)) }
	if rapid.Bool().Draw(t, "system") {
		add(rapid.SampledFrom([]string{"system", "developer"}).Draw(t, "role"), member{"content", "You are an agent."})
	}
	add("user", member{"content", genText.Draw(t, "task")})
	for range rapid.IntRange(1, 8).Draw(t, "turns") {
		if rapid.IntRange(0, 3).Draw(t, "user") == 0 {
			add("user", member{"content", []any{ordered{{"type", "text"}, {"text", genText.Draw(t, "says")}}}})
		}
		calls, answers := genTurn(t)
		var more []member
		switch rapid.IntRange(0, 3).Draw(t, "content") {
		case 0:
			more = append(more, member{"content", nil})
		case 1:
			more = append(more, member{"content", ""})
		default:
			more = append(more, member{"content", genText.Draw(t, "text")})
		}
		var list []any
		for _, id := range calls {
			list = append(list, ordered{{"id", id}, {"type", "function"},
				{"function", ordered{{"name", "run"}, {"arguments", `{"cmd": "` + id}}}}) // cut arguments happen
		}
		if len(list) > 0 {
			more = append(more, member{"tool_calls", list})
		}
		add("assistant", more...)
		for _, id := range answers {
			add("tool", member{"tool_call_id", id}, member{"content", genText.Draw(t, "result")})
		}
		if rapid.IntRange(0, 15).Draw(t, "odd") == 0 {
			add("critic", member{"content", "an unknown role"})
		}
	}
	return out
}

// genAnthropic draws a conversation in Anthropic's form: results share a user
// message with each other and with text.
func genAnthropic(t *rapid.T, s spelling) []any {
	var out []any
	add := func(role string, content any) { out = append(out, s.message(role, member{"content", content})) }
	text := func(name string) any { return ordered{{"type", "text"}, {"text", genText.Draw(t, name)}} }
	add("user", genText.Draw(t, "task"))
	hidden := rapid.IntRange(0, 3).Draw(t, "compaction") == 0
	for i := range rapid.IntRange(1, 8).Draw(t, "turns") {
		calls, answers := genTurn(t)
		blocks := []any{ordered{{"type", "thinking"}, {"thinking", "hm"}, {"signature", "c2ln"}}}
		if i > 0 && hidden {
			blocks = []any{ordered{{"type", "compaction"}, {"content", "what was before"}}}
			hidden = false
		}
		if len(calls) == 0 || rapid.Bool().Draw(t, "says") {
			blocks = append(blocks, text("text"))
		}
		for _, id := range calls {
			blocks = append(blocks, ordered{{"type", "tool_use"}, {"id", id}, {"name", "run"}, {"input", ordered{{"z", 1}, {"a", id}}}})
		}
		add("assistant", blocks)
		var results []any
		for _, id := range answers {
			results = append(results, ordered{{"type", "tool_result"}, {"tool_use_id", id}, {"content", genText.Draw(t, "result")}})
		}
		if len(results) == 0 || rapid.IntRange(0, 3).Draw(t, "more") == 0 {
			results = append(results, text("more"))
		}
		add("user", results)
	}
	return out
}

// wrap puts conversations into one of the shapes in which files hold them.
func wrap(t *rapid.T, s spelling, talks [][]any) string {
	object := func(talk []any) any {
		return ordered{{"model", "m"}, {"messages", talk}, {"tools", []any{}}}
	}
	shape := rapid.SampledFrom([]string{"array", "object", "lines", "collection"}).Draw(t, "shape")
	var all []any
	for _, talk := range talks {
		all = append(all, object(talk))
	}
	switch shape {
	case "array":
		return s.spell(false, talks[0])
	case "object":
		return s.spell(false, all[0])
	case "lines":
		return s.spell(true, append(all, object(talks[0]))...)
	}
	return s.spell(false, all)
}

func propRequests(t *testing.T, format model.Format, gen func(*rapid.T, spelling) []any) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpelling(t)
		talks := [][]any{gen(t, s), gen(t, s)}
		text := wrap(t, s, talks)
		d, err := Read(context.Background(), "generated", strings.NewReader(text), int64(len(text)), Options{})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if d.Format != format {
			t.Skip("only text: the other format")
		}
		checkDocument(t, d)
		checkDropNothing(t, d)
		conv := rapid.IntRange(0, len(d.Conversations)-1).Draw(t, "conversation")
		th := d.Conversations[conv].Main()
		live := th.Live(len(th.History))
		from := 0
		for from < len(live) && th.Messages[live[from]].Kind == model.KindSystem {
			from++
		}
		cuts := append([]int{from}, legalCuts(th, live, from)...)
		a := rapid.IntRange(0, len(cuts)-2).Draw(t, "from")
		b := rapid.IntRange(a+1, len(cuts)-1).Draw(t, "to")
		checkRewrite(t, d, conv, live, cuts[a], cuts[b])
	})
}

func TestOpenAIProperties(t *testing.T) { propRequests(t, model.FormatOpenAI, genOpenAI) }

func TestAnthropicProperties(t *testing.T) { propRequests(t, model.FormatAnthropic, genAnthropic) }
