package redact

import (
	"net/netip"
	"slices"
	"strings"

	"palimpsest/model/pattern"
)

var (
	emailExpr = pattern.New(`[A-Za-z0-9._%+\-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9\-]{0,62})\.)+[A-Za-z]{2,24}\b`)
	// The name in a home folder of Linux, macOS and Windows, the latter with the
	// backslash doubled as well, as JSON in a text spells it.
	homeExpr = pattern.New(`(?:/home/|/Users/|[A-Za-z]:(?:\\\\|\\|/)(?i:Users)(?:\\\\|\\|/))` +
		`([^/\\\s"'<>|:*?,;()\[\]{}` + "`" + `]{1,64})`)
)

// encodedHomeExpr is a home folder in the name of a folder.
var encodedHomeExpr = pattern.New(`(?:^|[/\\\s"'` + "`" + `])-(?:home|Users)-([A-Za-z0-9_]{1,64})`)

var (
	phoneExpr = pattern.New(`(?:\+[1-9][0-9]{0,2}[ .-]?(?:\([0-9]{1,4}\)[ .-]?)?(?:[0-9]{2,4}[ .-]?){2,4}[0-9]{2,4}|` +
		`\([0-9]{3}\) ?[0-9]{3}-[0-9]{4}|\b[0-9]{3}-[0-9]{3}-[0-9]{4})\b`)
	addressExpr = pattern.New(`\b(?:10|127|169\.254|172\.(?:1[6-9]|2[0-9]|3[01])|192\.168)(?:\.[0-9]{1,3}){2,3}\b`)
)

// private reports whether a text is an address of a private network.
func private(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && (a.IsPrivate() || a.IsLinkLocalUnicast())
}

// Personal are the rules that find no secrets but persons, and are applied unasked:
// names for [Sieve.Allow].
var Personal = []string{ruleEmail, ruleHome}

const (
	ruleEmail = "email"
	ruleHome  = "home"
)

// every lists the matches of an expression that a test agrees to, as findings like
// one; nil: all.
func every(expr *pattern.Regexp, text string, like Finding, ok func(string) bool) []Finding {
	var out []Finding
	for _, at := range expr.FindAllStringIndex(text, -1) {
		if s := text[at[0]:at[1]]; ok == nil || ok(s) {
			like.From, like.To, like.Secret = at[0], at[1], s
			out = append(out, like)
		}
	}
	return out
}

// nobody lists names in home folders and addresses that name no person.
var nobody = []string{"user", "username", "you", "me", "name", "root", "runner", "ubuntu", "node", "vscode", "shared", "public",
	"default", "guest", "app", "agent", "example", "test", "foo", "dev", "admin", "sandbox", "browser", "builder", "developer",
	"codespace", "gitpod", "coder", "vagrant", "jenkins", "circleci", "travis", "linuxbrew", "ec2-user", "jovyan", "openhands",
	"$user", "~", "...", "…"}

// emails and homes say where an address or a home folder can be: the expressions
// are tried there only.
var (
	emails = rule{keywords: []string{"@"}, reach: 1024}
	// Claude Code names a folder by the path of a project, with hyphens.
	encodedHomes = rule{keywords: []string{"-home-", "-users-"}, reach: 512}
	homes        = rule{keywords: []string{"/home/", "/users/", `\users`, ":/users"}, reach: 512}
)

func (r *Redactor) personal(text, lower string) []Finding {
	var out []Finding
	if r.also[Phone] {
		out = append(out, every(phoneExpr, text, Finding{Kind: Phone, Rule: "phone"}, nil)...)
	}
	if r.also[Address] {
		out = append(out, every(addressExpr, text, Finding{Kind: Address, Rule: "private-address"}, private)...)
	}
	if r.also[Email] {
		out = append(out, addresses(text, lower)...)
	}
	if r.also[Home] {
		out = append(append(out, named(&homes, homeExpr, text, lower)...), named(&encodedHomes, encodedHomeExpr, text, lower)...)
	}
	return out
}

// addresses lists the e-mail addresses of persons.
func addresses(text, lower string) (out []Finding) {
	for _, part := range emails.around(lower) {
		for _, at := range emailExpr.FindAllStringIndex(text[part.from:part.to], -1) {
			from, to := part.from+at[0], part.from+at[1]
			address := text[from:to]
			if noPerson(address) || strings.HasPrefix(text[to:], ":") && strings.HasPrefix(address, "git@") {
				continue
			}
			out = append(out, Finding{From: from, To: to, Kind: Email, Rule: ruleEmail, Secret: address})
		}
	}
	return out
}

// named lists the names of persons that an expression finds around the keywords of
// a rule.
func named(at *rule, expr *pattern.Regexp, text, lower string) []Finding {
	var out []Finding
	for _, part := range at.around(lower) {
		for _, m := range expr.FindAllStringSubmatchIndex(text[part.from:part.to], -1) {
			from, to := part.from+m[2], part.from+m[3]
			name := text[from:to]
			if noAccount(name) || strings.HasPrefix(text[from:], hiddenUser) {
				continue
			}
			out = append(out, Finding{From: from, To: to, Kind: Home, Rule: ruleHome, Secret: name})
		}
	}
	return out
}

// noAccount knows names behind "home" that are no person's: accounts of machines, and
// files and folders of a page that is called home.
func noAccount(name string) bool {
	lower := strings.ToLower(name)
	stem, ending, _ := strings.Cut(lower, ".")
	return slices.Contains(nobody, lower) || strings.HasPrefix(name, "-") || stem == "index" || slices.Contains(endings, ending)
}

// endings are those of files that stand where a name or the end of a host can: in
// routes/home/page.tsx, or in icon@2x.png.
var endings = []string{"js", "jsx", "mjs", "ts", "tsx", "vue", "svelte", "html", "css", "scss", "json", "yaml", "yml", "go", "php",
	"patch", "diff", "lock", "tgz", "png", "jpg", "jpeg", "gif", "svg", "webp"}

// noPerson knows addresses that are made to be public (RFC 2606 and the no-reply
// addresses of commits), and what only looks like an address: files with a version or a
// size, accounts of git, algorithms of SSH.
func noPerson(address string) bool {
	name, host, _ := strings.Cut(strings.ToLower(address), "@")
	switch {
	case strings.Trim(name, "+-._%") == "", // @dataclass in a patch
		name == "git", strings.HasSuffix(name, ".git"), name == "noreply", name == "no-reply",
		name == "your", strings.HasPrefix(name, "your_"), strings.HasPrefix(name, "your-"), strings.HasPrefix(name, "your."):
		return true
	case strings.HasPrefix(host, "example."), strings.HasPrefix(host, "users.noreply."), host == "test.com",
		host == "openssh.com", host == "libssh.org":
		return true
	case slices.Contains(endings, host[strings.LastIndexByte(host, '.')+1:]):
		return true
	}
	return slices.ContainsFunc([]string{".example", ".test", ".invalid"}, func(end string) bool { return strings.HasSuffix(host, end) })
}
