package facts

import (
	"sort"
	"strings"

	"palimpsest/model"
)

// Score says how much a ledger at history position at wants a fact.
type Score func(x *Index, id ID, at int) float64

// ByWeight is the mixed score, see [Index.Weight].
func ByWeight(x *Index, id ID, at int) float64 { return x.Weight(id, at) }

// ByRecency prefers what occurred last.
func ByRecency(x *Index, id ID, at int) float64 { return float64(x.lastBefore(id, at)) }

// ByFrequency prefers what occurred in most messages.
func ByFrequency(x *Index, id ID, at int) float64 {
	end, _ := x.between(id, at, at+1)
	return float64(end - x.starts[id])
}

// LedgerRequest says what a ledger is to be made of.
type LedgerRequest struct {
	At      int           // history position it is made at
	Removed []model.Range // whose facts it may list: everything ever taken away, since originals are kept
	Kept    []model.Range // what stands word for word; its facts need no listing
	Stands  []string      // other texts that stand

	Budget  int              // of the whole text, in what Count counts
	Count   func(string) int // tokens of a text
	Score   Score            // nil: ByWeight
	Chinese bool             // language of the headings
}

// Ledger is a list of literal facts.
type Ledger struct {
	Text  string // "" when nothing fits or nothing is left to list
	Facts []ID   // the facts listed, the best first
}

// Ledger lists the facts that score best within a budget, grouped by kind, each
// so that it stands in the text by the rule of the package. The same request
// gives the same text.
func (x *Index) Ledger(r LedgerRequest) Ledger {
	score := r.Score
	if score == nil {
		score = ByWeight
	}
	type candidate struct {
		id    ID
		score float64
	}
	var all []candidate
	c := Change{At: r.At, Removed: r.Removed, Kept: r.Kept, Stands: r.Stands}
	after := x.after(&c)
	x.gone(&c, x.set(), func(id ID) {
		if !after.has(id) {
			all = append(all, candidate{id, score(x, id, r.At)})
		}
	})
	sort.Slice(all, func(i, j int) bool {
		if all[i].score != all[j].score {
			return all[i].score > all[j].score
		}
		return all[i].id > all[j].id
	})
	left := r.Budget - r.Count(x.ledgerText(nil, r.Chinese))
	headed := [Kinds]bool{}
	var l Ledger
	for i, skipped := 0, 0; i < len(all) && skipped < ledgerSkips; i++ {
		f := x.facts[all[i].id]
		cost := r.Count(f.Text) + 1
		if !headed[f.Kind] {
			cost += r.Count(ledgerHeads[f.Kind][index(r.Chinese)]) + 1
		}
		if cost > left {
			skipped++
			continue
		}
		left -= cost
		headed[f.Kind] = true
		l.Facts = append(l.Facts, all[i].id)
	}
	// Tokens of parts do not add up to those of the whole: the last word is the
	// whole text's.
	for len(l.Facts) > 0 {
		l.Text = x.ledgerText(l.Facts, r.Chinese)
		over := r.Count(l.Text) - r.Budget
		if over <= 0 {
			return l
		}
		l.Facts = l.Facts[:len(l.Facts)-min(len(l.Facts), 1+over/8)]
	}
	return Ledger{}
}

// ledgerSkips is how many facts too long for what is left are passed over in
// search of shorter ones.
const ledgerSkips = 32

func index(second bool) int {
	if second {
		return 1
	}
	return 0
}

var (
	ledgerTitle = [2]string{"[Fact ledger - literal strings from earlier context]", "[事实清单 - 早期上下文的原文]"}
	ledgerHeads = [Kinds][2]string{
		Instruction: {"Instructions:", "指令："}, Decision: {"Decisions:", "决定："}, Path: {"Paths:", "路径："}, Command: {"Commands:", "命令："},
		Error: {"Errors:", "错误："}, Identifier: {"Names:", "名称："}, Number: {"Numbers:", "数值："}, URL: {"URLs:", "网址："}, Quoted: {"Quoted:", "引文："},
	}
	ledgerOrder = [Kinds]Kind{Instruction, Decision, Path, Command, Error, Identifier, Number, URL, Quoted}
)

// ledgerText writes facts by kind: atoms in one line, phrases a line each.
func (x *Index) ledgerText(ids []ID, chinese bool) string {
	var by [Kinds][]string
	for _, id := range ids {
		f := x.facts[id]
		by[f.Kind] = append(by[f.Kind], f.Text)
	}
	var b strings.Builder
	b.WriteString(ledgerTitle[index(chinese)])
	for _, k := range ledgerOrder {
		if len(by[k]) == 0 {
			continue
		}
		b.WriteString("\n" + ledgerHeads[k][index(chinese)])
		if k.Atom() {
			b.WriteString(" " + strings.Join(by[k], ", "))
		} else {
			b.WriteString("\n" + strings.Join(by[k], "\n"))
		}
	}
	return b.String()
}
