package facts

import (
	"cmp"
	"slices"
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
	l     *Lister
	x     *Index
	at    int
	words *ledgerVocabulary
	leads bool // figures and hashes follow theirs
	roomy bool

	plan   *groupPlan          // groups of paths; nil: none
	beside func() *namesBeside // for roomy ones, as near
	near   *pathsBeside
	sizes  map[string]int // in long alone
	tables *tables

	kinds, buffers [Kinds][]ID // in byKind alone
	bySort         [sortsOfName][]ID
}

// text writes facts by kind: names side by side, those of one family together
// and apart from options and IDs; paths by what they begin with and in the order
// of their folders; what was said in the order in which it was, a line each with a
// dash, so that none of it passes for a heading. Otherwise the best of a kind
// comes first.
func (l *ledgerLayout) text(ids []ID) string {
	by := l.byKind(ids)
	var b strings.Builder
	b.Grow(32 * len(ids))
	b.WriteString(l.words.title)
	for _, k := range LedgerOrder {
		if len(by[k]) == 0 {
			continue
		}
		texts := l.literals(by[k])
		switch {
		case k == Path:
			b.WriteString("\n" + l.words.heads[k])
			l.paths(&b, by[Path])
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

// byKind parts facts by kind, each in the order in which a text writes them, but for
// names, of which those beside a path are left out, and paths.
func (l *ledgerLayout) byKind(ids []ID) *[Kinds][]ID {
	by := &l.kinds
	for k := range by {
		by[k] = l.buffers[k][:0]
	}
	for _, id := range ids {
		k := l.x.facts[id].Kind
		by[k] = append(by[k], id)
	}
	l.buffers = *by
	if l.roomy {
		if l.near == nil {
			l.near = newPathsBeside(l.beside(), l.tables)
		}
		by[Identifier] = l.near.split(l.plan.below(by[Path]), by[Identifier])
	}
	for _, k := range kindsWithShare {
		slices.SortStableFunc(by[k], func(a, b ID) int { return cmp.Compare(l.x.msgs[l.x.starts[a]], l.x.msgs[l.x.starts[b]]) })
	}
	return by
}

// names writes identifiers: names by family, options, IDs.
func (l *ledgerLayout) names(b *strings.Builder, ids []ID) {
	by := l.sorts(ids)
	for k, list := range by {
		if len(list) == 0 {
			continue
		}
		var texts []string
		gap := " "
		switch {
		case sortOfName(k) == plainName:
			texts = l.families(list)
		case sortOfName(k) == markName && l.spaced(list):
			gap = ", "
			fallthrough
		default:
			texts = l.literals(list)
		}
		b.WriteString("\n" + l.sortHead(sortOfName(k)) + " " + strings.Join(texts, gap))
	}
}

// sorts parts identifiers by their sort, in the order in which a text has the sorts.
func (l *ledgerLayout) sorts(ids []ID) *[sortsOfName][]ID {
	by := &l.bySort
	for k := range by {
		by[k] = by[k][:0]
	}
	names := l.x.names()
	for _, id := range ids {
		sort := names.of[id].sort
		by[sort] = append(by[sort], id)
	}
	return by
}

// sortHead is the head of the identifiers of a sort.
func (l *ledgerLayout) sortHead(sort sortOfName) string {
	return [sortsOfName]string{plainName: l.words.heads[Identifier], testName: l.words.tests, fixedName: l.words.fixed,
		optionName: l.words.options, markName: l.words.marks}[sort]
}

// spaced reports whether a fact of some is of several words, so that commas part them.
func (l *ledgerLayout) spaced(ids []ID) bool {
	return slices.ContainsFunc(ids, func(id ID) bool { return strings.Contains(l.explained(id), " ") })
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

// families are names, each next to the first one that begins with the same word before a
// dot: session, session.State, session.reset.
func (l *ledgerLayout) families(names []ID) []string {
	of := l.x.names().of
	var sizes []int32
	for _, id := range names {
		i := &l.tables.first[of[id].family]
		if *i == 0 {
			sizes = append(sizes, 0)
			*i = int32(len(sizes))
		}
		sizes[*i-1]++
	}
	next, sum := sizes, int32(0) // where the next of a family goes
	for i, n := range sizes {
		next[i], sum = sum, sum+n
	}
	out := make([]string, len(names))
	for _, id := range names {
		i := l.tables.first[of[id].family] - 1
		out[next[i]] = l.x.facts[id].Text
		next[i]++
	}
	for _, id := range names {
		l.tables.first[of[id].family] = 0
	}
	return out
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
// to another file's folder; those with names next to them on lines of their own. Those
// of a group follow on theirs. Each part of a long list has its line.
func (l *ledgerLayout) paths(b *strings.Builder, ids []ID) {
	listed, groups := l.plan.arrange(l.x, ids, l.near, l.tables)
	slices.SortFunc(listed, func(a, b listedPath) int {
		return cmp.Or(cmp.Compare(pathSort(a.text), pathSort(b.text)), cmp.Compare(a.text, b.text))
	})
	group := 0
	for _, p := range listed {
		if len(p.names) == 0 {
			if g := pathSort(p.text); g != group && len(ids) > fewPaths && group > 0 {
				b.WriteString("\n ")
			}
			group = pathSort(p.text)
			b.WriteString(" " + p.text)
		}
	}
	l.pathsWithNames(b, listed)
	for _, g := range groups {
		b.WriteString("\n")
		l.group(b, g)
	}
}

// group writes a group of paths.
func (l *ledgerLayout) group(b *strings.Builder, g listedFolder) {
	b.WriteString(g.folder + "{")
	gap := ""
	for _, p := range g.paths {
		if len(p.names) == 0 {
			b.WriteString(gap + p.text)
			gap = " "
		}
	}
	if l.pathsWithNames(b, g.paths) {
		b.WriteString("\n")
	}
	b.WriteString("}")
}

// pathsWithNames writes those paths that names follow.
func (l *ledgerLayout) pathsWithNames(b *strings.Builder, list []listedPath) (any bool) {
	for _, p := range list {
		if len(p.names) > 0 {
			b.WriteString("\n- " + p.text + ": " + strings.Join(l.families(p.names), " "))
			any = true
		}
	}
	return any
}

// fewPaths go on one line.
const fewPaths = 12

// pathSort orders paths: 1 with folders, 2 bare names, 3 relative to another folder.
func pathSort(t string) int {
	switch {
	case strings.HasPrefix(t, "./"), strings.HasPrefix(t, "../"):
		return 3
	case strings.IndexByte(t, '/') < 0:
		return 2
	}
	return 1
}

// LedgerHead reads the head of a group of a ledger, "Paths: a.go b.go". It
// returns the kind of the facts that follow and what is on the line itself; ok
// is false for any other line.
func LedgerHead(line string) (k Kind, rest string, ok bool) {
	for i := range ledgerWords {
		w := &ledgerWords[i]
		for k, head := range w.heads {
			if rest, ok := afterHead(line, head); ok {
				return Kind(k), rest, true
			}
		}
		for _, head := range []string{w.options, w.marks} {
			if rest, ok := afterHead(line, head); ok {
				return Identifier, rest, true
			}
		}
	}
	return Kinds, "", false
}

func afterHead(line, head string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(line, head)
	if !ok || rest != "" && !strings.HasPrefix(rest, " ") {
		return "", false
	}
	return strings.TrimSpace(rest), true
}

// LedgerWords returns the title of a ledger and the head of a group, as they are
// written in Chinese or English.
func LedgerWords(k Kind, chinese bool) (title, head string) {
	w := &ledgerWords[0]
	if chinese {
		w = &ledgerWords[1]
	}
	return w.title, w.heads[k]
}

// IsLedgerTitle reports whether a line is the title of a ledger.
func IsLedgerTitle(line string) bool {
	line = strings.TrimSpace(line)
	return line == ledgerWords[0].title || line == ledgerWords[1].title
}
