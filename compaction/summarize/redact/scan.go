package redact

import (
	"math"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// Kind says what a finding is.
type Kind string

const (
	Secret Kind = "secret"
	Email  Kind = "email"
	Home   Kind = "home" // the name in a home folder
)

// Finding is a place in a text that should not be sent.
type Finding struct {
	From, To int // bytes of the text, half-open, at code point boundaries
	Kind     Kind
	Rule     string // what found it, for example "github-pat"
	About    string // one English sentence of the rule
	Secret   string // the text that was found: never to be logged or stored
}

// Redactor scans texts and remembers which placeholder replaces what. It may
// be used by one goroutine at a time.
type Redactor struct {
	set   *ruleSet
	ids   map[string]bool
	known map[string]string // secret → placeholder
	count map[string]int    // placeholders of a rule
}

// New makes a redactor. ids are strings that are no secrets whatever they look
// like.
func New(ids ...string) (*Redactor, error) {
	set, err := load()
	if err != nil {
		return nil, err
	}
	r := &Redactor{set: set, ids: map[string]bool{}, known: map[string]string{}, count: map[string]int{}}
	for _, id := range ids {
		if id != "" {
			r.ids[id] = true
		}
	}
	return r, nil
}

// Scan lists what a text holds, in order; findings do not overlap. Of two that
// do, the one of the more specific kind stays: a secret before an address, and
// the rule that the list has first.
func (r *Redactor) Scan(text string) []Finding {
	lower := lowerASCII(text)
	var all []Finding
	for i := range r.set.rules {
		all = append(all, r.find(&r.set.rules[i], text, lower)...)
	}
	all = append(all, personal(text, lower)...)
	kept := all[:0]
	for _, f := range all {
		if f = outOfJSON(text, f); f.From < f.To && !r.inID(text, &f) {
			kept = append(kept, f)
		}
	}
	return disjoint(kept)
}

// inID reports whether a finding is an identifier, or a piece of one that is
// there.
func (r *Redactor) inID(text string, f *Finding) bool {
	if r.ids[f.Secret] {
		return true
	}
	for id := range r.ids {
		at := strings.Index(id, f.Secret)
		if at >= 0 && at <= f.From && strings.HasPrefix(text[f.From-at:], id) {
			return true
		}
	}
	return false
}

func (r *Redactor) find(one *rule, text, lower string) []Finding {
	var out []Finding
	for _, part := range one.around(lower) {
		for _, at := range one.expr.FindAllStringSubmatchIndex(text[part.from:part.to], -1) {
			for i := range at {
				if at[i] >= 0 {
					at[i] += part.from
				}
			}
			from, to := secretIn(one, at)
			secret := text[from:to]
			if secret == "" || one.entropy > 0 && entropy(secret) <= one.entropy {
				continue
			}
			if r.allowed(one, secret, text[at[0]:at[1]], lineAround(text, at[0], at[1])) {
				continue
			}
			out = append(out, Finding{From: from, To: to, Kind: Secret, Rule: one.id, About: one.about, Secret: secret})
		}
	}
	return out
}

// lowerASCII keeps the length of a text, which other cases do not.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// secretIn is the part of a match that is the secret: the named group, else the
// first that holds something, else all of it.
func secretIn(one *rule, at []int) (from, to int) {
	if one.group > 0 && at[2*one.group] >= 0 {
		return at[2*one.group], at[2*one.group+1]
	}
	for g := 2; g+1 < len(at); g += 2 {
		if at[g] >= 0 && at[g] < at[g+1] {
			return at[g], at[g+1]
		}
	}
	return at[0], at[1]
}

func (r *Redactor) allowed(one *rule, secret, match, line string) bool {
	for i := range r.set.global {
		if r.set.global[i].allows(secret, match, line) {
			return true
		}
	}
	for i := range one.allow {
		if one.allow[i].allows(secret, match, line) {
			return true
		}
	}
	return false
}

// longestLine bounds what an allowance for a line looks at: tool output can be
// one line of megabytes.
const longestLine = 2048

func lineAround(text string, from, to int) string {
	begin := max(strings.LastIndexByte(text[:from], '\n')+1, from-longestLine)
	end := len(text)
	if n := strings.IndexByte(text[to:], '\n'); n >= 0 {
		end = to + n
	}
	return text[begin:min(end, to+longestLine)]
}

// entropy is the Shannon entropy of a text in bits a byte, as gitleaks takes
// it: the frequency of a character is its count by the length in bytes.
func entropy(s string) float64 {
	count := map[rune]int{}
	for _, c := range s {
		count[c]++
	}
	bits := 0.0
	for _, n := range count {
		f := float64(n) / float64(len(s))
		bits -= f * math.Log2(f)
	}
	return bits
}

var (
	emailExpr = regexp.MustCompile(`[A-Za-z0-9._%+\-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9\-]{0,62})\.)+[A-Za-z]{2,24}\b`)
	// The name in a home folder of Linux, macOS and Windows, the latter with the
	// backslash doubled as well, as JSON in a text spells it.
	homeExpr = regexp.MustCompile(`(?:/home/|/Users/|[A-Za-z]:(?:\\\\|\\|/)(?i:Users)(?:\\\\|\\|/))` +
		`([^/\\\s"'<>|:*?,;()\[\]{}` + "`" + `]{1,64})`)
)

// nobody lists names in home folders and addresses that name no person.
var nobody = []string{"user", "username", "you", "me", "name", "root", "runner", "ubuntu", "node", "vscode", "shared", "public",
	"default", "guest", "app", "agent", "example", "$user", "~", "...", "…"}

// emails and homes say where an address or a home folder can be: the expressions
// are tried there only.
var (
	emails = rule{keywords: []string{"@"}, reach: 1024}
	homes  = rule{keywords: []string{"/home/", "/users/", `\users`, ":/users"}, reach: 512}
)

func personal(text, lower string) []Finding {
	var out []Finding
	for _, part := range emails.around(lower) {
		for _, at := range emailExpr.FindAllStringIndex(text[part.from:part.to], -1) {
			from, to := part.from+at[0], part.from+at[1]
			address := text[from:to]
			if noPerson(address) || strings.HasPrefix(text[to:], ":") && strings.HasPrefix(address, "git@") {
				continue
			}
			out = append(out, Finding{From: from, To: to, Kind: Email, Rule: "email", About: "An e-mail address.", Secret: address})
		}
	}
	for _, part := range homes.around(lower) {
		for _, at := range homeExpr.FindAllStringSubmatchIndex(text[part.from:part.to], -1) {
			from, to := part.from+at[2], part.from+at[3]
			name := text[from:to]
			if slices.Contains(nobody, strings.ToLower(name)) || strings.HasPrefix(name, hiddenUser) {
				continue
			}
			out = append(out, Finding{From: from, To: to, Kind: Home, Rule: "home",
				About: "A name in the path of a home folder.", Secret: name})
		}
	}
	return out
}

// noPerson knows addresses that are made to be public (RFC 2606 and the
// no-reply addresses of commits).
func noPerson(address string) bool {
	name, host, _ := strings.Cut(strings.ToLower(address), "@")
	switch {
	case name == "git", name == "noreply", name == "no-reply":
		return true
	case strings.HasPrefix(host, "example."), strings.HasPrefix(host, "users.noreply."):
		return true
	}
	return slices.ContainsFunc([]string{".example", ".test", ".invalid"}, func(end string) bool { return strings.HasSuffix(host, end) })
}

// disjoint sorts findings by place and drops those that overlap an earlier or a
// preferred one.
func disjoint(all []Finding) []Finding {
	rank := func(f *Finding) int {
		switch {
		case f.Kind != Secret:
			return 2
		case f.Rule == "generic-api-key":
			return 1
		}
		return 0
	}
	sort.SliceStable(all, func(i, j int) bool {
		if a, b := rank(&all[i]), rank(&all[j]); a != b {
			return a < b
		}
		return all[i].To-all[i].From > all[j].To-all[j].From
	})
	var out []Finding
	for _, f := range all {
		i := sort.Search(len(out), func(i int) bool { return out[i].To > f.From })
		if i < len(out) && out[i].From < f.To {
			continue
		}
		out = append(out, Finding{})
		copy(out[i+1:], out[i:])
		out[i] = f
	}
	return out
}
