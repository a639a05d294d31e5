package layers

import (
	"encoding/json"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// repairRules are the ids of the rules that repair has.
var repairRules = func() string {
	var rules []struct{ ID string }
	b, err := os.ReadFile(filepath.Join("..", "..", "model", "repair", "rules.json"))
	if err == nil {
		err = json.Unmarshal(b, &rules)
	}
	if err != nil {
		panic(err)
	}
	ids := ""
	for _, r := range rules {
		ids += r.ID + " "
	}
	return ids
}()

// families are the keys of words that code puts together of a text and something that has no
// constants of a type: "PREFIX*SUFFIX", and what stands from the first star to the last. Those of
// "string(x)" or of a constant's type are known without it. "= TYPE.FIELD [PACKAGE]" are the
// texts that the field has in the literals of that type, of all packages or of one.
var families = map[string]string{
	"useIn.note.*.*": "claude-code.1 claude-code.2 claude-code.3 codex.1 codex.2 gemini-cli.1 gemini-cli.2 gemini-cli.3 " +
		"opencode.1 opencode.2 opencode.3",
	"advice.*":        "leaner middle safer",
	"advice.why.*":    "better needs never orders soon window",
	"agents.kind.*":   "assistant fixed other result summary system unseen user",
	"agents.last.*":   "assistant called error responded user",
	"asking.part.*":   "answered asking next pausing receiving",
	"batch.outcome.*": "already applied refused",
	"check.*":         "percent range reserveTrigger reserve steps tail target trigger unit window last",
	"command.*":       "= gui/commands.Command.ID",
	"export.not.*":    "ask counting later making none notApplied refused",
	"fact.*":          "command decision error identifier instruction number path quoted url",
	"fate.*":          "added cleared dropped kept pinned summarised",
	"figure.how.*": "beyond counter expected expectedSizes given literal ofBounds provider realTexts residual standIn " +
		"usualRates",
	"figure.kind.*":   "bound counted estimated reported",
	"figure.method.*": "bounds facts fixed messages rates summaries summary usage",
	"figure.name.*": "after agentPart atEnd before change cost counted difference firings full input largest live lived " +
		"lost message misses orders over peak recall recorded resent saved savedHere summary survives thrash upTo written",
	"figure.part.*": "after before cacheNew cacheRead costExpired costModel costRead costWritten could fixed messages range resent " +
		"summary unseen",
	"figure.reason.*": "afterSummary former indexing neverFires noCalls noFacts noFixed noNeeds noTexts noWindow notApplied " +
		"notMeasured notRecorded notReported nothingFollows refused unlikeBounds",
	"figure.short.*": "afterSummary former indexing neverFires noCalls noFacts noFixed noNeeds noTexts noWindow notApplied " +
		"notMeasured notRecorded notReported nothingFollows refused unlikeBounds",
	"files.*":          "documents downloads home",
	"find.match.*":     "case regexp word",
	"find.match.*.tip": "case regexp word",
	"find.wrong.*":     "empty key number order quote regexp value",
	"map.*": "answer answers by calls choose id input list messages model name none output role system text time user " +
		"written",
	"menu.*":       "compaction edit file help records session tools view",
	"metrics.*":    "all",
	"needs.*":      "= gui/commands.Command.Needs",
	"notice.*":     "= gui/desk.Notice.Code",
	"param.help.*": "= model.Param.Key",
	"preset.*":     "= compaction.Preset.ID",
	"preview.block.*": "command constants decision earlier error identifier ids instruction number options path quoted tests text " +
		"turns url",
	"privacy.door.*":      "asking clipboard export gateway",
	"privacy.door.*.what": "asking clipboard export gateway",
	"privacy.door.*.when": "asking clipboard export gateway",
	"privacy.kind.*":      "address email home phone secret",
	"reason.*": "all-kept back-off between calls-over-window clamped clamped-batch clamped-budget clamped-reserve " +
		"clamped-trigger clamped-window clause-groups clause-messages clause-steps clause-tokens clause-turns cleared " +
		"cleared-before empty estimate-off failed-calls fires fires-again fixed-above-trigger fixed-unknown former " +
		"former-stands gain gain-messages gain-tokens grows kept-start left-out manual never-fires no-trigger " +
		"not-smaller not-triggered nothing nothing-cleared only-former over-limit over-window pending pinned range " +
		"range-dropped refused-calls still-fires summary-failed summary-larger system tail tail-above-trigger tail-pair " +
		"target-missed thrash tools-unknown trigger-above-reserve unreachable untaken window-unknown",
	"recordState.*":     "any cancelled failed found inForce refused restored stored storedOrInForce switchedOff under writtenBack",
	"records.*":         "= gui/kit/grid.Column.ID gui/records",
	"repair.rule.*":     repairRules,
	"repair.mend.*":     repairRules,
	"records.*.means":   "= gui/kit/grid.Column.ID gui/records",
	"role.*":            "assistant context observation other result summary system systemTools user",
	"sessions.column.*": "= gui/kit/grid.Column.ID gui/sessions",
	"settings.about.*":  "appearance folders keys language models privacy storage tokens",
	"settings.page.*":   "appearance folders keys language models privacy storage tokens",
	"settings.terms.*":  "appearance folders keys language models privacy storage tokens",
	"storeProblem.*": "cantOpen changed corrupt disk full locked newer noDatabase noOriginals notDatabase notExport password readOnly " +
		"server serverAway tls",
	"strategy.*":       "clear drop extract model note structured table",
	"sweep.outdated.*": "history pins settings",
	"thread.*":         "branch main shared sidechain subagent",
	"welcome.*":        "one three two",
	"welcome.*.more":   "one three two",
	"useIn.checked.*":  "= compaction/toolconfig.Tool.ID",
}

// wordless are constants of a type that no words are asked for, by the family.
var wordless = map[string]string{
	"command.*":     "pin",    // says which, by Text
	"param.help.*":  "preset", // its menu says it
	"amount.*":      "%",
	"redact.also.*": "email home secret",
	"repair.mend.*": "long-line sealed-checkpoint", // no mend is known
	"step.done.*":   "apply compact draftAdd draftDiscard draftEdit draftMove draftPutBack draftRemove draftTake note params pin preset rename unpin",
	"unit.*":        "%",
	"unitChoice.*":  "results",
	"unitShort.*":   "% results",
}

// Every key of words that code computes has its words, in both languages.
func TestComputedKeysHaveWords(t *testing.T) {
	l := load(t)
	keys := keysOfWords(t, l.root)
	said := func(where, key string) {
		for lang, known := range keys {
			if !known[key] {
				t.Errorf("%s: there are no words for %q in %s", where, key, lang)
			}
		}
	}
	used := map[string]bool{}
	for _, p := range l.own {
		for _, f := range p.files {
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) == 0 || !isT(p, call.Fun) || p.info.Types[call.Args[0]].Value != nil {
					return true
				}
				family, hole := familyOf(p, call.Args[0])
				if strings.HasPrefix(family, "*") {
					return true // of a whole key: TestKeysInTablesHaveWords
				}
				where := l.fset.Position(call.Pos()).String()
				values, known := families[family]
				used[family] = used[family] || known
				list := strings.Fields(values)
				if known && list[0] == "=" {
					list = fieldTexts(l, list[1:])
				}
				if !known {
					list = constantsOf(p, hole)
				}
				if len(list) == 0 {
					t.Errorf("%s: the keys %q are put together: name their values in the table of families", where, family)
				}
				for _, v := range list {
					if !slices.Contains(strings.Fields(wordless[family]), v) {
						first, last := strings.Index(family, "*"), strings.LastIndex(family, "*")
						said(where, family[:first]+v+family[last+1:])
					}
				}
				return true
			})
		}
	}
	for family := range families {
		if !used[family] {
			t.Errorf("no code puts together %q any more, or its values are known by their type", family)
		}
	}
}

