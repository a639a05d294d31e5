package gui

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"palimpsest/cli"
	"palimpsest/gui/commands"
	"palimpsest/gui/preferences"
	"palimpsest/internal/realdata"
)

// Counts of one name are held against each other here: those that the screens show, as a
// person reads them, and those that the verbs print. The test knows no function that counts:
// it reads words from the canvas and from what is printed, and numbers out of them.

// counted are the lines that hold counts: where they stand, what they look like, and the
// names of their numbers in order. Each line has to be met in some file.
var counted = []struct{ where, line, names string }{
	{"", `([\d,]+) messages?, [\d,]+ lines? skipped`, "messages"},
	{"workbench|after", `  ([\d,]+) msgs(?: · ◆ (\d+))?(?:  |$)`, "messages|found"},
	{"workbench", `call ([\d,]+) · #[\d,]+  `, "calls"},
	{"workbench", `  ([\d,]+) messages? · (` + size + `)(?:  |$)`, "live before|tokens before"},
	{"workbench", `^  (` + size + `)  → (` + size + `)  (` + percent + `)(?:  |$)`, "tokens before|tokens after|saved %"},
	{"workbench", `Orders kept  (?:([\d,]+) lost  )?([\d,]+) of ([\d,]+)(?:  |$)`, "orders lost|orders kept|orders"},
	{"workbench", `([\d,]+) compactions?, before`, "firings"},
	{"workbench", `([\d,]+) calls? · as much`, "calls"},
	{"after", `  ([\d,]+) messages? · (` + size + `)(?:  |$)`, "live after|tokens after"},
	{"preview", `^  Before  (` + size + `)  .*  ([\d,]+) messages?$`, "tokens before|live before"},
	{"preview", `^  After  (` + size + `)  .*saved (` + size + `)  (` + percent + `)  ([\d,]+) messages?$`,
		"tokens after|saved|saved %|live after"},
	{"preview", `What is lost   ([\d,]+) of ([\d,]+) facts`, "facts lost|facts"},
	{"preview", `all kinds  ([\d,]+) of ([\d,]+)  (` + percent + `)`, "facts kept|facts|facts kept %"},
	{"preview", `  orders  ([\d,]+) of ([\d,]+)  `, "orders kept|orders"},
	{"preview", `Orders lost   ([\d,]+)`, "orders lost"},
	{"preview", `([\d,]+) messages? as previewed now, (` + size + `)`, "live after|tokens after"},
	{"records", `([\d,]+) of ([\d,]+)(?: · ([\d,]+) found)?  Import`, "records|records|found"},
	{"records", `([\d,]+) records?(?: · ([\d,]+) found)?$`, "records|found"},
	{"records", `^  R-\d+  in force .*  (` + size + `)  (` + size + `)  (` + percent + `)  .*  (` + percent + `)$`,
		"tokens before|tokens after|saved %|facts kept %"},
	{"records", `  messages  ([\d,]+) → ([\d,]+)(?:  |$)`, "live before|live after"},
	{"why", `of ([\d,]+) calls? · fired ([\d,]+) · refused`, "calls|firings"},
	{"compare", `^  Compactions  ([\d,]+)  `, "firings"},
	{"recorded", `[\d,]+ of ([\d,]+) in this file`, "found"},
	{"sessions", `([\d,]+) sessions? · ([\d,]+) messages?(?: · (` + bytesOf + `))?(?:  |$)`, "sessions|messages|file bytes"},
	{"sessions", `  ([\d,]+)  (?:` + percent + `|–)  ([\d,]+)(?:  \d{4}-\d\d-\d\d \d\d:\d\d)?  (` + bytesOf + `)(?:  |$)`, "messages|made and found|file bytes"},
	{"metrics", `^  All  ([\d,]+)  ([\d,]+)  .*  ([\d,]+) · (` + percent + `)$`, "records|records|saved|saved %"},
	{"export", `With the applied compactions \((` + size + `)\)`, "tokens after"},
	{"export", `the model sees ([\d,]+) messages? · (` + size + `) tokens?`, "live after|tokens after"},
	{"filling", `(` + size + `) in ([\d,]+) messages?`, "tokens after|live after"},
	{"repair", `^  Calls  ([\d,]+)  `, "tool calls"},
	{"repair", `^  Results  ([\d,]+)  `, "tool results"},
	{"repair", `^  Messages the model sees  ([\d,]+)  ([\d,]+)`, "live before|live before"},
	{"storage", `([\d,]+) records? · originals`, "records"},
	{"verb inspect", `^  size +([\d,]+) bytes`, "file bytes"},
	{"verb inspect", `^  messages +([\d,]+) .*, ([\d,]+) tool calls?, ([\d,]+) tool results?`, "messages|tool calls|tool results"},
	{"verb inspect", `^  compactions +([\d,]+) `, "found"},
	{"verb preview", `^  before  ([\d,]+) messages?  (` + size + `) tokens`, "live before|tokens before"},
	{"verb preview", `^  after   ([\d,]+) messages?  (` + size + `) tokens  (` + percent + `)`, "live after|tokens after|saved %"},
	{"verb compact", `applied: ([\d,]+) → ([\d,]+) messages?, (` + size + `) → (` + size + `) tokens \((` + percent + `)\)`,
		"live before|live after|tokens before|tokens after|saved %"},
	{"verb replay", `^  calls +([\d,]+) `, "calls"},
	{"verb replay", `^  fires +([\d,]+) times?`, "firings"},
	{"verb records list", `^  R-\d+ .*  ([\d,]+) → ([\d,]+)  (` + size + `) → (` + size + `)  (` + percent + `)`,
		"live before|live after|tokens before|tokens after|saved %"},
	{"verb records check", `^([\d,]+) records? and [\d,]+ input file`, "records"},
	{"verb metrics", `(?m)^  all +([\d,]+) +([\d,]+) `, "records|records"},
}

