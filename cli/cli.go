// Package cli is the door without a window: verbs for scripts, batches and
// tests. They do the same work as the window, through the same sessions.
//
// Contract. A verb exits with 0 when it did what was asked, 1 when it was
// refused or failed, 2 when it was called wrongly. Results go to the standard
// output, as short text for people or, with --json, as exactly one JSON value
// of the schema in docs/json.md. Why something did not work goes to the
// standard error: what, why and what to do next. Nothing is overwritten without
// --force. Verbs work on the file they are given, not on what a window made of
// it; the records they make are the same.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"palimpsest/cli/batch"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/online"
	"palimpsest/compaction/summarize/redact"
	"palimpsest/model"
	"palimpsest/model/pattern"
	"palimpsest/model/query"
	"palimpsest/model/store"
	counting "palimpsest/model/tokens"
)

// Exit codes.
const (
	exitDone   = 0
	exitFailed = 1 // refused or failed
	exitUsage  = 2
)

// Doors lead to what needs a window system. A nil one says that this build has
// none.
type Doors struct {
	// Window opens the window with files or folders, which may be none, on the
	// database at path db, which a flag or the variable PALIMPSEST_DB named; "": neither.
	Window func(files []string, db string) error
	// Queue opens the queue in the database at an address. It is left out of the program of
	// the window, which no machine needs that only works.
	Queue func(ctx context.Context, address string) (batch.Queue, error)
}

// shared are the flags of all verbs.
type shared struct {
	DB      string      `name:"db" env:"PALIMPSEST_DB" placeholder:"PATH" help:"${database}"`
	Color   string      `enum:"auto,always,never" default:"auto" placeholder:"WHEN" help:"${color}"`
	HelpAll helpAllFlag `help:"${helpAll}"`
	Version versionFlag `short:"V" help:"Print the version."`
}

// newGrammar is the grammar with the flags of the table of parameters.
func newGrammar() *grammar {
	g := &grammar{}
	for _, part := range []reflect.Value{reflect.ValueOf(g), reflect.ValueOf(&g.besideAgents)} {
		for _, field := range part.Elem().Fields() {
			if !field.CanAddr() || !field.CanInterface() {
				continue
			}
			if verb, ok := field.Addr().Interface().(interface{ addParams() }); ok {
				verb.addParams()
			}
		}
	}
	return g
}

// newParser is the parser of a grammar.
func newParser(g any, more ...kong.Option) (*kong.Kong, error) {
	k, err := kong.New(g, append(more, kong.Name("palimpsest"), kong.Description(description), kong.PostBuild(fillHelp),
		kong.KindMapper(reflect.String, kong.MapperFunc(asTyped)))...)
	if err == nil {
		k.Model.HelpFlag.Help = "Show this page."
	}
	return k, err
}

// asTyped takes a word as it is: kong's way goes through JSON, and loses bytes of a name that is no UTF-8.
func asTyped(ctx *kong.DecodeContext, target reflect.Value) error {
	t, err := ctx.Scan.PopValue("string")
	if err == nil {
		target.SetString(t.String())
	}
	return err
}

// verbNames lists the verbs.
func verbNames() (out []string) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[grammar]()) {
		if _, verb := f.Tag.Lookup("cmd"); verb {
			out = append(out, cmp.Or(f.Tag.Get("name"), strings.ToLower(f.Name)))
		}
	}
	return out
}

// grammar is what a person may type.
type grammar struct {
	shared

	Window  windowCmd  `cmd:"" hidden:"" default:"withargs" help:"Open the window."`
	Inspect inspectCmd `cmd:"" help:"Show what a transcript holds."`
	Find    findCmd    `cmd:"" help:"Find messages in histories, or in what compactions took out of them."`
	Preview previewCmd `cmd:"" help:"Show what a compaction would do; nothing is stored."`
	Replay  replayCmd  `cmd:"" help:"Show what every call would have sent under a policy, and when it would have compacted."`
	History historyCmd `cmd:"" help:"Show what the history in an agent's prompt would be under a policy."`
	Sweep   sweepCmd   `cmd:"" help:"Replay a grid of two parameters and show which settings are best."`
	Probe   probeCmd   `cmd:"" help:"Ask a model what it knows of a session from what a compaction leaves, and compare settings by it."`
	Suggest suggestCmd `cmd:"" help:"Try settings on transcripts and suggest three that are better: safer, middle, leaner."`
	Compact compactCmd `cmd:"" help:"Compact transcripts and keep a record of each."`
	Batch   batchCmd   `cmd:"" help:"Compact many transcripts, each once however often it is begun; or hand them to workers."`
	Work    workCmd    `cmd:"" help:"Do what batch --queue handed out, on any machine that reaches the database."`
	Repair  repairCmd  `cmd:"" help:"${repair}"`
	Restore restoreCmd `cmd:"" help:"Give back the input file of a record, byte for byte."`
	Reapply reapplyCmd `cmd:"" help:"Apply a record again, on its transcript or on what that has become."`
	Export  exportCmd  `cmd:"" help:"Write a transcript, or a record's compacted one, in another format."`
	Records recordsCmd `cmd:"" help:"List the records, or show one."`
	Talks   talksCmd   `cmd:"" name:"conversations" help:"${talks}"`
	Presets presetsCmd `cmd:"" help:"List the presets, or show one."`
	besideAgents
	Metrics    metricsCmd    `cmd:"" help:"Show what the records come to: rates, durations, saved tokens, failures."`
	Maps       mapsCmd       `cmd:"" help:"List the saved field maps for generic JSON."`
	Formats    formatsCmd    `cmd:"" help:"List the formats that are read and written."`
	Completion completionCmd `cmd:"" help:"${completion}"`
}

