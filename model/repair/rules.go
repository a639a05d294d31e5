// Package repair finds what keeps an agent's session from being resumed, and the smallest
// mends. It reads any file as far as that goes, says of each fault what the tool that wrote
// the file or its provider does because of it, and how that is known. A mended file is the
// same file but for the mends: what stays is the same bytes, and nothing is made up but
// marked notes.
package repair

import (
	"slices"

	"palimpsest/model"
)

// Does is what comes of a fault.
type Does string

// Consequences in a tool or at a provider.
const (
	RefusesLoad  Does = "refuses-load"  // the tool does not load the session
	RefusesCall  Does = "refuses-call"  // the provider refuses this and every later call
	LosesBefore  Does = "loses-before"  // what is before it is not loaded
	LosesLine    Does = "loses-line"    // the line is skipped, and what it says is missing
	MayRefuse    Does = "may-refuse"    // some providers and models refuse the call
	PutsRight    Does = "puts-right"    // the tool puts it right when it loads
	OnlySpace    Does = "only-space"    // it takes space, nothing else
	OnlyProvider Does = "only-provider" // only the provider that made it can read it
	Unknown      Does = "unknown"       // it is not known
)

// Harm is how bad that is.
type Harm uint8

const (
	Harmless Harm = iota // nothing that a person has to mend
	Harmful              // something is lost or wrong, the session goes on
	Stops                // the session can't be resumed
)

// Harm is how bad it is.
func (d Does) Harm() Harm {
	switch d {
	case RefusesLoad, RefusesCall:
		return Stops
	case LosesBefore, LosesLine:
		return Harmful
	}
	return Harmless
}

// Sure is how something is known.
type Sure string

const (
	Tried      Sure = "tried"      // with the program itself; see scripts/repair.sh
	Read       Sure = "read"       // in its code
	Documented Sure = "documented" // by its makers
	Reported   Sure = "reported"   // by people who met it
	Assumed    Sure = "assumed"    // from what is usual
)

// Consequence is what comes of a fault in one tool's files, and where that is known from.
type Consequence struct {
	Does   Does   `json:"does"`
	Source string `json:"source"`
	Sure   Sure   `json:"sure"`
}

// Rule is one kind of fault.
type Rule struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Mend  string `json:"mend"`  // what the mend is; "": there is none
	Text  bool   `json:"text"`  // it is about the text, whatever that says
	Asked bool   `json:"asked"` // the mend is only made when a person asks for it
	in    map[model.Format]Consequence
	other Consequence // in all other files
}

// In is what comes of the fault in a file of a format.
func (r *Rule) In(f model.Format) Consequence {
	if c, ok := r.in[f]; ok {
		return c
	}
	return r.other
}

// Formats lists the formats for which the rule names consequences.
func (r *Rule) Formats() []model.Format {
	list := make([]model.Format, 0, len(r.in))
	for f := range r.in {
		list = append(list, f)
	}
	slices.Sort(list)
	return list
}

// Rules lists all rules, in the order in which they are looked for.
func Rules() []Rule { return slices.Clone(rules) }

// RuleOf finds a rule by its id.
func RuleOf(id string) (*Rule, bool) {
	i := slices.IndexFunc(rules, func(r Rule) bool { return r.ID == id })
	if i < 0 {
		return nil, false
	}
	return &rules[i], true
}

// byLine is what readers of JSON Lines do with a line that is no JSON.
func byLine(copilot string) map[model.Format]Consequence {
	return map[model.Format]Consequence{
		model.FormatCopilot:    {RefusesLoad, "1.0.35; 1.0.102 leaves the line out, but for the first; " + copilot, Tried},
		model.FormatClaudeCode: {LosesLine, "anthropics/claude-code#13258, #31328", Reported},
		model.FormatCodex:      {LosesLine, "openai/codex: codex-rs/rollout, parse_errors", Read},
		model.FormatPi:         {LosesLine, "badlogic/pi-mono: session-manager.ts, parseSessionEntries", Assumed},
		formatQwen:             {LosesLine, "QwenLM/qwen-code: packages/core/src/utils/jsonl-utils.ts", Assumed},
		model.FormatGeminiCLI:  {LosesLine, "google-gemini/gemini-cli: chatRecordingService.ts", Assumed},
	}
}

const formatQwen model.Format = "qwen"

// byProvider is what comes of a list that a provider refuses, for tools that send what they
// have.
func byProvider(source string, of map[model.Format]Consequence) map[model.Format]Consequence {
	for _, f := range []model.Format{model.FormatCopilot, model.FormatAnthropic, model.FormatOpenAI, model.FormatCline,
		model.FormatResponses, model.FormatLangChain} {
		if _, ok := of[f]; !ok {
			of[f] = Consequence{RefusesCall, source, Reported}
		}
	}
	return of
}

