package shell

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// grammar is one of a few verbs, flags and values.
type grammar struct {
	Quiet  bool `short:"q" help:"Say less. And no more."`
	Export struct {
		Format string `short:"f" enum:"json,markdown" default:"json" help:"Form of the file."`
		Output string `short:"o" help:"File to write."`
		Force  bool   `help:"Write over it."`
		File   string `arg:""`
	} `cmd:"" help:"Write a file."`
	Records struct {
		List struct{} `cmd:"" help:"List them."`
		Show struct{} `cmd:"" help:"Show one's \"parts\"."`
	} `cmd:"" help:"What was stored."`
	Secret struct{} `cmd:"" hidden:"" help:"Nobody types it."`
}

func model(t *testing.T) *kong.Application {
	t.Helper()
	k, err := kong.New(&grammar{}, kong.Name("palimpsest"), kong.Description("First part.\n\n.Second 'part'."))
	if err != nil {
		t.Fatal(err)
	}
	return k.Model
}

// The last word of a line becomes what the grammar has at its place.
func TestComplete(t *testing.T) {
	m := model(t)
	for line, want := range map[string][]string{
		".":                         {"export\tWrite a file", "records\tWhat was stored"},
		".r":                        {"records\tWhat was stored"},
		"records .s":                {"show\tShow one's \"parts\""},
		"--quiet records .l":        {"list\tList them"},
		"export --format .":         {"json", "markdown"},
		"export -f .m":              {"markdown"},
		"export --output .":         nil, // a file's name: the shell knows those
		"export --force .--fo":      {"--format\tForm of the file", "--force\tWrite over it"},
		"export .--q":               {"--quiet\tSay less"},
		"records show .--fo":        nil,
		"export --format json .--o": {"--output\tFile to write"},
		".sec":                      nil,
	} {
		if got := Complete(m, strings.Split(line, " ")); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// Each shell asks the program; the man page has every verb and flag, and no word that roff
// takes for a request.
func TestWrite(t *testing.T) {
	m := model(t)
	for _, form := range []string{"bash", "zsh", "fish", "powershell"} {
		var b bytes.Buffer
		if err := Write(&b, form, m, "1.2"); err != nil || !strings.Contains(b.String(), "palimpsest completion words --") {
			t.Errorf("%s: %v\n%s", form, err, b.String())
		}
	}
	var b bytes.Buffer
	if err := Write(&b, "man", m, "1.2"); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{"palimpsest 1.2", "\n.SS export\n", "\n.SS records show\n", `\fB\-o\fR, \fB\-\-output\fR`,
		"\n\\&.Second \\(aqpart\\(aq.\n", ".SH EXIT STATUS"} {
		if !strings.Contains(page, want) {
			t.Errorf("the man page lacks %q:\n%s", want, page)
		}
	}
	if strings.Contains(page, "secret") {
		t.Error("the man page has a hidden verb")
	}
}
