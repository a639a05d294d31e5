package source

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"palimpsest/model"
)

// Programs that watch agents keep spans: one for each call of a model, with the whole
// history up to it, one for each call of a tool, and others around them. Of the spans of
// a trace, in the order of their times, this makes one conversation: of each call of a
// model what it has that none before had, and what it answered; of each call of a tool
// its result, where no message has it.
//
//	LLM  in: a       out: B(call)      a, B
//	TOOL               out: r                 r
//	LLM  in: a B r   out: C                     C

// span is a step of a trace, of whatever program.
type span struct {
	id, parent, trace, name string
	talk                    string // the conversation that it names
	start                   time.Time
	kind                    spanKind
	in, out                 []turn
	call                    string // of a tool: the id of its call
	model                   string
	usage                   map[string]int
	args                    string
}

type spanKind uint8

const (
	otherSpan spanKind = iota
	modelSpan
	toolSpan
)

// marks are what a trace has in its beginning, one of each list. They are looked for
// before anything is parsed.
var marks = [][]string{
	{`"observations"`, `"parentObservationId"`}, {`"observations"`, `"traceId"`},
	{`"parentObservationId"`, `"traceId"`}, {`"llm.input_messages`},
	{`"openinference.span.kind"`},
	{`"span_kind"`, `"context"`, `"attributes"`}, {`"context.trace_id"`, `"attributes.`},
	{`"run_type"`, `"inputs"`}, {`"op_name"`, `"trace_id"`},
	{`"span_attributes"`, `"root_span_id"`},
	{`"gen_ai.tool.call.`}, {`"gen_ai.input.messages"`}, {`"gen_ai.output.messages"`}, {`"trace.span"`, `"span_data"`},
	{`"success"`, `"input"`, `"output"`},
}

func traces(s *state) (*Text, error) {
	head := bytes.TrimLeft(s.head, "\xef\xbb\xbf \t\r\n")
	if len(head) == 0 || head[0] != '{' && head[0] != '[' || !marked(head) {
		return nil, nil
	}
	text, err := s.whole()
	if err != nil {
		return nil, err
	}
	var list []span
	for _, v := range values(text) {
		list = append(list, spansOf(v)...)
	}
	joinTraces(list)
	if len(list) == 0 || len(list) == 1 && list[0].kind != modelSpan { // a call of a tool is no conversation
		return nil, nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, t := range conversation(list) {
		if err := e.Encode(t); err != nil {
			return nil, err
		}
	}
	if b.Len() == 0 {
		return nil, nil
	}
	return &Text{Bytes: b.Bytes(), Packed: &model.Packed{Kind: "trace",
		Why: "A trace is read as the conversation in it, and not written."}}, nil
}

// joinTraces makes the traces of a conversation one, where spans name it.
func joinTraces(list []span) {
	talks := map[string]string{}
	for i := range list {
		if s := &list[i]; s.talk != "" {
			talks[s.trace] = s.talk
		}
	}
	for i := range list {
		s := &list[i]
		s.trace = cmp.Or(s.talk, talks[s.trace], s.trace)
	}
}

func marked(head []byte) bool {
	return slices.ContainsFunc(marks, func(list []string) bool { return containsAll(head, list...) })
}

func containsAll(head []byte, list ...string) bool {
	return !slices.ContainsFunc(list, func(m string) bool { return !bytes.Contains(head, []byte(m)) })
}

// values are the JSON values of a text: one, or one a line.
func values(text []byte) (out []any) {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))))
	d.UseNumber()
	for {
		var v any
		if err := d.Decode(&v); err == io.EOF || err != nil {
			return out
		}
		out = append(out, v)
	}
}

type object = map[string]any

// get follows keys from v; "0" is a list's first element; nil: none.
func get(v any, keys ...string) any {
	for _, k := range keys {
		switch in := v.(type) {
		case object:
			v = in[k]
		case []any:
			if k != "0" || len(in) == 0 {
				return nil
			}
			v = in[0]
		default:
			return nil
		}
	}
	return v
}

// first is the text at the first of some ways that leads to any.
func first(v any, ways ...string) string {
	for _, w := range ways {
		if s := word(get(v, strings.Split(w, "/")...)); s != "" {
			return s
		}
	}
	return ""
}