var rules = []Rule{
	{ID: "byte-order-mark", Text: true, Title: "Byte order mark", Mend: "taken out", Asked: true,
		in:    map[model.Format]Consequence{model.FormatCodex: {LosesLine, "serde_json takes no byte order mark", Assumed}},
		other: Consequence{PutsRight, "most readers skip it", Assumed}},
	{ID: "nul-bytes", Text: true, Title: "Zero bytes", Mend: "taken out", in: byLine("github/copilot-cli#2217, #2927, #1864"),
		other: Consequence{RefusesLoad, "JSON has none", Assumed}},
	{ID: "not-utf8", Text: true, Title: "Bytes that are no UTF-8", Mend: "become one “unknown” sign",
		in: map[model.Format]Consequence{
			model.FormatClaudeCode: {PutsRight, "Node reads them as U+FFFD", Documented},
			model.FormatCopilot:    {PutsRight, "Node reads them as U+FFFD", Documented},
			model.FormatPi:         {PutsRight, "Node reads them as U+FFFD", Documented},
			model.FormatGeminiCLI:  {PutsRight, "Node reads them as U+FFFD", Documented},
			formatQwen:             {PutsRight, "Node reads them as U+FFFD", Documented},
			model.FormatCodex:      {RefusesLoad, "tokio read_to_string: stream did not contain valid UTF-8", Assumed}},
		other: Consequence{RefusesLoad, "JSON is UTF-8 (RFC 8259)", Documented}},
	{ID: "half-character", Text: true, Title: "Half of an emoji", Mend: "becomes one “unknown” sign",
		in: map[model.Format]Consequence{
			model.FormatClaudeCode: {RefusesCall, "2.0.76; 2.1.332 puts it right; anthropics/claude-code#69927, #86560", Tried},
			model.FormatCodex:      {LosesLine, "serde_json: lone leading surrogate in hex escape", Documented}},
		other: Consequence{RefusesCall, "openclaw/openclaw#7275, anomalyco/opencode#17758", Reported}},
	{ID: "control-character", Text: true, Title: "Raw control character in a text", Mend: "is spelled as an escape",
		in: byLine("github/copilot-cli#2649"), other: Consequence{RefusesLoad, "JSON takes none (RFC 8259)", Documented}},
	{ID: "line-separator", Title: "Unicode line separator", Mend: "is spelled as an escape",
		in: map[model.Format]Consequence{
			model.FormatCopilot: {RefusesLoad, "1.0.35; 1.0.102 reads it; github/copilot-cli#2012, #2490", Tried}}},
	{ID: "not-a-number", Text: true, Title: "Word that is no number of JSON", Mend: "becomes null",
		in: byLine("JSON.parse refuses it"), other: Consequence{RefusesLoad, "JSON has no NaN (RFC 8259)", Documented}},
	{ID: "cut-line", Text: true, Title: "Half a line", Mend: "taken out", in: byLine("github/copilot-cli#1864, #2217"),
		other: Consequence{LosesLine, "a line that is not whole can't be read", Assumed}},
	{ID: "cut-record", Text: true, Title: "Beginning of a record, and another one in it", Mend: "the beginning is taken out",
		in: byLine("github/copilot-cli#4098"), other: Consequence{LosesLine, "a line that is not JSON can't be read", Assumed}},
	{ID: "glued-lines", Text: true, Title: "Two records on one line", Mend: "a line end is put between them",
		in: byLine("github/copilot-cli#4098"), other: Consequence{LosesLine, "a line that is not JSON can't be read", Assumed}},
	{ID: "split-record", Text: true, Title: "One record over several lines", Mend: "its line ends are spelled as escapes",
		in: byLine("github/copilot-cli#2649"), other: Consequence{LosesLine, "a line that is not JSON can't be read", Assumed}},
	{ID: "no-record", Text: true, Title: "Line that is no record", Mend: "taken out", in: byLine("github/copilot-cli#1864"),
		other: Consequence{LosesLine, "it is passed over", Assumed}},
	{ID: "long-line", Text: true, Title: "Line too long to be read", other: Consequence{Unknown, "", Assumed}},
	{ID: "cut-value", Text: true, Title: "The file ends in the middle", Mend: "it is closed after the last whole record",
		other: Consequence{RefusesLoad, "JSON that is cut can't be read", Documented}},
	{ID: "text-after", Text: true, Title: "Text after the end of the file's value", Mend: "taken out",
		other: Consequence{RefusesLoad, "JSON is one value", Documented}},

	{ID: "missing-parent", Title: "Parent that is not in the file", Mend: "points to the record before it",
		in: map[model.Format]Consequence{
			model.FormatClaudeCode: {LosesBefore, "2.0.76; 2.1.332 finds it; anthropics/claude-code#22107, #24304, #37437", Tried},
			model.FormatPi:         {LosesBefore, "badlogic/pi-mono: session-manager.ts, buildSessionContext", Assumed},
			formatQwen:             {LosesBefore, "QwenLM/qwen-code: sessionService.ts, reconstructHistory", Assumed}},
		other: Consequence{Unknown, "", Assumed}},
	{ID: "parent-loop", Title: "Parents that lead in a circle", Mend: "points to the record before it, or to none",
		other: Consequence{LosesBefore, "the walk up the parents never ends, or is broken off", Assumed}},
	{ID: "second-root", Title: "Begins anew in the middle", Mend: "points to the record before it", Asked: true,
		other: Consequence{PutsRight, "so it is after a rewind to the beginning", Assumed}},
	{ID: "copied-record", Title: "The same record again", Mend: "the copy is taken out", Asked: true,
		other: Consequence{PutsRight, "by its id, one of them counts", Assumed}},
	{ID: "double-id", Title: "Two records with one id", other: Consequence{Unknown, "", Assumed}},
	{ID: "number-range", Title: "Negative number", Mend: "set to 0",
		in: map[model.Format]Consequence{model.FormatCopilot: {RefusesLoad, "github/copilot-cli#3598", Reported}}},
	{ID: "no-start", Title: "Session without its first event", Mend: "one with the name of its folder is put before it",
		in: map[model.Format]Consequence{
			model.FormatCopilot: {RefusesLoad, "github/copilot-cli 1.0.102: corrupted or incompatible", Tried}}},
	{ID: "no-metadata", Title: "Compaction without its metadata", Mend: "empty metadata are put in",
		in: map[model.Format]Consequence{
			model.FormatClaudeCode: {RefusesCall, "omnigent-ai/omnigent#1957: /compact fails for ever", Reported}}},
	{ID: "kept-nowhere", Title: "Compaction that points to nothing", Mend: "the pointer is taken out",
		in: map[model.Format]Consequence{model.FormatClaudeCode: {LosesLine, "anthropics/claude-code#40027", Reported},
			model.FormatPi: {LosesLine, "badlogic/pi-mono: session-manager.ts, firstKeptEntryId", Assumed}}},
	{ID: "sealed-checkpoint", Title: "Checkpoint that can't be read",
		other: Consequence{OnlyProvider, "platform.openai.com/docs/guides/compaction", Documented}},
	{ID: "stale-signature", Title: "Signed thinking whose beginning is gone", Mend: "the thinking is taken out", Asked: true,
		other: Consequence{MayRefuse, "earendil-works/pi#9391, openclaw/openclaw#90108", Reported}},
	{ID: "old-checkpoint", Title: "Older copy of the context", Mend: "the copy is emptied; the newest one stays", Asked: true,
		other: Consequence{OnlySpace, "openai/codex#24191: files of 0.5 to 0.9 GB", Reported}},

	{ID: "call-without-result", Title: "Call without a result", Mend: "a result that says so is added",
		in: byProvider("anthropics/claude-code#1894, #2105: tool_use ids were found without tool_result", map[model.Format]Consequence{
			model.FormatCopilot:    {RefusesCall, "1.0.35; 1.0.102 sends a result of its own", Tried},
			model.FormatClaudeCode: {PutsRight, "2.0.76 and 2.1.332: a result of its own is sent", Tried},
			model.FormatCodex:      {PutsRight, "openai/codex: context_manager/normalize.rs, ensure_call_outputs_present", Read},
			model.FormatPi:         {PutsRight, "badlogic/pi-mono: transform-messages.ts, “No result provided”", Assumed},
			formatQwen:             {PutsRight, "QwenLM/qwen-code#9573", Reported}}),
		other: Consequence{Unknown, "", Assumed}},
	{ID: "result-without-call", Title: "Result without a call", Mend: "becomes a message with its text",
		in: byProvider("anthropics/claude-code#31328: unexpected tool_use_id found in tool_result blocks", map[model.Format]Consequence{
			model.FormatClaudeCode: {PutsRight, "anthropics/claude-code 2.1: it is left out", Assumed},
			model.FormatCodex:      {PutsRight, "openai/codex: context_manager/normalize.rs, remove_orphan_outputs", Read}}),
		other: Consequence{Unknown, "", Assumed}},
	{ID: "second-result", Title: "Second result of one call", Mend: "becomes a message with its text",
		in:    byProvider("each tool_use must have a single result", map[model.Format]Consequence{}),
		other: Consequence{Unknown, "", Assumed}},
	{ID: "result-apart", Title: "Result that does not follow its call", Mend: "moves to its call",
		in:    byProvider("anthropics/claude-code#1894: immediately after", map[model.Format]Consequence{}),
		other: Consequence{PutsRight, "the order is that of the links", Assumed}},
	{ID: "double-call", Title: "Two calls with one id", Mend: "the second one and its result get another id",
		other: Consequence{RefusesCall, "anthropics/claude-code#29779: tool_use ids must be unique", Reported}},
	{ID: "unknown-role", Title: "Role that the API does not know", Mend: "becomes the user's",
		other: Consequence{RefusesCall, "the API lists the roles it takes", Documented}},
	{ID: "first-message", Title: "Begins with an answer", Mend: "a note before it says that the beginning is missing",
		other: Consequence{RefusesCall, "the first message must be the user's", Documented}},
	{ID: "empty-text", Title: "Empty text block", Mend: "becomes “(no content)”",
		in:    map[model.Format]Consequence{model.FormatClaudeCode: {RefusesCall, "2.0.76; 2.1.332 puts it right", Tried}},
		other: Consequence{RefusesCall, "text content blocks must be non-empty", Documented}},
}
