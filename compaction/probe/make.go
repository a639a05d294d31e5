package probe

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"palimpsest/model"
)

// mostQuestions bounds the questions of a cut.
const mostQuestions = 60

// Make makes the questions of a cut before history[at]: history[:at] is what a reader may
// have known, the rest is what followed, up to the next cut. kept is the text of what stays
// word for word; what it answers by itself is marked so.
func Make(history []Message, at int, kept string, chinese bool) []Question {
	before := history[:at]
	m := maker{before: before, made: calls(before), after: history[at:], told: map[string]bool{}, homes: map[string]bool{},
		kept: kept, zh: chinese}
	m.next = calls(m.after)
	m.said = m.sayings()
	for i := range m.made {
		m.homes[m.made[i].arg("workdir", "cwd")] = true
		m.named = append(append(m.named, m.made[i].files()...), m.made[i].changed()...)
	}
	slices.Sort(m.named)
	m.named = slices.Compact(m.named)
	for _, make := range []func(*maker){orders, requests, todo, tests, commits, places, answers, instead,
		continuation, blanks} {
		make(&m)
	}
	slices.SortStableFunc(m.out, func(a, b Question) int {
		return cmp.Compare(slices.Index(Kinds, a.Kind), slices.Index(Kinds, b.Kind))
	})
	return m.out[:min(len(m.out), mostQuestions)]
}

// maker makes the questions of one cut.
type maker struct {
	before, after []Message
	made, next    []call // of them
	said          []saying
	named         []string        // files that calls name
	homes         map[string]bool // folders that calls were made in
	zh            bool
	kept          string
	told          map[string]bool // right answers that are asked for
	out           []Question
}

// ask adds a question in the history's language, unless its answer stands in it or is asked
// for already. It reports whether a summary is needed for the answer.
func (m *maker) ask(q Question, en, zh string, about ...any) (needed bool) {
	if m.zh {
		en = zh
	}
	q.Ask = fmt.Sprintf(en, about...)
	key := Plain(q.Answers[0])
	if q.Rule == Choice {
		key += q.Ask
	}
	if m.told[key] || q.Rule != Choice && q.Excerpt(q.Ask) != "" {
		return false
	}
	m.told[key] = true
	q.Kept = q.Excerpt(m.kept) != ""
	m.out = append(m.out, q)
	return !q.Kept
}