func word(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// spansOf finds the spans in a value.
func spansOf(v any) (out []span) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			out = append(out, spansOf(e)...)
		}
	case object:
		for _, k := range []string{"observations", "spans", "runs", "resourceSpans", "scopeSpans", "resourceLogs", "scopeLogs",
			"logRecords"} {
			if list, ok := v[k].([]any); ok {
				out = append(out, spansOf(list)...)
			}
		}
		if len(out) > 0 {
			for i := range out {
				out[i].trace = cmp.Or(out[i].trace, first(v, "id"))
			}
			return out
		}
		if data, ok := v["data"].([]any); ok && len(v) <= 4 {
			return spansOf(data)
		}
		if s, ok := spanOf(v); ok {
			return []span{s}
		}
		if events, ok := v["events"].([]any); ok {
			return spansOf(events)
		}
		for _, k := range slices.Sorted(maps.Keys(v)) { // traces by their names
			if list, ok := v[k].([]any); ok && len(list) > 0 && get(list[0], "context", "trace_id") != nil {
				out = append(out, spansOf(list)...)
			}
		}
		if len(out) > 0 {
			return out
		}
		return checked(v)
	}
	return out
}

// checked reads what was sent and answered by the id of its span, without names and times:
// the longer history is the later, and what was not sent as messages is of a tool.
func checked(v object) (out []span) {
	called := -1
	for _, id := range slices.Sorted(maps.Keys(v)) {
		e := v[id]
		in, answer := get(e, "input", "data"), get(e, "output", "data")
		if get(e, "input", "success") == nil && get(e, "output", "success") == nil {
			return nil
		}
		s := span{id: id, kind: modelSpan, in: turns(in, "user"), out: turns(answer, "assistant"), start: time.Unix(1<<20, 0)}
		if list, ok := in.([]any); ok {
			s.start = time.Unix(int64(len(list)), 0)
		} else if in == nil && answer != nil && len(s.out) == 0 {
			s.kind, s.out = toolSpan, []turn{{Text: plain(answer)}}
		}
		if len(s.in)+len(s.out) == 0 {
			continue
		}
		if n := len(s.out); n > 0 && len(s.out[n-1].Calls) > 0 && (called < 0 || s.start.Before(out[called].start)) {
			called = len(out)
		}
		out = append(out, s)
	}
	for i := range out {
		if called >= 0 && out[i].kind == toolSpan {
			out[i].start = out[called].start.Add(time.Millisecond)
		}
	}
	return out
}

// columnAttributes are the attributes of a row of a table, which has a column for each.
func columnAttributes(row object) object {
	a := object{}
	for key, val := range row {
		if name, ok := strings.CutPrefix(key, "attributes."); ok && val != nil {
			a[name] = val
		}
	}
	return a
}