// besideAgents are the verbs that stand beside the agents of a machine.
type besideAgents struct {
	Use    useCmd    `cmd:"" help:"Print a policy as the configuration of another tool, or put it into its file."`
	Start  runCmd    `cmd:"" name:"run" help:"${run}"`
	Unwrap unwrapCmd `cmd:"" help:"Remove what a killed run left behind, and the hooks of all tools."`
	Doctor doctorCmd `cmd:"" help:"Say whether gateways, hooks and tools work, and what to do where not."`
	Serve  serveCmd  `cmd:"" help:"${serve}"`
	Live   liveCmd   `cmd:"" help:"${live}"`
	Hook   hookCmd   `cmd:"" help:"${hook}"`
	MCP    mcpCmd    `cmd:"" name:"mcp" help:"${mcp}"`
}

// app is what the verbs share.
type app struct {
	ctx    context.Context
	args   []string // of the call, the verb first
	out    io.Writer
	errOut io.Writer
	stdin  *input
	db     string // as given by flag or variable; "": the default
	doors  Doors

	asks        *online.Connection // nil: no model is asked
	acceptFlaws bool
	json        bool              // the result is JSON
	lines       bool              // each value of it is one line, as there are several
	names       map[string]string // of the results of several files in one folder, by the files
	pipe        *pipe             // takes the output for the standard output; nil: it goes to a file
	from        string            // what is read in place of the file that is named; "": that itself
	uid         func() string     // names new records; nil: at random
	keepSent    bool              // what is sent is kept in the record
	overview    *overview         // takes a line for each of several files in place of their pages; nil: pages are printed
	also        []redact.Kind     // withheld besides what always is
	kept        *counting.Factors // those of the settings, where many files are opened; nil: they are read for each
}

// Run does what the arguments say and returns the exit code. Cancelling the
// context stops a compaction, which is noted as cancelled.
func Run(ctx context.Context, args []string, out, errOut io.Writer, doors Doors) int {
	when := colourOf(args)
	o, e := newTerminal(out, when), newTerminal(errOut, when)
	code := run(ctx, args, o, e, doors)
	o.end()
	if err := o.w.failure(); err != nil && code == exitDone {
		fmt.Fprintln(e, err)
		code = exitFailed
	}
	e.end()
	return code
}

