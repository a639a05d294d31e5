package main

import (
	"fmt"
	"path"
	"strings"
)

// testRun is the output of the tests of one package.
func (c *codingRun) testRun(e episode, fails bool) string {
	dir := path.Dir(e.file)
	var b strings.Builder
	test, sub, _ := strings.Cut(e.test, "/")
	if fails {
		fmt.Fprintf(&b, "Exit code 1\n--- FAIL: %s (0.00s)\n    --- FAIL: %s/%s (0.00s)\n        %s_test.go:%d: %s\nFAIL\nFAIL\tlarch.dev/larch/%s\t0.%03ds\nFAIL",
			test, test, sub, strings.TrimSuffix(path.Base(e.file), ".go"), c.r.between(40, 390), e.fail, dir, c.r.between(11, 480))
		return b.String()
	}
	room := max(6, min(90, c.allowance(2)/40))
	shown := 0
	for _, name := range c.p.names {
		if path.Dir(name) != dir || !strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, l := range c.p.lines(name) {
			if !strings.HasPrefix(l, "func Test") || shown >= room {
				continue
			}
			shown++
			t := strings.TrimPrefix(l[:strings.Index(l, "(")], "func ")
			fmt.Fprintf(&b, "=== RUN   %s\n--- PASS: %s (0.%02ds)\n", t, t, c.r.n(9))
		}
	}
	fmt.Fprintf(&b, "=== RUN   %s\n--- PASS: %s (0.00s)\nPASS\nok  \tlarch.dev/larch/%s\t%d.%03ds", e.test, e.test, dir, c.r.n(2), c.r.between(100, 999))
	return b.String()
}

// wholeRun is the output of the tests of all packages.
func (c *codingRun) wholeRun(e episode, failed bool) string {
	var b strings.Builder
	if failed {
		b.WriteString("Exit code 1\n")
	}
	for _, pkg := range []string{"ast", "cmd/larch", "cmd/larch-lsp", "diag", "eval", "format", "internal/diff", "lex", "parse", "schema", "token"} {
		switch {
		case failed && pkg == "format":
			fmt.Fprintf(&b, "--- FAIL: TestGolden (0.%02ds)\n    golden_test.go:%d: testdata/golden/%s.larch: line %d differs, run with -update after looking at it\nFAIL\nFAIL\tlarch.dev/larch/%s\t0.%03ds\n",
				c.r.n(90), c.r.between(30, 80), pick(c.r, "service", "import", "heredoc", "lambda"), c.r.between(3, 60), pkg, c.r.between(100, 900))
		case pkg == path.Dir(e.file):
			fmt.Fprintf(&b, "ok  \tlarch.dev/larch/%s\t%d.%03ds\n", pkg, c.r.n(4), c.r.between(100, 999))
		default:
			fmt.Fprintf(&b, "ok  \tlarch.dev/larch/%s\t%s\n", pkg, pick(c.r, "(cached)", "(cached)", fmt.Sprintf("%d.%03ds", c.r.n(3), c.r.between(100, 999))))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// measurements is the output of the benchmarks of one package.
func (c *codingRun) measurements(e episode) string {
	var b strings.Builder
	fmt.Fprintf(&b, "goos: linux\ngoarch: arm64\npkg: larch.dev/larch/%s\n", path.Dir(e.file))
	for _, name := range []string{"Large", "Heredoc", "Comments", "Unicode", "Fleet"} {
		base := c.r.between(60, 150)
		for range 6 {
			fmt.Fprintf(&b, "Benchmark%s%s-8\t%8d\t%10d ns/op\t%7.2f MB/s\t%8d B/op\t%6d allocs/op\n", upper(path.Base(path.Dir(e.file))), name, c.r.between(90, 2400),
				c.r.between(410000, 9800000), float64(base)+float64(c.r.n(500))/100, c.r.between(96, 262144), c.r.between(2, 912))
		}
	}
	fmt.Fprintf(&b, "PASS\nok  \tlarch.dev/larch/%s\t%d.%03ds", path.Dir(e.file), c.r.between(38, 96), c.r.n(1000))
	return b.String()
}