// spanOf reads a span, in the spelling of any of the programs.
func spanOf(v object) (span, bool) {
	a := attributes(v["attributes"])
	if v["context.trace_id"] != nil {
		a = columnAttributes(v)
	}
	s := span{
		talk:   first(a, "gen_ai.conversation.id"),
		id:     first(v, "id", "span_id", "spanId", "context/span_id", "context.span_id", "run_id"),
		name:   first(v, "name", "op_name", "span_attributes/name", "span_data/name"),
		parent: first(v, "parentObservationId", "parent_id", "parentSpanId", "parent_run_id", "span_parents"),
		trace:  first(v, "traceId", "trace_id", "context/trace_id", "context.trace_id", "root_span_id"),
		start: when(first(v, "startTime", "start_time", "started_at", "startTimeUnixNano", "start_time_unix_nano", "metrics/start",
			"created")),
	}
	kind := strings.ToLower(first(v, "type", "run_type", "span_kind", "span_attributes/type", "span_data/type"))
	kind = cmp.Or(strings.ToLower(word(a["openinference.span.kind"])), kind)
	if op := word(a["gen_ai.operation.name"]); op != "" {
		kind = map[string]string{"execute_tool": "tool", "chat": "llm"}[op]
	}
	if genAI(&s, v, a) {
		return s, true
	}
	apart := kind == "" && either(a["gen_ai.tool.call.arguments"], a["gen_ai.tool.call.result"]) != nil
	if s.id == "" || s.trace == "" && kind == "" {
		return s, false
	}
	switch {
	case kind == "generation" || kind == "llm" || kind == "response" ||
		strings.Contains(s.name, "chat.completions") || strings.Contains(s.name, "Messages.create"):
		s.kind = modelSpan
	case kind == "tool", kind == "function", apart:
		s.kind = toolSpan
	}
	in := either(v["input"], v["inputs"], get(v, "span_data", "input"), a["input.value"], a["gen_ai.tool.call.arguments"])
	out := either(v["output"], v["outputs"], get(v, "span_data", "output"), a["output.value"], a["gen_ai.tool.call.result"])
	if out == nil { // it failed
		out = either(v["error"], v["statusMessage"])
	}
	flat := unflattened(a, "llm.")
	if list := get(flat, "llm", "input_messages"); list != nil {
		s.kind, s.in, s.out = modelSpan, turns(list, "user"), turns(get(flat, "llm", "output_messages"), "assistant")
	} else if s.kind == modelSpan {
		s.in, s.out = turns(in, "user"), turns(out, "assistant")
	} else {
		s.in, s.out = []turn{{Role: "user", Text: plain(in)}}, []turn{{Role: "assistant", Text: plain(out)}}
		if s.args = spelled(in); apart && out == nil {
			s.out = nil // it tells of the call only
		}
	}
	if a == nil { // Langfuse keeps them with what else it knows
		a, _ = get(v, "metadata", "attributes").(object)
	}
	s.name = cmp.Or(word(a["gen_ai.tool.name"]), word(a["tool.name"]), s.name)
	s.call = cmp.Or(identity(a, "gen_ai.tool.call.id"), word(a["tool.id"]), word(a["tool_call.id"]))
	s.model = cmp.Or(first(v, "model", "span_data/model", "inputs/model", "metadata/model", "extra/metadata/ls_model_name"),
		word(a["llm.model_name"]), word(a["gen_ai.response.model"]))
	s.usage = tokens(v, a)
	return s, true
}

// genAI reads a call of a model whose messages are attributes, as OpenTelemetry's conventions
// have them, of a span, an event or a log record.
func genAI(s *span, v, a object) bool {
	if a["gen_ai.input.messages"] == nil && a["gen_ai.output.messages"] == nil {
		a = v
	}
	in, out := a["gen_ai.input.messages"], a["gen_ai.output.messages"]
	if in == nil && out == nil || v["parentObservationId"] != nil { // Langfuse repeats them beside its own
		return false
	}
	s.kind, s.talk = modelSpan, cmp.Or(s.talk, first(a, "gen_ai.conversation.id"))
	s.in = append(turns(a["gen_ai.system_instructions"], "system"), turns(in, "user")...)
	if s.out = turns(out, "assistant"); len(s.out) > 1 {
		s.out = s.out[:1] // the others are answers that were not taken
	}
	s.model = cmp.Or(word(a["gen_ai.response.model"]), word(a["gen_ai.request.model"]))
	s.usage = tokens(v, a)
	return true
}

// names reports whether a span is of the tool with a name: it has that name, or one in
// which it comes last, as in "execute_tool ls".
func (s *span) names(tool string) bool {
	before, ok := strings.CutSuffix(s.name, tool)
	return ok && tool != "" && (before == "" || strings.ContainsRune(" :./", rune(before[len(before)-1])))
}

// identity is an id, which some programs spell as a list.
func identity(v any, ways ...string) string {
	if id := first(v, ways...); id != "" {
		return id
	}
	for _, w := range ways {
		if list, ok := get(v, w).([]any); ok {
			return spelled(list)
		}
	}
	return ""
}

func either(list ...any) any {
	for _, v := range list {
		if v != nil {
			return v
		}
	}
	return nil
}

// attributes are those of OpenTelemetry, as an object or as a list of keys and values.
func attributes(v any) object {
	if list, ok := v.([]any); ok {
		out := object{}
		for _, e := range list {
			if vals, ok := get(e, "value").(object); ok {
				for _, val := range vals {
					out[first(e, "key")] = val
				}
			}
		}
		return out
	}
	out, _ := v.(object)
	return out
}

