package facts

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// roomyBudget is the budget, in tokens, from which a ledger spends some of them
// on context: each path on a line of its own, with the names that were seen
// together with it.
const roomyBudget = 1500

// ledgerVocabulary is what a ledger says itself.
type ledgerVocabulary struct {
	title   string
	heads   [Kinds]string
	options string // identifiers that are options of programs
	marks   string // identifiers that are numbers of issues, hashes, versions
	tests   string // identifiers that are names of tests
	fixed   string // identifiers in capitals: constants, variables of the environment
}

var ledgerWords = [2]ledgerVocabulary{
	{"[Fact ledger: strings from the earlier context, word for word]", [Kinds]string{
		Instruction: "Instructions:", Decision: "Decisions:", Path: "Paths:", Command: "Commands:", Error: "Errors:",
		Identifier: "Names:", Number: "Numbers:", URL: "URLs:", Quoted: "Quoted:"}, "Options:", "IDs:", "Tests:", "Constants:"},
	{"[事实清单：早期上下文的原文]", [Kinds]string{
		Instruction: "指令：", Decision: "决定：", Path: "路径：", Command: "命令：", Error: "错误：",
		Identifier: "名称：", Number: "数值：", URL: "网址：", Quoted: "引文："}, "选项：", "编号：", "测试：", "常量："},
}

// LedgerOrder is the order in which a ledger lists the kinds.
var LedgerOrder = [Kinds]Kind{Instruction, Decision, Path, Identifier, Command, Error, Number, URL, Quoted}

// LedgerStart is where in a text the ledger begins that ends it; -1: it holds
// none.
func LedgerStart(text string) int {
	for i := range ledgerWords {
		if at := strings.LastIndex(text, ledgerWords[i].title); at == 0 || at > 0 && text[at-1] == '\n' {
			return at
		}
	}
	return -1
}

// ledgerLayout writes ledgers.
type ledgerLayout struct {
	x     *Index
	at    int
	words *ledgerVocabulary
	leads bool // figures and hashes follow theirs
	roomy bool
}

// text writes facts by kind: names side by side, those of one family together
// and apart from options and IDs; paths by what they begin with and in the order
// of their folders; what was said in the order in which it was, a line each with a
// dash, so that none of it passes for a heading. Otherwise the best of a kind
// comes first.
func (l *ledgerLayout) text(ids []ID) string {
	var by [Kinds][]ID
	for _, id := range ids {
		k := l.x.facts[id].Kind
		by[k] = append(by[k], id)
	}
	var b strings.Builder
	b.WriteString(l.words.title)
	beside := map[ID][]string{}
	if l.roomy {
		by[Identifier] = l.x.besidePaths(by[Path], by[Identifier], l.at, beside)
	}
	for _, k := range kindsWithShare {
		slices.SortStableFunc(by[k], func(a, b ID) int { return cmp.Compare(l.x.msgs[l.x.starts[a]], l.x.msgs[l.x.starts[b]]) })
	}
	for _, k := range LedgerOrder {
		if len(by[k]) == 0 {
			continue
		}
		texts := l.literals(by[k])
		switch {
		case k == Path:
			b.WriteString("\n" + l.words.heads[k])
			l.paths(&b, by[Path], beside)
		case k == Identifier:
			l.names(&b, by[k])
		case k == Number:
			b.WriteString("\n" + l.words.heads[k] + " " + strings.Join(texts, ", "))
		case k.Atom():
			b.WriteString("\n" + l.words.heads[k] + " " + strings.Join(texts, " "))
		default:
			b.WriteString("\n" + l.words.heads[k] + "\n- " + strings.Join(texts, "\n- "))
		}
	}
	return b.String()
}

// names writes identifiers: names by family, options, IDs.
func (l *ledgerLayout) names(b *strings.Builder, ids []ID) {
	var names, options, marks, tests, fixed []string
	for _, id := range ids {
		switch t := l.x.facts[id].Text; {
		case strings.HasPrefix(t, "--"):
			options = append(options, t)
		case isMark(t):
			marks = append(marks, l.explained(id))
		case isTest(t):
			tests = append(tests, t)
		case isConstant(t):
			fixed = append(fixed, t)
		default:
			names = append(names, t)
		}
	}
	gap := " "
	if slices.ContainsFunc(marks, func(t string) bool { return strings.Contains(t, " ") }) {
		gap = ", "
	}
	for _, g := range []struct {
		head, gap string
		of        []string
	}{{l.words.heads[Identifier], " ", families(names)}, {l.words.tests, " ", tests}, {l.words.fixed, " ", fixed},
		{l.words.options, " ", options}, {l.words.marks, gap, marks}} {
		if len(g.of) > 0 {
			b.WriteString("\n" + g.head + " " + strings.Join(g.of, g.gap))
		}
	}
}