// choose adds a question with choices, of which the first is right; they are put into an
// order that the question decides.
func (m *maker) choose(q Question, choices []string, en, zh string, about ...any) bool {
	q.Rule, q.Answers, q.Choices = Choice, choices[:1], slices.Clone(choices)
	place := func(choice string) uint32 { return crc32.ChecksumIEEE([]byte(choice)) + uint32(q.Message) }
	slices.SortFunc(q.Choices, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
	return m.ask(q, en, zh, about...)
}

// todo asks for the next open item of the agent's list.
func todo(m *maker) {
	items, num := m.list()
	open := slices.IndexFunc(items, func(t item) bool { return t.state == "in_progress" })
	if open < 0 {
		open = slices.IndexFunc(items, func(t item) bool { return t.state == "pending" })
	}
	if open < 0 || len(Content(items[open].text)) < 2 {
		return
	}
	m.ask(Question{Kind: State, Rule: Words, Answers: []string{items[open].text}, Message: num},
		"Which item of the agent's to-do list is in work, or else the first that is still to be done? Quote it.",
		"在代理的待办清单中，正在进行的，或者第一个尚未完成的是哪一项？请引用原文。")
}

// item is one of a to-do list.
type item struct{ text, state string }

// list is the agent's to-do list as its calls left it, and the message that did last.
func (m *maker) list() (items []item, num int) {
	numbered := map[string]int{}
	for i := range m.made {
		c := &m.made[i]
		switch strings.ToLower(c.tool) {
		case "todowrite", "update_plan", "todo_write":
			list, _ := c.args["todos"].([]any)
			if list == nil {
				list, _ = c.args["plan"].([]any)
			}
			if list == nil || c.failed {
				continue
			}
			items, num, numbered = nil, c.num, map[string]int{}
			for _, x := range list {
				o, _ := x.(map[string]any)
				state, _ := o["status"].(string)
				text, _ := o["content"].(string)
				if step, ok := o["step"].(string); ok {
					text = step
				}
				items = append(items, item{text, state})
			}
		case "taskcreate":
			if t := groups("task", c.result); t != nil {
				if _, again := numbered[t[0][0]]; again { // another list
					items, numbered = nil, map[string]int{}
				}
				numbered[t[0][0]], num = len(items), c.num
				items = append(items, item{c.arg("subject"), "pending"})
			}
		case "taskupdate":
			if k, ok := numbered[c.arg("taskId")]; ok && !c.failed {
				num = c.num
				items[k].text, items[k].state = cmp.Or(c.arg("subject"), items[k].text), cmp.Or(c.arg("status"), items[k].state)
			}
		}
	}
	return items, num
}

// tests asks what the last run of the tests showed.
func tests(m *maker) {
	for i := len(m.made) - 1; i >= 0; i-- {
		c := &m.made[i]
		cmd := c.command()
		if c.ended == 0 || !like("tests", cmd) || strings.Contains(cmd, "git commit") {
			continue
		}
		cmd = oneLine(cmd, 120)
		var failed []string
		for _, x := range groups("failing", c.result) {
			failed = append(failed, strings.TrimSpace(x[0]))
		}
		if len(failed) > 0 {
			m.ask(Question{Kind: State, Rule: Literal, Answers: failed, Message: c.ended},
				"Name a test that failed in the latest run of the tests (%s).", "最近一次运行测试（%s）时，哪个测试失败了？说出一个。", cmd)
			return
		}
		choices := []string{"it passed", "it failed", "it could not be started"}
		bad := like("failedRun", c.result)
		if bad {
			choices[0], choices[1] = choices[1], choices[0]
		}
		if bad || like("passedRun", c.result) {
			m.choose(Question{Kind: State, Message: c.ended, Clue: c.clue()}, choices,
				"How did the latest run of the tests end (%s)?", "最近一次运行测试（%s）的结果如何？", cmd)
		}
		return
	}
}

// commits asks for hashes, and for the subject of the newest commit.
func commits(m *maker) {
	newest, seen := true, map[string]bool{}
	for i := len(m.made) - 1; i >= 0 && len(m.out) < mostQuestions; i-- {
		c := &m.made[i]
		if cmd := c.command(); !strings.Contains(cmd, "commit") || strings.Contains(cmd, "--amend") || c.failed {
			continue
		}
		for _, x := range slices.Backward(groups("committed", c.result)) {
			if newest && len(Content(x[1])) >= 3 {
				m.ask(Question{Kind: Artifact, Rule: Words, Answers: []string{x[1]}, Message: c.ended},
					"What is the subject of the newest commit that the agent made?", "代理最近一次提交的标题是什么？")
			} else if !newest && !seen[Plain(x[1])] {
				m.ask(Question{Kind: Artifact, Rule: Literal, Answers: []string{x[0]}, Message: c.ended},
					"Which hash has the commit “%s”?", "提交“%s”的哈希是什么？", x[1])
			}
			newest, seen[Plain(x[1])] = false, true
		}
	}
}

// places asks where files are that were changed, and others that the agent goes on to use.
func places(m *maker) {
	const most = 14
	num, changed := map[string]int{}, map[string]bool{}
	var files []string // those that are used next, then the changed ones, the newest first
	for i := range m.made {
		for _, f := range append(m.made[i].files(), m.made[i].changed()...) {
			num[f] = m.made[i].num
		}
		for _, f := range m.made[i].changed() {
			changed[f] = true
			files = append(files, f)
		}
	}
	for i := range m.next {
		files = append(files, m.next[len(m.next)-1-i].files()...)
	}
	asked := 0
	for _, f := range slices.Backward(files) {
		q := Question{Kind: Recall, Rule: Literal, Answers: []string{near(f)}, Message: num[f]}
		if changed[f] {
			q.Kind = Artifact
		}
		if num[f] > 0 && asked < most && m.telling(f) && m.ask(q,
			"The agent worked on a file called %s. In which folder is it? Give the path.",
			"代理处理过一个名为 %s 的文件。它在哪个文件夹里？给出路径。", path.Base(f)) {
			asked++
		}
	}
}

// telling reports whether the name of a file and its folder tell it from others: no other of
// its name was seen, and the folder is not likely the whole project, which relative
// paths leave out.
func (m *maker) telling(file string) bool {
	base, dir := path.Base(file), path.Dir(file)
	under, deeper := 0, false
	for _, f := range m.named {
		if strings.HasPrefix(f, dir+"/") {
			under++
			deeper = deeper || path.Dir(f) != dir
		}
	}
	if path.Ext(base) == "" || near(file) == "" || m.homes[dir] || deeper && under*2 > len(m.named) {
		return false
	}
	others := regexp.MustCompile(`([\w.@-]+)/` + regexp.QuoteMeta(base) + `\b`)
	for i := range m.before {
		for _, p := range m.before[i].Parts {
			if !strings.Contains(p.Text, base) {
				continue
			}
			for _, x := range others.FindAllStringSubmatch(p.Text, -1) {
				if x[1] != path.Base(dir) && len(x[1]) > 1 { // a and b begin the paths of a difference
					return false
				}
			}
		}
	}
	return true
}

// answers asks what a person chose where the agent offered a choice.
func answers(m *maker) {
	for i := range m.made {
		c := &m.made[i]
		list, _ := c.args["questions"].([]any)
		for _, x := range list {
			o, _ := x.(map[string]any)
			question, _ := o["question"].(string)
			options, _ := o["options"].([]any)
			var labels []string
			for _, y := range options {
				l, _ := y.(map[string]any)
				if label, ok := l["label"].(string); ok {
					labels = append(labels, label)
				}
			}
			k := slices.IndexFunc(labels, func(l string) bool { return strings.Contains(c.result, `"`+question+`"="`+l+`"`) })
			if question == "" || k < 0 || len(labels) < 2 || len(labels) > 8 {
				continue
			}
			labels[0], labels[k] = labels[k], labels[0]
			m.choose(Question{Kind: Decision, Message: c.ended}, labels,
				"The agent asked: “%s” What did the person choose?", "代理问：“%s”这个人选择了什么？", oneLine(question, 300))
		}
	}
}

// instead asks what the agent took in the place of something else, in its own words.
func instead(m *maker) {
	const most = 4
	asked, n := map[string]bool{}, 0
	for i := len(m.before) - 1; i >= 0; i-- {
		if m.before[i].Kind != model.KindAssistant {
			continue
		}
		text := strings.Join(m.before[i].texts(model.PartText), "\n")
		for _, x := range groups("took", text) {
			if n == most || asked[Plain(x[1])] || len(Content(x[0])) < 2 || like("purpose", x[0]) {
				continue
			}
			asked[Plain(x[1])] = true
			if m.ask(Question{Kind: Decision, Rule: Words, Answers: []string{x[0]}, Message: m.before[i].Num},
				"What did the agent decide to do or use instead of “%s”?", "代理决定用什么来代替“%s”？", strings.TrimSpace(x[1])) {
				n++
			}
		}
	}
}

// continuation asks for calls that the agent made next, among those of other times.
func continuation(m *maker) {
	const most, soon, others = 3, 10, 3
	following := map[string]bool{}
	for i := range m.next[:min(len(m.next), soon)] {
		following[m.next[i].spelled()] = true
	}
	seen, known := map[string]bool{}, map[string]bool{}
	var pool []string // of other times, the oldest first
	for i := range m.made {
		s := m.made[i].spelled()
		known[m.made[i].clue()] = true
		if s != "" && !following[s] && !seen[s] {
			seen[s] = true
			pool = append(pool, s)
		}
	}
	asked := 0
	for i := range m.next[:min(len(m.next), soon)] {
		c := &m.next[i]
		s := c.spelled()
		if s == "" || !following[s] || !known[c.clue()] || len(pool) < 2*others || asked == most {
			continue
		}
		following[s] = false
		step := len(pool) / (others + 1)
		choices := []string{s}
		for k := range others {
			choices = append(choices, pool[(k+1)*step+i%max(1, step)])
		}
		if m.choose(Question{Kind: Continuation, Message: c.num, Clue: c.clue()}, choices,
			"Which of these calls is among the next %d that the agent makes?", "接下来的 %d 个调用中，有下列哪一个？", soon) {
			asked++
		}
	}
}

// spelled is a call as a choice; "": it has no argument by which it differs from others.
func (c *call) spelled() string {
	arg := c.mainArg()
	if arg == "" {
		return ""
	}
	return c.tool + ": " + arg
}

// clue is what a call has in common with those on the same matter: its file, or how its
// command begins.
func (c *call) clue() string {
	if f := c.file(); f != "" {
		return path.Base(f)
	}
	words := strings.Fields(c.command())
	if len(words) < 2 {
		return c.mainArg()
	}
	return words[0] + " " + words[1]
}

// blanks asks for names that the agent used after the cut, in lines of before that had them.
func blanks(m *maker) {
	const most, longest, leastWords, ofMessage = 16, 260, 5, 3
	type place struct {
		line string
		at   int
	}
	where := map[string]place{} // the newest line that has a name
	for at := range m.before {
		if k := m.before[at].Kind; k != model.KindAssistant && !m.before[at].ByPerson() {
			continue
		}
		for _, text := range m.before[at].texts(model.PartText) {
			for line := range strings.Lines(text) {
				line = strings.TrimSpace(line)
				if utf8.RuneCountInString(line) > longest {
					continue
				}
				for _, name := range literals(line) {
					where[name] = place{line, at}
				}
			}
		}
	}
	asked, of := 0, map[int]int{}
	for _, text := range m.wrote() {
		for _, name := range literals(text) {
			p, ok := where[name]
			if !ok || asked == most || of[p.at] == ofMessage {
				continue
			}
			blank := strings.ReplaceAll(p.line, name, "____")
			if like("inName", blank) || len(Content(strings.ReplaceAll(blank, "____", ""))) < leastWords {
				continue
			}
			delete(where, name)
			if m.ask(Question{Kind: Recall, Rule: Literal, Answers: []string{name}, Message: m.before[p.at].Num},
				"Which name stands in the place of ____ in this line of the history? “%s”", "历史中的这一行里，____ 处是什么名字？“%s”", blank) {
				asked++
				of[p.at]++
			}
		}
	}
}

// wrote is what the agent wrote after the cut: its texts, and the arguments of its calls.
func (m *maker) wrote() (out []string) {
	for i := range m.after {
		if m.after[i].Kind == model.KindAssistant {
			out = append(out, m.after[i].texts(model.PartText)...)
		}
	}
	for i := range m.next {
		c := &m.next[i]
		for _, names := range [][]string{{"command", "cmd"}, {"old_string"}, {"new_string"}, {"content"}, {"pattern"}, {"input", "patch"}} {
			out = append(out, c.arg(names...))
		}
	}
	return out
}

// literals are the names in a text: what stands in backticks, and identifiers.
func literals(text string) (out []string) {
	for _, name := range patterns()["literal"].FindAllString(text, -1) {
		if bare := strings.Trim(name, "`"); bare == name || !like("plainWord", bare) {
			out = append(out, bare)
		}
	}
	return out
}