// isT reports whether a function is words.T.
func isT(p *checked, fun ast.Expr) bool {
	id, ok := fun.(*ast.Ident)
	if s, is := fun.(*ast.SelectorExpr); is {
		id, ok = s.Sel, true
	}
	if !ok {
		return false
	}
	f, ok := p.info.Uses[id].(*types.Func)
	return ok && f.FullName() == "palimpsest/gui/words.T"
}

// familyOf writes a key with a star for each part that is no constant, and gives the last
// of these parts.
func familyOf(p *checked, x ast.Expr) (family string, hole ast.Expr) {
	if v := p.info.Types[x].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v), nil
	}
	if sum, ok := x.(*ast.BinaryExpr); ok && sum.Op == token.ADD {
		left, a := familyOf(p, sum.X)
		right, b := familyOf(p, sum.Y)
		if b == nil {
			b = a
		}
		return left + right, b
	}
	return "*", x
}

// fieldTexts are the texts that a field has in the literals of its type: [TYPE.FIELD PACKAGE].
func fieldTexts(l *program, of []string) (list []string) {
	dot := strings.LastIndex(of[0], ".")
	for name, p := range l.own {
		if len(of) > 1 && name != "palimpsest/"+of[1] {
			continue
		}
		for x, is := range p.info.Types {
			lit, ok := x.(*ast.CompositeLit)
			if !ok || strings.TrimPrefix(strings.TrimPrefix(is.Type.String(), "*"), "palimpsest/") != of[0][:dot] {
				continue
			}
			for _, e := range lit.Elts {
				kv, ok := e.(*ast.KeyValueExpr)
				if !ok {
					continue
				}
				field, ok := kv.Key.(*ast.Ident)
				if v := p.info.Types[kv.Value].Value; ok && field.Name == of[0][dot+1:] && v != nil && constant.StringVal(v) != "" {
					list = append(list, constant.StringVal(v))
				}
			}
		}
	}
	return list
}