// unflattened makes objects and lists of names with dots that begin with a prefix.
func unflattened(a object, prefix string) any {
	root := object{}
	for key, val := range a {
		if !strings.HasPrefix(key, prefix) {
			continue
		}
		at := root
		names := strings.SplitN(key, ".", mostNested)
		for _, n := range names[:len(names)-1] {
			next, ok := at[n].(object)
			if !ok {
				next = object{}
				at[n] = next
			}
			at = next
		}
		at[names[len(names)-1]] = val
	}
	for k, v := range a { // it may be nested already
		if k == "llm" && len(root) == 0 {
			return object{"llm": v}
		}
	}
	return listed(root)
}

// listed makes lists of objects whose members are numbers.
func listed(v any) any {
	o, ok := v.(object)
	if !ok {
		return v
	}
	list := make([]any, len(o))
	numbered := len(o) > 0
	for k, val := range o {
		o[k] = listed(val)
		n, err := strconv.Atoi(k)
		if err != nil || n < 0 || n >= len(o) {
			numbered = false
			continue
		}
		list[n] = o[k]
	}
	if numbered {
		return list
	}
	return o
}

func when(s string) time.Time {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n > 1e17 { // of which a float keeps no nanoseconds
		return time.Unix(0, n)
	}
	if n, err := strconv.ParseFloat(s, 64); err == nil {
		if n > 1e11 {
			return time.UnixMilli(int64(n))
		}
		return time.UnixMicro(int64(n * 1e6))
	}
	for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00",
		"2006-01-02 15:04:05.999999999"} {
		if t, err := time.Parse(form, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

func tokens(v, a object) map[string]int {
	out := map[string]int{}
	set := func(name string, list ...any) {
		for _, x := range list {
			if n, err := strconv.Atoi(word(x)); err == nil && n > 0 {
				out[name] = n
				return
			}
		}
	}
	for name, at := range map[string][3]string{"input": {"prompt_tokens", "llm.token_count.prompt", "gen_ai.usage.input_tokens"},
		"output": {"completion_tokens", "llm.token_count.completion", "gen_ai.usage.output_tokens"}} {
		set(name, get(v, "usageDetails", name), get(v, "usage", name), get(v, "metrics", at[0]), a[at[1]], a[at[2]],
			get(v, "outputs", "llm_output", "token_usage", at[0]), get(v, "output", "usage", at[0]))
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// history is the conversation of one trace while it is put together.
type history struct {
	trace    string
	turns    []turn
	have     map[string]int  // how often a turn is in it
	answered map[string]bool // ids of calls, what results say, and with a NUL names of tools
	made     map[turnCall]bool
	open     []turnCall
}

// conversation makes one conversation of the spans of each trace.
func conversation(list []span) (out []turn) {
	slices.SortStableFunc(list, func(a, b span) int { return a.start.Compare(b.start) })
	byID := map[string]*span{}
	for i := range list {
		if list[i].id != "" {
			byID[list[i].id] = &list[i]
		}
	}
	repeated := map[string]bool{} // a call of a model around another one
	for i := range list {
		s := &list[i]
		if s.kind != modelSpan || len(s.out) == 0 {
			continue
		}
		for p := byID[s.parent]; p != nil && p != s; p = byID[p.parent] {
			if p.kind == modelSpan && len(s.in) >= len(p.in) {
				repeated[p.id] = true
			} else if p.kind == modelSpan {
				repeated[s.id] = true
			}
			if p.parent == p.id {
				break
			}
		}
	}
	byTrace := map[string]*history{}
	var order []*history
	for i := range list {
		s := &list[i]
		h := byTrace[s.trace]
		if h == nil {
			h = &history{trace: cmp.Or(s.trace, "trace"), have: map[string]int{}, answered: map[string]bool{},
				made: map[turnCall]bool{}}
			byTrace[s.trace] = h
			order = append(order, h)
		}
		if !repeated[s.id] {
			h.take(s)
		}
	}
	for _, h := range order {
		if len(h.turns) == 0 {
			h.outermost(list)
		}
		out = append(out, h.turns...)
	}
	return out
}

// outermost is all there is of a trace without a call of a model: what its first span
// was given, and what came of it.
func (h *history) outermost(list []span) {
	for i := range list {
		s := &list[i]
		if cmp.Or(s.trace, "trace") == h.trace && s.parent == "" && len(s.in) > 0 && s.in[0].Text != "" {
			h.add(s.in[0], s)
			h.add(s.out[0], s)
			return
		}
	}
}

// take adds what a span has that none before had.
func (h *history) take(s *span) {
	switch s.kind {
	case modelSpan:
		seen := map[string]int{}
		for _, list := range [][]turn{s.in, s.out} {
			for _, t := range list {
				k := t.key()
				if seen[k]++; seen[k] <= h.have[k] {
					continue
				}
				h.add(t, s)
			}
		}
	default:
		at := slices.IndexFunc(h.open, func(c turnCall) bool { return c.ID == s.call && s.call != "" })
		if at < 0 && len(s.out) > 0 {
			at = slices.IndexFunc(h.open, func(c turnCall) bool { return s.names(c.Name) || s.name == "" && s.kind == toolSpan })
		}
		if at < 0 && s.kind != toolSpan {
			return
		}
		r := turnResult{ID: s.call, Name: s.name}
		if at >= 0 {
			r.ID, r.Name = h.open[at].ID, h.open[at].Name
		} else { // of the call itself nothing is said
			r.ID = cmp.Or(s.call, s.id)
			h.add(turn{Role: "assistant", Calls: []turnCall{{ID: r.ID, Name: s.name, Args: s.args}}}, s)
		}
		if len(s.out) > 0 {
			r.Text = s.out[0].Text
			h.add(turn{Role: "tool", Results: []turnResult{r}}, s)
		}
	}
}

// paired gives what a tool said without naming its call the call that is open.
func (h *history) paired(t turn) turn {
	if t.Role != "tool" || len(t.Calls)+len(t.Results) > 0 {
		return t
	}
	if len(h.open) > 0 {
		t.Results = []turnResult{{ID: h.open[0].ID, Name: h.open[0].Name, Text: t.Text}}
		t.Text = ""
	} else if h.answered[t.Text] {
		t.Text = ""
	}
	return t
}

// repeats reports whether a result is known: by the id of its call, or, where that has none,
// because no call of its tool waits for one.
func (h *history) repeats(r turnResult) bool {
	if r.ID != "" {
		return h.answered[r.ID]
	}
	return h.answered["\x00"+r.Name] && !slices.ContainsFunc(h.open, func(c turnCall) bool { return c.Name == r.Name })
}

func (h *history) add(t turn, s *span) {
	t = h.paired(t)
	t.Results = slices.DeleteFunc(slices.Clone(t.Results), h.repeats)
	t.Calls = slices.DeleteFunc(slices.Clone(t.Calls), func(c turnCall) bool { return c.ID != "" && h.made[c] })
	if t.empty() {
		return
	}
	h.have[t.key()]++
	for _, r := range t.Results {
		h.answered[cmp.Or(r.ID, "\x00"+r.Name)], h.answered[r.Text] = true, true
		done := false
		h.open = slices.DeleteFunc(h.open, func(c turnCall) bool {
			is := !done && c.ID == r.ID && (r.ID != "" || c.Name == r.Name)
			done = done || is
			return is
		})
	}
	for _, c := range t.Calls {
		h.made[c] = true
	}
	h.open = append(h.open, t.Calls...)
	t.Trace = h.trace
	if !s.start.IsZero() && s.start.Year() > 1990 {
		t.Time = s.start.UTC().Format(time.RFC3339Nano)
	}
	if t.Role == "assistant" {
		t.Model = s.model
		t.Usage, s.usage = s.usage, nil
	}
	h.turns = append(h.turns, t)
}

// key is the same for a turn wherever it is repeated.
func (t turn) key() string {
	var b strings.Builder
	if fmt.Fprintf(&b, "%s\x00%s", t.Role, t.Text); len(t.Calls) > 0 {
		b.Reset() // some repeat a call without what was said beside it
	}
	for _, c := range t.Calls {
		fmt.Fprintf(&b, "\x00%s", cmp.Or(c.ID, c.Name+c.Args))
	}
	for _, r := range t.Results {
		fmt.Fprintf(&b, "\x00%s", cmp.Or(r.ID, r.Text))
	}
	return b.String()
}