// colourOf is what the call says about colours, which are chosen before it is parsed:
// its errors have them, too.
func colourOf(args []string) string {
	for i, a := range args {
		if v, ok := strings.CutPrefix(a, "--color="); ok {
			return v
		}
		if a == "--color" && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

func run(ctx context.Context, args []string, out, errOut io.Writer, doors Doors) int {
	args = asFlags(args)
	if len(args) == 1 && (args[0] == "--version" || args[0] == "-V") {
		fmt.Fprintln(out, version())
		return exitDone
	}
	g := newGrammar()
	exited := false // kong says "exit" and goes on
	k, err := newParser(g, kong.Writers(out, errOut), kong.Help(helpWithExamples), kong.ConfigureHelp(helpOptions), kong.UsageOnError(),
		kong.Exit(func(int) { exited = true }),
		kong.ExplicitGroups([]kong.Group{{Key: "policy", Title: "Policy flags:"},
			{Key: "model", Title: "Summaries by a model:"}, {Key: "thread", Title: "Which thread:"}}))
	if err != nil {
		fmt.Fprintln(errOut, err)
		return exitFailed
	}
	a := &app{ctx: ctx, args: args, out: out, errOut: errOut, doors: doors, stdin: &input{from: stdin}}
	kctx, err := k.Parse(args)
	switch {
	case exited:
		return exitDone
	case err != nil:
		return a.fail(usageError{parseSentence(err)})
	}
	a.db = g.DB
	a.json = slices.ContainsFunc(kctx.Flags(), func(f *kong.Flag) bool { return f.Name == "json" && f.Target.Bool() })
	if a.pipe, err = a.openPipe(kctx); err != nil {
		return a.fail(err)
	}
	defer a.pipe.close()
	err = kctx.Run(a)
	if a.pipe != nil {
		err = errors.Join(a.pipe.says(err), a.pipe.flush())
	}
	if t, ok := out.(*terminal); ok && t.w.err != nil {
		err = t.w.failure() // says more than who was printing
	}
	if a.asks != nil {
		a.asks.Close()
	}
	return a.fail(err)
}

// asFlags turns the words help and version, which are verbs of other programs, into the
// flags that they are here.
func asFlags(args []string) []string {
	switch {
	case len(args) > 0 && args[0] == "help":
		return append(slices.Clone(args[1:]), "--help")
	case len(args) == 1 && args[0] == "version":
		return []string{"--version"}
	}
	return args
}

const description = `Palimpsest: see, tune and undo the compaction of AI agents' histories.

palimpsest [FILE|DIR …] opens the window. A file that is called like a verb is given as ./NAME.`

// parseSentence turns what the parser says into a sentence with a next step.
func parseSentence(err error) string {
	text := err.Error()
	call := &kong.Context{} // where the error was made
	if at := (*kong.ParseError)(nil); errors.As(err, &at) && at.Context != nil {
		call = at.Context
	}
	n := call.Selected()
	if word, ok := strings.CutPrefix(text, "unexpected argument "); ok && n != nil {
		if text := noSuchPart(n, word); text != "" {
			return text
		}
	}
	if flag, ok := strings.CutPrefix(text, "unknown flag "); ok {
		flag, _, _ = strings.Cut(flag, ",")
		text = "There is no flag " + flag + "." + meant(ourFlag(flag), flagsOf(call))
	}
	for _, w := range parserWords {
		text = w.theirs.ReplaceAllString(text, w.ours)
	}
	if m := notAmong.FindStringSubmatch(text); m != nil {
		list := strings.Split(strings.TrimSuffix(strings.ReplaceAll(m[2], `"`, ""), ","), ",")
		text = fmt.Sprintf("%s can't be %q.%s It is one of %s", m[1], m[3], meant(m[3], list), strings.Join(list, ", "))
	}
	verb := "palimpsest"
	if n != nil && n.Name != "window" {
		verb = n.FullPath()
	}
	if !strings.HasSuffix(text, "?") {
		text = strings.TrimSuffix(text, ".") + "."
	}
	return text + " See " + verb + " --help."
}

// ourFlag is the flag that a name in the documents of the four systems means, in English or
// Chinese, however it is spelled; a name that they don't have stays.
func ourFlag(flag string) string {
	bare := strings.NewReplacer("-", "", "_", "").Replace(flag)
	for ours, names := range theirNames {
		if slices.ContainsFunc(strings.Fields(names), func(name string) bool { return strings.EqualFold(bare, name) }) {
			return ours
		}
	}
	return flag
}

var theirNames = map[string]string{
	"--threshold":      "compactThreshold 阈值 触发",
	"--window":         "windowSize keepRecentCount 窗口 窗口大小 保留最近",
	"--batch":          "compressionBatchSize compactWindow 批量 批次",
	"--layer-budget":   "maxSummaryLength 摘要层 摘要层总长度",
	"--strategy":       "compressionStrategy 策略 压缩策略",
	"--max-messages":   "maxHistorySize 最多消息数",
	"--summary-budget": "compactSummaryMaxChars summaryMaxTokens 摘要预算",
	"--model-limit":    "maxTokens 模型上限 上下文窗口",
}

// flagsOf are the names of the flags of a call.
func flagsOf(call *kong.Context) (list []string) {
	for _, f := range call.Flags() {
		if !f.Hidden {
			list = append(list, f.Name)
		}
	}
	return list
}

// noSuchPart is the sentence on a word behind a verb of several parts, as records, that is
// none of them; "" if the word is something else.
func noSuchPart(n *kong.Node, word string) string {
	if n.Parent == nil || n.Parent.DefaultCmd != n || n.Parent.Type == kong.ApplicationNode {
		return ""
	}
	var parts []string
	for _, c := range n.Parent.Children {
		if !c.Hidden {
			parts = append(parts, c.Name)
		}
	}
	verb := n.Parent.Name
	return fmt.Sprintf("There is no verb \"%s %s\".%s There are: %s. See palimpsest %s --help.",
		verb, strings.TrimSuffix(word, "."), meant(word, parts), strings.Join(parts, ", "), verb)
}

// parserWords are words of the parser and what is said in their place.
var parserWords = []struct {
	theirs *pattern.Regexp
	ours   string
}{
	{pattern.New(`^(\S+): expected .+ value but got ("-[^"]*") .*$`), "$1 can't be $2"},
	{pattern.New(`^(?:missing positional arguments|expected) "?(<[^"]*?)( \.\.\.)?"?$`), "Something is missing: $1"},
	{pattern.New(`^missing flags: `), "Something is missing: "},
	{pattern.New(`^unexpected argument (.+)$`), `"$1" is one argument too many`},
	{pattern.New(`^(\S+): expected duration but got ("[^"]*").*$`), "$1 needs a time as 30s, 5m or 2h, not $2"},
	{pattern.New(`^(\S+): expected an? (?:valid \d+ bit )?u?int but got ("[^"]*").*$`), "$1 needs a whole number, not $2"},
	{pattern.New(`^(\S+): expected a float but got ("[^"]*").*$`), "$1 needs a number, not $2"},
	{pattern.New(`^(\S+): (?:expected bool|bool value must be .*) but got ("[^"]*").*$`), "$1 is true or false, not $2"},
	{pattern.New(`^(\S+): missing value, expecting .*$`), "$1 needs a value"},
}

// notAmong is what the parser says of a value that is none of a list.
var notAmong = pattern.New(`^(\S+) must be one of (\S+) but got "(.*)"$`)

// meant is the sentence that asks whether another word of a list was meant; "" if none is
// near.
func meant(word string, list []string) string {
	bare := strings.TrimLeft(word, "-")
	near := query.Near(bare, list)
	begun := slices.DeleteFunc(slices.Clone(list), func(x string) bool { return !strings.HasPrefix(x, bare) })
	switch {
	case near == "" && (len(bare) < 3 || len(begun) != 1):
		return ""
	case near == "":
		near = begun[0]
	}
	if bare != word {
		near = "--" + near
	}
	return fmt.Sprintf(" Did you mean %s?", near)
}

// usageError is a call that makes no sense; everything else is a failure.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

func usage(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// silent ends with a code when everything has been said already.
type silent int

func (s silent) Error() string { return fmt.Sprintf("exit code %d", int(s)) }

// Ended is what a door returns whose program has already said why it ended with a code.
func Ended(code int) error { return silent(code) }

// fail prints an error and returns the exit code that belongs to it.
func (a *app) fail(err error) int {
	if err == nil {
		return exitDone
	}
	if code, ended := errors.AsType[silent](err); ended {
		return int(code)
	}
	if a.json {
		_ = a.printJSON(failureOf("", err))
	}
	a.say(err)
	return exitCode(err)
}

// say prints an error as one paragraph.
func (a *app) say(err error) {
	styled(a.errOut, red, sentence(err))
	fmt.Fprintln(a.errOut)
}

func exitCode(err error) int {
	var u usageError
	var p *model.Problem
	if errors.As(err, &u) || errors.As(err, &p) && p.Code == "choose" {
		return exitUsage
	}
	return exitFailed
}

// sentence is an error as it is printed for a person. The name of a file at its
// beginning stays as it is spelled.
func sentence(err error) string {
	if errors.Is(err, context.Canceled) {
		return "Cancelled. Nothing was changed."
	}
	text := err.Error()
	var none *store.Error
	if errors.As(err, &none) && none.Kind == store.ErrNotFound && none.Detail != "" { // which says all of it
		text = none.Detail + " (" + none.Path + ")."
	}
	if rest, ok := strings.CutPrefix(text, dash+" "); ok {
		return "The standard input " + rest
	}
	var p *model.Problem
	if errors.As(err, &p) && strings.HasPrefix(text, p.What) { // a sentence already, which may begin with the name of a file
		return text
	}
	if first, _, _ := strings.Cut(text, " "); strings.ContainsAny(first, "./\\_-0123456789") {
		return text
	}
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}

// windowCmd is the other door.
type windowCmd struct {
	Files []string `arg:"" optional:"" name:"FILE|DIR" help:"Transcripts, or folders of them, to open."`
}

func (c *windowCmd) Run(a *app) error {
	if len(c.Files) > 0 && !isFile(c.Files[0]) {
		if _, err := os.Stat(c.Files[0]); err != nil {
			return usage("There is no verb and no file %q.%s See palimpsest --help.", c.Files[0], meant(c.Files[0], verbNames()))
		}
	}
	if a.doors.Window == nil {
		return &model.Problem{Code: "no-window", What: "The window can't be opened.",
			Why:  "This program has the verbs only, and palimpsest-window is not here.",
			Next: "Install the package palimpsest-window, or use a verb: palimpsest --help."}
	}
	return a.doors.Window(c.Files, a.db)
}

// isFile reports whether a word names a source; it may also be a misspelled verb.
func isFile(name string) bool {
	_, recorded := session.ConversationID(name)
	return recorded || strings.ContainsAny(name, `/\.`)
}