// How sizes, shares and bytes are written.
const (
	size    = `[≥≤]? ?−?~?[\d,.]+[KM]?`
	percent = `[≥≤<]? ?[−+]?[\d.]+ %`
	bytesOf = `[\d.,]+ (?:bytes|B|KB|MB)`
)

// claim is a number as it is written somewhere: anything from low to high.
type claim struct {
	low, high   float64
	text, where string
}

// readNumber says what a written number may stand for.
func readNumber(text string) (low, high float64, bound bool) {
	scale, half := 1.0, 0.5
	s := strings.NewReplacer("−", "", "~", "", " ", "", ",", "", "%", "", "bytes", "").Replace(text)
	bound = strings.ContainsAny(s, "≥≤<")
	s = strings.TrimLeft(s, "≥≤<+")
	for _, u := range []struct {
		unit string
		of   float64
	}{{"KB", 1e3}, {"MB", 1e6}, {"K", 1e3}, {"M", 1e6}, {"B", 1}} {
		if n, ok := strings.CutSuffix(s, u.unit); ok {
			s, scale = n, u.of
			break
		}
	}
	if _, digits, ok := strings.Cut(s, "."); ok {
		half = .5 * math.Pow(10, -float64(len(digits)))
	}
	if scale == 1 && !strings.Contains(text, "%") {
		half = 0
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, 0, true
	}
	return (v - half) * scale, (v + half) * scale, bound
}

// reader reads what one file's screens and verbs say.
type reader struct {
	*stage
	tour   *tour
	met    map[string]bool // lines of counted
	claims map[string][]claim
	said   string // by the last verb
}

// screen reads the lines of the canvas, from the left to the right and from top to bottom.
func (r *reader) screen(where string) {
	r.settle()
	r.tour.fit()
	r.settle()
	v := look(r.Win.Canvas())
	list := v.texts()
	middle := func(i int) float32 { in := ink(v.all[i]); return (in.y0 + in.y1) / 2 }
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(middle(a), middle(b)) })
	var lines [][]int
	for _, i := range list {
		if n := len(lines); n == 0 || middle(i)-middle(lines[n-1][0]) > 2 {
			lines = append(lines, nil)
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], i)
	}
	for _, line := range lines {
		slices.SortStableFunc(line, func(a, b int) int { return cmp.Compare(ink(v.all[a]).x0, ink(v.all[b]).x0) })
		text := ""
		for _, i := range line {
			text += "  " + v.all[i].obj.(*canvas.Text).Text
		}
		r.read(where, text)
	}
}

// verb reads what a verb prints.
func (r *reader) verb(name string, args ...string) {
	var out bytes.Buffer
	if code := cli.Run(r.t.Context(), append(strings.Fields(name), args...), &out, &out, cli.Doors{}); code > 1 {
		r.t.Logf("%s: code %d", name, code)
	}
	r.said = out.String()
	for line := range strings.Lines(r.said) {
		r.read("verb "+name, strings.TrimRight(line, "\n"))
	}
}

var (
	expressions = map[string]*regexp.Regexp{}
	several     = regexp.MustCompile(`holds +([2-9]|\d\d+) conversations`)
)

