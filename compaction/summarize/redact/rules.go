package redact

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

//go:embed rules/gitleaks.toml
var gitleaks string

//go:embed rules/own.toml
var own string

// ruleSet is the rules, compiled.
type ruleSet struct {
	rules  []rule
	global []allowance
}

// rule finds one kind of secret. Only a text that holds one of the keywords is
// searched with the expression.
type rule struct {
	id       string
	expr     *regexp.Regexp
	reach    int // bytes around a keyword that a match can take
	group    int // of the secret; 0: the first that is not empty
	entropy  float64
	keywords []string
	allow    []allowance
	check    func(secret string) bool // nil: everything the expression finds
	assigns  bool                     // a value is assigned behind a keyword, see valueAhead
	pairs    bool                     // what is found is a list of name=value; the values are secrets
}

// allowance says what looks like a secret and is none.
type allowance struct {
	target    string // what is looked at: "match", "line" or the secret
	exprs     []*regexp.Regexp
	stopwords []string // lower case
	all       bool     // both the expressions and the stop words must agree
}

// file is the shape of the rules as gitleaks writes them. Conditions on the
// path of a file have no meaning for a message: rules that have one are left
// out, allowances for paths are ignored.
type file struct {
	Allowlist  fileAllow   `toml:"allowlist"`
	Allowlists []fileAllow `toml:"allowlists"`
	Rules      []struct {
		ID, Regex, Path string
		Entropy         float64
		SecretGroup     int `toml:"secretGroup"`
		Keywords        []string
		Allowlists      []fileAllow
		Check           string // of own.toml: see checks
		Pairs, Assigns  bool   // of own.toml
		Reach           int    // of own.toml, in bytes; 0: as the expression says
	}
}

type fileAllow struct {
	Regexes     []string
	RegexTarget string `toml:"regexTarget"`
	Stopwords   []string
	Condition   string
	Paths       []string
}

// load reads the rules: our own first, so that theirs are the names of what both
// find.
var load = sync.OnceValues(func() (*ruleSet, error) {
	set, err := parse(own)
	if err != nil {
		return nil, err
	}
	theirs, err := parse(gitleaks)
	if err != nil {
		return nil, err
	}
	theirs.rules = append(set.rules, theirs.rules...)
	return theirs, nil
})

func parse(text string) (*ruleSet, error) {
	var f file
	if _, err := toml.Decode(text, &f); err != nil {
		return nil, fmt.Errorf("redact: the rules can't be read: %w", err)
	}
	set := &ruleSet{}
	var err error
	if set.global, err = allowances(append(f.Allowlists, f.Allowlist)); err != nil {
		return nil, fmt.Errorf("redact: %w", err)
	}
	for _, r := range f.Rules {
		if r.Regex == "" || r.Path != "" {
			continue
		}
		one := rule{id: r.ID, group: r.SecretGroup, entropy: r.Entropy}
		for _, k := range r.Keywords {
			one.keywords = append(one.keywords, strings.ToLower(k))
		}
		if one.expr, err = regexp.Compile(r.Regex); err != nil {
			return nil, fmt.Errorf("redact: rule %s: %w", r.ID, err)
		}
		if r.ID == weakRule { // the one that is slow, and tried nearly everywhere
			r.Assigns, r.Reach = true, 400
		}
		if one.reach = r.Reach; one.reach == 0 {
			one.reach = reach(r.Regex)
		}
		if one.group > one.expr.NumSubexp() {
			return nil, fmt.Errorf("redact: rule %s has no group %d", r.ID, one.group)
		}
		if one.allow, err = allowances(r.Allowlists); err != nil {
			return nil, fmt.Errorf("redact: rule %s: %w", r.ID, err)
		}
		one.pairs, one.assigns = r.Pairs, r.Assigns
		if r.Check != "" {
			if one.check = checks[r.Check]; one.check == nil {
				return nil, fmt.Errorf("redact: rule %s: there is no check %q", r.ID, r.Check)
			}
		}
		set.rules = append(set.rules, one)
	}
	if len(set.rules) == 0 {
		return nil, fmt.Errorf("redact: the rules are empty")
	}
	return set, nil
}

func allowances(list []fileAllow) ([]allowance, error) {
	var out []allowance
	for _, l := range list {
		a := allowance{target: l.RegexTarget}
		for _, e := range l.Regexes {
			x, err := regexp.Compile(e)
			if err != nil {
				return nil, fmt.Errorf("allowance %q: %w", e, err)
			}
			a.exprs = append(a.exprs, x)
		}
		for _, w := range l.Stopwords {
			a.stopwords = append(a.stopwords, strings.ToLower(w))
		}
		if strings.EqualFold(l.Condition, "AND") {
			if len(l.Paths) > 0 {
				continue // never true without a path
			}
			a.all = len(a.exprs) > 0 && len(a.stopwords) > 0
		}
		if len(a.exprs)+len(a.stopwords) > 0 {
			out = append(out, a)
		}
	}
	return out, nil
}

// allows reports whether a match is no secret after all.
func (a *allowance) allows(secret, match, line string) bool {
	target := secret
	switch a.target {
	case "match":
		target = match
	case "line":
		target = line
	}
	byExpr, byWord := false, false
	for _, e := range a.exprs {
		byExpr = byExpr || e.MatchString(target)
	}
	lower := strings.ToLower(secret)
	for _, w := range a.stopwords {
		byWord = byWord || strings.Contains(lower, w)
	}
	if a.all {
		return byExpr && byWord
	}
	return byExpr || byWord
}