// isTest reports whether a name is that of a test: TestDrain, test_drain, drain_test.
func isTest(t string) bool {
	rest, ok := strings.CutPrefix(t, "Test")
	return ok && rest != "" && (class[rest[0]] == upper || rest[0] == '_') || strings.HasPrefix(t, "test_") || strings.HasSuffix(t, "_test")
}

// isConstant reports whether a name is in capitals: MAX_RETRIES.
func isConstant(t string) bool {
	for i := 0; i < len(t); i++ {
		if class[t[i]]&(upper|digit) == 0 && t[i] != '_' {
			return false
		}
	}
	return true
}

// families puts names next to the first one that begins with the same word before
// a dot: session, session.State, session.reset.
func families(names []string) []string {
	first := map[string]int{} // by family: where it is in the list below
	var families [][]string
	for _, t := range names {
		family, _, _ := strings.Cut(t, ".")
		i, ok := first[family]
		if !ok {
			i, first[family] = len(families), len(families)
			families = append(families, nil)
		}
		families[i] = append(families[i], t)
	}
	return slices.Concat(families...)
}

// literals are facts as a list shows them.
func (l *ledgerLayout) literals(ids []ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = l.explained(id)
	}
	return out
}

// paths writes paths: those with folders, bare names of files, and those relative
// to another file's folder; those with names next to them on lines of their own.
// Each group of a long list has its line.
func (l *ledgerLayout) paths(b *strings.Builder, ids []ID, beside map[ID][]string) {
	ids = slices.Clone(ids)
	sort.Slice(ids, func(i, j int) bool {
		a, b := l.x.facts[ids[i]].Text, l.x.facts[ids[j]].Text
		if x, y := pathGroup(a), pathGroup(b); x != y {
			return x < y
		}
		return a < b
	})
	group := 0
	for _, id := range ids {
		if len(beside[id]) == 0 {
			t := l.x.facts[id].Text
			if g := pathGroup(t); g != group && len(ids) > fewPaths && group > 0 {
				b.WriteString("\n ")
			}
			group = pathGroup(t)
			b.WriteString(" " + t)
		}
	}
	for _, id := range ids {
		if names := beside[id]; len(names) > 0 {
			b.WriteString("\n- " + l.x.facts[id].Text + ": " + strings.Join(families(names), " "))
		}
	}
}

// fewPaths go on one line.
const fewPaths = 12

// pathGroup orders paths: 1 with folders, 2 bare names, 3 relative to another folder.
func pathGroup(t string) int {
	switch {
	case strings.HasPrefix(t, "./"), strings.HasPrefix(t, "../"):
		return 3
	case strings.IndexByte(t, '/') < 0:
		return 2
	}
	return 1
}

// seenIn bounds the messages of a name that are searched for paths.
const seenIn = 8

// mostBeside is how many names may follow a path on its line: minified code
// would put hundreds behind whatever path it names.
const mostBeside = 12

// besidePaths finds for each name the listed path that the agent and its tools
// most had it together with: in two messages at least, or in all that hold it.
// Messages count by how few of the listed paths they hold. What has no such path
// is given back.
func (x *Index) besidePaths(paths, names []ID, at int, beside map[ID][]string) (rest []ID) {
	slots := make(map[ID]int32, len(paths))
	for i, id := range paths {
		slots[id] = int32(i)
	}
	held := map[uint32][]int32{} // listed paths of a message
	weight, times := make([]float64, len(paths)), make([]int, len(paths))
	for _, name := range names {
		end, _ := x.between(name, at, at+1)
		begin := max(x.starts[name], end-min(end, seenIn))
		best := int32(-1)
		for k := begin; k < end; k++ {
			m := x.msgs[k]
			list, ok := held[m]
			if !ok {
				for _, id := range x.list[x.from[m]:x.from[m+1]] {
					if i, ok := slots[id]; ok {
						list = append(list, i)
					}
				}
				held[m] = list
			}
			for _, i := range list {
				weight[i] += 1 / float64(len(list))
				times[i]++
				if best < 0 || weight[i] > weight[best] || weight[i] == weight[best] && paths[i] < paths[best] {
					best = i
				}
			}
		}
		found := best >= 0 && (times[best] >= 2 || times[best] == int(end-begin))
		for k := begin; k < end; k++ {
			for _, i := range held[x.msgs[k]] {
				weight[i], times[i] = 0, 0
			}
		}
		if found && len(beside[paths[best]]) < mostBeside {
			beside[paths[best]] = append(beside[paths[best]], x.facts[name].Text)
			continue
		}
		rest = append(rest, name)
	}
	return rest
}