func (r *reader) read(where, line string) {
	if os.Getenv("COUNTLINES") != "" {
		fmt.Println(where + ":" + line)
	}
	for _, c := range counted {
		if c.where != "" && !slices.Contains(strings.Split(c.where, "|"), where) {
			continue
		}
		re := expressions[c.line]
		if re == nil {
			re = regexp.MustCompile(c.line)
			expressions[c.line] = re
		}
		for _, m := range re.FindAllStringSubmatch(line, -1) {
			r.met[c.where+c.line] = true
			for i, name := range strings.Split(c.names, "|") {
				low, high, bound := readNumber(m[i+1])
				if m[i+1] != "" && !bound {
					r.claims[name] = append(r.claims[name], claim{low, high, m[i+1], where + ": " + strings.TrimSpace(line)})
				}
			}
		}
	}
}

// agree reports the names whose numbers can't all be one.
func (r *reader) agree(file string) {
	for name, list := range r.claims {
		low, high := list[0], list[0]
		for _, c := range list {
			if c.low > low.low {
				low = c
			}
			if c.high < high.high {
				high = c
			}
		}
		if low.low > high.high {
			r.t.Errorf("%s: %s is %s in\n\t%s\nand %s in\n\t%s", file, name, low.text, low.where, high.text, high.where)
		}
	}
}

// walk opens a file in a window and with the verbs, compacts it in both, and reads all that
// they say.
func (r *reader) walk(file string) {
	for _, e := range slices.Clone(r.Desk.Entries()) {
		if e.Sample != "" {
			r.Desk.TakeOff(e)
		}
	}
	r.Win.Resize(large)
	other := filepath.Join(r.t.TempDir(), "verbs.db")
	r.verb("inspect", file, "--db", other)
	if several.MatchString(r.said) { // conversations: screens look at one of them, and the verbs at all
		r.claims = nil
		return
	}
	r.screen("workbench")
	r.Commands.Run(commands.Why)
	r.screen("why")
	r.LeaveSheet()
	r.showCompare()
	r.screen("compare")
	r.LeaveSheet()
	for _, id := range []string{commands.Repair, commands.Recorded} {
		r.Commands.Run(id)
		r.screen(id)
		r.LeaveSheet()
	}
	r.Commands.Run(commands.Preview)
	r.screen("preview")
	r.LeaveSheet()
	r.Commands.Run(commands.Compact)
	r.screen("after")
	r.showRecords()
	r.screen("records")
	r.LeaveSheet()
	r.showSessions()
	r.screen("sessions")
	r.LeaveSheet()
	r.Desk.SelectMessage(len(r.Desk.Session().Thread().History) - 1) // the moment that is filled
	for _, id := range []string{"metrics", commands.Export, "filling"} {
		if c := r.Commands.ByID[id]; c != nil && c.Can() {
			c.Run()
			r.screen(id)
			r.tour.closeAll()
		}
	}
	settingsAt(r.window, preferences.Storage)()
	r.screen("storage")
	r.tour.closeAll()
	db := r.Desk.Store().Path()
	r.verb("records list", "--db", db)
	r.verb("records check", "--db", db)
	r.verb("metrics", "--db", db)
	for _, verb := range []string{"preview", "replay", "compact"} {
		r.verb(verb, file, "--db", other)
	}
}

// TestCountsOfOneNameAgree walks through screens and verbs over real files of all formats. With
// COUNTS=all it takes every file.
func TestCountsOfOneNameAgree(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	met, last := map[string]bool{}, ""
	for _, source := range realdata.Files(t) {
		st, err := os.Stat(source)
		format := filepath.Base(filepath.Dir(source))
		if err != nil || st.Size() > 4<<20 || os.Getenv("COUNTS") != "all" && (format == last || st.Size() < 20_000) && !strings.Contains(source, "2compacts") ||
			os.Getenv("COUNTFILE") != "" && !strings.Contains(source, os.Getenv("COUNTFILE")) {
			continue
		}
		last = format
		t.Run(filepath.Base(source), func(t *testing.T) {
			text, err := os.ReadFile(source)
			file := filepath.Join(t.TempDir(), filepath.Base(source))
			if err == nil {
				err = os.WriteFile(file, text, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			s := newStage(t, file)
			r := &reader{s, &tour{stage: s, sizes: map[fyne.CanvasObject]fyne.Size{}}, met, map[string][]claim{}, ""}
			r.walk(file)
			r.agree(filepath.Base(source))
		})
	}
	for _, c := range counted {
		if os.Getenv("COUNTFILE") == "" && !met[c.where+c.line] {
			t.Errorf("no file has the line %q of %q", c.line, c.where)
		}
	}
}
