package main

import (
	"fmt"
	"path"
	"strings"
	"unicode"
)

var reasons = []string{
	"the reference asks for it in section 4.2", "so that an edit in the middle keeps the rest", "older files depend on it",
	"the checker relies on the order", "it is written that way by every tool we know of", "a diff stays small then",
	"nothing below it may change it later", "see issue 214 for the discussion", "the language server calls it on every key",
	"an empty one is legal and means the default", "it keeps positions valid for the formatter",
}

// words turns HeredocMarker into "heredoc marker".
func words(name string) string {
	var b strings.Builder
	for i, c := range name {
		if i > 0 && unicode.IsUpper(c) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// fill sets the names of one thing into a template.
func fill(r *rng, template, thing string) string {
	lower := strings.ToLower(thing[:1]) + thing[1:]
	why := reasons[r.n(len(reasons))]
	return strings.NewReplacer(
		"@T@", thing, "@t@", words(thing), "@t1@", lower, "@k@", strings.ToLower(thing),
		"@n@", fmt.Sprint(r.between(2, 9)), ". @why@", ". "+upper(why), "@why@", why,
		"@why2@", pick(r, "appended", "replaced", "joined without duplicates"), "@v@", "resume",
	).Replace(template)
}

// source is one file of the project: every template of its package for each
// of its things.
func source(r *rng, name, kind string, things []string) string {
	pkg := path.Base(path.Dir(name))
	if strings.HasPrefix(name, "cmd/") {
		pkg = "main"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n", pkg)
	for i, imp := range imports[kind] {
		if i > 0 && strings.Contains(imp, ".") && !strings.Contains(imports[kind][i-1], ".") {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "\t%q\n", imp)
	}
	b.WriteString(")\n")
	for _, thing := range things {
		for _, t := range strings.Split(strings.TrimSpace(data(kind+".tmpl")), "\n---\n") {
			b.WriteString("\n" + strings.TrimSpace(fill(r, t, thing)) + "\n")
		}
	}
	return b.String()
}

var imports = map[string][]string{
	"lex":    {"strings", "unicode/utf8", "larch.dev/larch/diag", "larch.dev/larch/token"},
	"parse":  {"larch.dev/larch/ast", "larch.dev/larch/diag", "larch.dev/larch/token"},
	"ast":    {"larch.dev/larch/token"},
	"eval":   {"fmt", "slices", "unicode", "larch.dev/larch/ast"},
	"schema": {"fmt", "strings", "larch.dev/larch/ast", "larch.dev/larch/diag", "larch.dev/larch/eval"},
	"format": {"unicode/utf8", "larch.dev/larch/ast"},
	"cli":    {"context", "encoding/json", "flag", "fmt", "os", "runtime", "time", "larch.dev/larch/parse"},
}

// prefixes are the functions that a package's tests call.
var prefixes = map[string][]string{
	"lex": {"scan", "accept", "skip"}, "parse": {"parse", "recover", "at"}, "ast": {"equal", "clone"}, "eval": {"eval", "resolve", "merge"},
	"schema": {"check", "compile", "unify"}, "format": {"print", "align", "measure"}, "cli": {"run", "on"},
}

// testName is the name of the test of a function.
func testName(fn string) string { return "Test" + strings.ToUpper(fn[:1]) + fn[1:] }

// testSource is the table test beside a file.
func testSource(r *rng, name, kind string, things []string) string {
	pkg := path.Base(path.Dir(name))
	if strings.HasPrefix(name, "cmd/") {
		pkg = "main"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport \"testing\"\n", pkg)
	for _, thing := range things {
		for _, prefix := range prefixes[kind] {
			fn := prefix + thing
			fmt.Fprintf(&b, "\nfunc %s(t *testing.T) {\n\tfor _, c := range []struct{ name, in, want string }{\n", testName(fn))
			for range r.between(2, 5) {
				in := setting(r)
				fmt.Fprintf(&b, "\t\t{%q, %q, %q},\n", caseName(r), in, expectation(r, in))
			}
			fmt.Fprintf(&b, "\t} {\n\t\tt.Run(c.name, func(t *testing.T) {\n\t\t\tif got := %s(t, c.in); got != c.want {\n", "try"+strings.ToUpper(prefix[:1])+prefix[1:]+thing)
			fmt.Fprintf(&b, "\t\t\t\tt.Errorf(\"%s(%%q) = %%q, want %%q\", c.in, got, c.want)\n\t\t\t}\n\t\t})\n\t}\n}\n", fn)
		}
	}
	return b.String()
}

func caseName(r *rng) string {
	return pick(r, "plain", "empty", "nested", "at the end", "trailing comma", "with comment", "two lines", "unicode", "deep", "shadowed", "after error", "largest", "negative", "quoted") +
		pick(r, "", "", "", " in block", " twice", " in list")
}

func expectation(r *rng, in string) string {
	if r.chance(25) {
		return fmt.Sprintf("%s%04d at %d:%d", pick(r, "L", "P", "E", "S"), r.between(101, 7900), r.between(1, 9), r.between(1, 40))
	}
	return in
}

// setting is one assignment of the language.
func setting(r *rng) string {
	switch r.n(8) {
	case 0:
		return fmt.Sprintf("timeout = %d%s", r.between(1, 900), pick(r, "ms", "s", "m", "h"))
	case 1:
		return fmt.Sprintf("port = %d", r.between(1024, 65535))
	case 2:
		return fmt.Sprintf("memory = %dMiB", 64*r.between(1, 96))
	case 3:
		return fmt.Sprintf("image = \"registry.larch.test/%s:%d.%d.%d\"", pick(r, "api", "cart", "search", "mailer", "ledger", "stock"), r.n(5), r.n(20), r.n(40))
	case 4:
		return fmt.Sprintf("tags = [%q, %q]", pick(r, "eu", "us", "ap"), pick(r, "canary", "stable", "batch", "edge"))
	case 5:
		return fmt.Sprintf("replicas = env == %q ? %d : %d", pick(r, "prod", "staging"), r.between(2, 24), r.between(1, 2))
	case 6:
		return fmt.Sprintf("path = \"/srv/%s/${region}/%s.conf\"", pick(r, "data", "etc", "run"), pick(r, "main", "limits", "users", "rates"))
	default:
		return fmt.Sprintf("share = %d.%d%%", r.n(100), r.n(10))
	}
}

// configuration is a file in the invented language.
func configuration(r *rng, services int) string {
	var b strings.Builder
	b.WriteString("# Services of the shop. Owned by platform.\nimport \"base.larch\"\n\nlet region = env(\"REGION\", \"eu-central\")\n")
	for i := range services {
		name := pick(r, "api", "cart", "search", "mailer", "ledger", "stock", "media", "auth", "quote", "audit")
		fmt.Fprintf(&b, "\nservice \"%s-%d\" {\n", name, i+1)
		set := map[string]bool{}
		for range r.between(4, 8) {
			line := setting(r)
			if key, _, _ := strings.Cut(line, " "); !set[key] {
				set[key] = true
				b.WriteString("\t" + line + "\n")
			}
		}
		if r.chance(60) {
			fmt.Fprintf(&b, "\tcheck {\n\t\tpath = \"/healthz\"\n\t\tevery = %ds\n\t\tfails = %d\n\t}\n", r.between(5, 60), r.between(2, 6))
		}
		b.WriteString("}\n")
	}
	return b.String()
}