// constantsOf are the texts of the constants of an expression's type, where it is a type
// of texts of ours, or a conversion of one.
func constantsOf(p *checked, x ast.Expr) (list []string) {
	if call, ok := x.(*ast.CallExpr); ok && len(call.Args) == 1 && p.info.Types[call.Fun].IsType() {
		x = call.Args[0]
	}
	named, ok := p.info.Types[x].Type.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil
	}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if ok && types.Identical(c.Type(), named) && c.Val().Kind() == constant.String && constant.StringVal(c.Val()) != "" {
			list = append(list, constant.StringVal(c.Val()))
		}
	}
	return list
}

// keysOfWords are the keys of each language.
func keysOfWords(t *testing.T, root string) map[string]map[string]bool {
	t.Helper()
	keys := map[string]map[string]bool{}
	for _, lang := range []string{"en", "zh-Hans"} {
		files, err := filepath.Glob(filepath.Join(root, "assets", "lang", "*."+lang+".json"))
		if err != nil || len(files) == 0 {
			t.Fatal("there are no words: ", err)
		}
		keys[lang] = map[string]bool{}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var m map[string]any
			if err := json.Unmarshal(text, &m); err != nil {
				t.Fatal(err)
			}
			for key := range m {
				keys[lang][key] = true
			}
		}
	}
	return keys
}

// keyLike is how a key of words is spelled.
var keyLike = regexp.MustCompile(`^[a-z][A-Za-z]*(\.[A-Za-z]+)+$`)

// notKeys are texts of the window that are spelled like keys, and are none.
var notKeys = strings.Fields(`agents.side detail.pictures detail.row preview.down preview.up sessions.about sessions.columns sessions.grouping sessions.order settings.page watched.look watched.save window.height window.width`)

// A text of the window that is spelled like a key of words, and begins like one, is one:
// tables of keys and what is handed on to be said later.
func TestKeysInTablesHaveWords(t *testing.T) {
	l := load(t)
	keys := keysOfWords(t, l.root)
	begins := map[string]bool{}
	for key := range keys["en"] {
		first, _, _ := strings.Cut(key, ".")
		begins[first] = true
	}
	for _, name := range slices.Sorted(maps.Keys(l.own)) {
		if !within(name, []string{"palimpsest/gui"}) {
			continue
		}
		for _, f := range l.own[name].files {
			ast.Inspect(f, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				key, _ := strconv.Unquote(lit.Value)
				first, _, _ := strings.Cut(key, ".")
				if keyLike.MatchString(key) && begins[first] && !keys["en"][key] && !slices.Contains(notKeys, key) {
					t.Errorf("%s: there are no words for %q", l.fset.Position(lit.Pos()), key)
				}
				return true
			})
		}
	}
}

// formerNames are words that a person met before each thing had one name, with how many texts of
// the window still have them. A text may only lose them.
var formerNames = map[string]int{
	"recent tail": 0, "kept tail": 0, "context window": 0, "live view": 0, "summariser": 0, "user instruction": 0, "stale": 0,
	"reduction": 0, "fresh-input": 0, "firing": 0, "firings": 2, "fires": 21, "fired": 3, "trigger": 2, "residual": 1, "overlay": 1,
	"snapshot": 1, "policy": 2, "unfold": 2, "grid": 1, "re-sent": 3, "candidate": 4, "entry": 4, "survives": 6, "fixed part": 9,
	"missed": 8, "needed later": 0, "former summary": 8, "former summaries": 4, "parameters": 34, "parameter": 3,
}

// Every text of the window says things by their names. Ctrl+K finds the former ones, too: its
// search words are not looked at.
func TestTheWindowSaysThingsByTheirNames(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "assets", "lang", "*.en.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("there are no words: ", err)
	}
	found := map[string][]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]any
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatal(err)
		}
		for key, v := range m {
			said, _ := json.Marshal(v)
			for name := range formerNames {
				if !strings.HasPrefix(key, "also.") && regexp.MustCompile(`(?i)\b`+name+`\b`).Match(said) {
					found[name] = append(found[name], key)
				}
			}
		}
	}
	for name, most := range formerNames {
		switch n := len(found[name]); {
		case n > most:
			slices.Sort(found[name])
			t.Errorf("%q is in %d texts, at most %d had it: %v", name, n, most, found[name])
		case n < most:
			t.Errorf("%q is in %d texts: write that down instead of %d", name, n, most)
		}
	}
}
