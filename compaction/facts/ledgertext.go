package facts

import (
	"slices"
	"strings"
)

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
	x      *Index
	words  *ledgerVocabulary
	leads  bool    // figures and hashes follow theirs
	groups *groups // of paths
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

// byKind parts facts by kind.
func (l *ledgerLayout) byKind(ids []ID) (by [Kinds][]ID) {
	for _, id := range ids {
		k := l.x.facts[id].Kind
		by[k] = append(by[k], id)
	}
	return by
}

// names writes identifiers: names by family, tests, constants, options, IDs.
func (l *ledgerLayout) names(b *strings.Builder, ids []ID) {
	heads := [sortsOfName]string{plainName: l.words.heads[Identifier], testName: l.words.tests, fixedName: l.words.fixed,
		optionName: l.words.options, markName: l.words.marks}
	var by [sortsOfName][]ID
	names := l.x.names()
	for _, id := range ids {
		by[names[id].sort] = append(by[names[id].sort], id)
	}
	by[plainName] = l.byFamily(by[plainName])
	for sort, list := range by {
		if len(list) == 0 {
			continue
		}
		texts, gap := l.literals(list), " "
		if sortOfName(sort) == markName && slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, " ") }) {
			gap = ", "
		}
		b.WriteString("\n" + heads[sort] + " " + strings.Join(texts, gap))
	}
}

// byFamily are names, each next to the first one that begins with the same word before a
// dot: session, session.State, session.reset.
func (l *ledgerLayout) byFamily(names []ID) (out []ID) {
	var families []string
	of, members := l.x.names(), map[string][]ID{}
	for _, id := range names {
		family := of[id].family
		if members[family] == nil {
			families = append(families, family)
		}
		members[family] = append(members[family], id)
	}
	for _, family := range families {
		out = append(out, members[family]...)
	}
	return out
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

// literals are facts as a list shows them.
func (l *ledgerLayout) literals(ids []ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = literal(l.x, id, l.leads)
	}
	return out
}

// paths writes paths: those with folders, bare names of files, and those relative
// to another file's folder; then a line for each group. Each part of a long list has its line.
func (l *ledgerLayout) paths(b *strings.Builder, ids []ID) {
	whole, lines := l.groups.below(l.x, ids)
	for i, path := range whole {
		if i > 0 && pathSort(path) != pathSort(whole[i-1]) && len(ids) > fewPaths {
			b.WriteString("\n ")
		}
		b.WriteString(" " + path)
	}
	for _, line := range lines {
		b.WriteString("\n" + line)
	}
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
