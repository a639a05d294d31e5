package probe

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"palimpsest/model"
)

//go:embed patterns.txt
var patternText string

// patterns are the regular expressions of patterns.txt, by their names.
var patterns = sync.OnceValue(func() map[string]*regexp.Regexp {
	lines := map[string][]string{}
	for line := range strings.Lines(patternText) {
		if name, expr, ok := strings.Cut(strings.TrimRight(line, "\n"), " "); ok {
			lines[name] = append(lines[name], "(?:"+strings.TrimLeft(expr, " ")+")")
		}
	}
	out := map[string]*regexp.Regexp{}
	for name, list := range lines {
		if name[0] >= 'a' { // else it is the head of the file
			out[name] = regexp.MustCompile(strings.Join(list, "|"))
		}
	}
	return out
})

func like(name, text string) bool { return patterns()[name].MatchString(text) }

// groups are the groups of all matches of a pattern, without those of other alternatives.
func groups(name, text string) (out [][]string) {
	for _, x := range patterns()[name].FindAllStringSubmatch(text, -1) {
		out = append(out, slices.DeleteFunc(x[1:], func(g string) bool { return g == "" }))
	}
	return out
}

// saying is a sentence or message of a person.
type saying struct {
	text string
	num  int
}

// sayings are the messages that the person wrote before the cut, without what programs put
// into them.
func (m *maker) sayings() (out []saying) {
	for i := range m.before {
		if !m.before[i].Typed() {
			continue
		}
		text := strings.TrimSpace(strings.Join(m.before[i].texts(model.PartText), "\n"))
		if text != "" && !like("injected", text) {
			out = append(out, saying{text, m.before[i].Num})
		}
	}
	return out
}

// requests asks what the person said last, among what was said at other times.
func requests(m *maker) {
	const excerpt = 160
	var list []saying
	for _, s := range m.said {
		s.text = oneLine(s.text, excerpt)
		if len(Content(s.text)) >= 3 && !slices.ContainsFunc(list, func(t saying) bool { return Plain(t.text) == Plain(s.text) }) {
			list = append(list, s)
		}
	}
	if len(list) < 4 {
		return
	}
	last, others := list[len(list)-1], list[:len(list)-1]
	choices := []string{last.text}
	for k := range 3 {
		choices = append(choices, others[k*len(others)/3].text)
	}
	m.choose(Question{Kind: Request, Message: last.num}, choices, "Which of these did the person say last?", "下列哪一句是这个人最后说的？")
}

// orders asks for what the person told the agent to do always, or never, by a word that only
// this order has.
func orders(m *maker) {
	const most, longest, leastRest = 8, 260, 3
	var list []saying
	count := map[string]int{}
	for _, s := range m.said {
		seen := map[string]bool{}
		for _, w := range Content(s.text) {
			if !seen[w] {
				seen[w] = true
				count[w]++
			}
		}
		if len(s.text) > 4000 || strings.Contains(s.text, "```") { // a document or a log, not what somebody types
			continue
		}
		for _, sentence := range patterns()["sentence"].FindAllString(s.text, -1) {
			sentence = strings.TrimSpace(strings.TrimLeft(sentence, "-*• "))
			if utf8.RuneCountInString(sentence) <= longest && !like("pasted", sentence) && isOrder(sentence) {
				list = append(list, saying{sentence, s.num})
			}
		}
	}
	asked := 0
	for _, o := range slices.Backward(list) {
		clue, words := "", Content(o.text)
		for _, w := range words {
			if count[w] == 1 && len(w) > len(clue) && (len(w) > 4 || w[0] > 127) {
				clue = w
			}
		}
		if clue == "" || len(words) <= leastRest || asked == most {
			continue
		}
		if m.ask(Question{Kind: Order, Rule: Words, Answers: []string{o.text}, Message: o.num},
			"The person gave an instruction that has to do with “%s”. How does it go? Quote it.",
			"这个人给过一个与“%s”有关的指示。原话是什么？", clue) {
			asked++
		}
	}
}

func isOrder(s string) bool { return like("order", s) && !like("noOrder", s) }
