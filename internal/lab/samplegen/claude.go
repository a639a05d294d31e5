package main

import (
	"bytes"
	"time"
)

const claudeModel = "claude-sonnet-4-5-20250929"

// fixedPart is the system prompt and the tool list, which no session file
// holds, in tokens.
const fixedPart = 14200

// session writes a session file in the shape of Claude Code: one record a
// line, one content block a record, linked by parentUuid.
type session struct {
	r       *rng
	out     bytes.Buffer
	id      string
	cwd     string
	version string
	branch  string
	slug    string
	clock   time.Time

	parent   string  // uuid of the last record on the line
	side     bool    // the records are a sidechain's
	live     float64 // tokens of the live context without the fixed part
	cached   int     // input of the call before
	messages int     // what a request counts as messages
	records  int
}

func newSession(r *rng, cwd, branch string, start time.Time) *session {
	return &session{
		r: r, id: r.uuid(), cwd: cwd, version: "2.0.28", branch: branch, clock: start,
		slug: pick(r, "quiet-amber-heron", "patient-copper-larch", "level-green-ferry"),
	}
}

// block is one content block of an assistant message.
type block struct {
	kind string // "thinking", "text", "tool_use"
	text string
	name string
	args object
}

func thinking(text string) block { return block{kind: "thinking", text: text} }
func says(text string) block     { return block{kind: "text", text: text} }
func calls(name string, fields ...field) block {
	return block{kind: "tool_use", name: name, args: fields}
}

func bash(command, description string) block {
	return calls("Bash", field{"command", command}, field{"description", description})
}

// usage is the context usage of the call that would come next.
func (s *session) usage() int { return fixedPart + int(s.live) }

func (s *session) wait(seconds int) {
	s.clock = s.clock.Add(time.Duration(seconds)*time.Second + time.Duration(s.r.n(1000))*time.Millisecond)
}

// spend adds a message's text to the live context.
func (s *session) spend(text string) { s.live += estimate(text)*claudeShare + 3 }

// record writes one line on the chain and returns its uuid.
func (s *session) record(parent string, fields ...field) string {
	id := s.r.uuid()
	o := object{{"parentUuid", null(parent)}}
	if len(fields) > 0 && fields[0].key == "logicalParentUuid" {
		o = append(o, fields[0])
		fields = fields[1:]
	}
	o = append(o, field{"isSidechain", s.side}, field{"userType", "external"}, field{"cwd", s.cwd}, field{"sessionId", s.id},
		field{"version", s.version}, field{"gitBranch", s.branch})
	if s.slug != "" {
		o = append(o, field{"slug", s.slug})
	}
	var after object
	for _, f := range fields {
		if f.key == "toolUseResult" || f.key == "sourceToolAssistantUUID" {
			after = append(after, f)
			continue
		}
		o = append(o, f)
	}
	o = append(o, field{"uuid", id}, field{"timestamp", s.stamp()})
	s.raw(append(o, after...))
	s.parent = id
	return id
}

func (s *session) raw(o object) {
	s.out.Write(encode(o))
	s.out.WriteByte('\n')
	s.records++
}

func (s *session) stamp() string { return s.clock.UTC().Format("2006-01-02T15:04:05.000Z") }

func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// snapshot is a record that belongs to no chain.
func (s *session) snapshot() {
	id := s.r.uuid()
	s.raw(object{{"type", "file-history-snapshot"}, {"messageId", id},
		{"snapshot", object{{"messageId", id}, {"trackedFileBackups", object{}}, {"timestamp", s.stamp()}}}, {"isSnapshotUpdate", false}})
}

// user is what a person typed.
func (s *session) user(text string) {
	s.spend(text)
	s.messages++
	s.record(s.parent, field{"type", "user"}, field{"message", object{{"role", "user"}, {"content", text}}},
		field{"thinkingMetadata", object{{"level", "high"}, {"disabled", false}, {"triggers", []string{}}}})
}

// assistant writes one message, a record for each block, and returns the calls
// in it.
func (s *session) assistant(blocks ...block) []call {
	input := s.usage()
	id, request := "msg_01"+s.r.base62(22), "req_011"+s.r.base62(21)
	var output float64
	for _, b := range blocks {
		output += estimate(b.text) + estimate(b.name) + estimate(string(encode(b.args)))
	}
	var made []call
	for i, b := range blocks {
		s.wait(s.r.between(1, 5))
		tokens := s.r.between(1, 8)
		var stop any
		if i == len(blocks)-1 {
			tokens = int(output * claudeShare)
			stop = "end_turn"
			if b.kind == "tool_use" {
				stop = "tool_use"
			}
		}
		body := object{{"model", claudeModel}, {"id", id}, {"type", "message"}, {"role", "assistant"},
			{"content", []any{s.block(b, &made)}},
			{"stop_reason", stop}, {"stop_sequence", nil}, {"usage", s.reported(input, tokens)}}
		uuid := s.record(s.parent, field{"message", body}, field{"requestId", request}, field{"type", "assistant"})
		if b.kind == "tool_use" {
			made[len(made)-1].record = uuid
		}
	}
	s.live += output*claudeShare + 3
	s.cached = input
	s.messages++
	return made
}

// reported is the usage of a call, as the provider would report it: what the
// call before had sent comes from the cache.
func (s *session) reported(input, output int) object {
	read := min(s.cached, input-8)
	return object{{"input_tokens", 8}, {"cache_creation_input_tokens", input - 8 - read}, {"cache_read_input_tokens", read},
		{"cache_creation", object{{"ephemeral_5m_input_tokens", input - 8 - read}, {"ephemeral_1h_input_tokens", 0}}},
		{"output_tokens", output}, {"service_tier", "standard"}}
}

// call is one tool call that waits for its result.
type call struct{ id, name, record string }

func (s *session) block(b block, made *[]call) object {
	switch b.kind {
	case "thinking":
		return object{{"type", "thinking"}, {"thinking", b.text}, {"signature", "Er" + s.r.base62(86) + "=="}}
	case "tool_use":
		c := call{id: "toolu_01" + s.r.base62(22), name: b.name}
		*made = append(*made, c)
		return object{{"type", "tool_use"}, {"id", c.id}, {"name", b.name}, {"input", b.args}}
	default:
		return object{{"type", "text"}, {"text", b.text}}
	}
}

// result answers a call. The structured copy that the tool keeps with it is
// written when it is small; it is never sent to a model.
func (s *session) result(c call, content string, failed bool) {
	s.resultWith(c, content, failed, s.copyOf(c, content, failed))
}

func (s *session) resultWith(c call, content string, failed bool, extra any) {
	s.wait(s.r.between(1, 9))
	s.spend(content)
	s.messages++
	res := object{{"tool_use_id", c.id}, {"type", "tool_result"}, {"content", content}}
	if failed || c.name == "Bash" {
		res = append(res, field{"is_error", failed})
	}
	fields := []field{{"type", "user"}, {"message", object{{"role", "user"}, {"content", []any{res}}}}}
	if extra != nil {
		fields = append(fields, field{"toolUseResult", extra})
	}
	s.record(c.record, append(fields, field{"sourceToolAssistantUUID", c.record})...)
}

func (s *session) copyOf(c call, content string, failed bool) any {
	switch {
	case len(content) > 600:
		return nil
	case failed:
		return "Error: " + content
	case c.name == "Bash":
		return object{{"stdout", content}, {"stderr", ""}, {"interrupted", false}, {"isImage", false}}
	}
	return nil
}

// compact writes what the tool writes when it compacts by itself: a boundary,
// the summary, and the files it reads again.
func (s *session) compact(summary string, files []string) {
	before, last := s.usage(), s.parent
	s.wait(s.r.between(60, 100))
	s.record("", field{"logicalParentUuid", last}, field{"type", "system"}, field{"subtype", "compact_boundary"},
		field{"content", "Conversation compacted"},
		field{"isMeta", false}, field{"level", "info"}, field{"compactMetadata", object{{"trigger", "auto"}, {"preTokens", before}}})
	s.live, s.cached = 0, fixedPart
	s.spend(summary)
	s.record(s.parent, field{"type", "user"}, field{"message", object{{"role", "user"}, {"content", summary}}},
		field{"isVisibleInTranscriptOnly", true}, field{"isCompactSummary", true})
	for _, f := range files {
		s.reminder(f)
	}
}

// reminder is context that the tool added; nobody typed it.
func (s *session) reminder(text string) {
	text = "<system-reminder>\n" + text + "\n</system-reminder>"
	s.spend(text)
	s.messages++
	s.record(s.parent, field{"type", "user"}, field{"message", object{{"role", "user"}, {"content", text}}}, field{"isMeta", true})
}

// turnEnds is the note with the time a turn took.
func (s *session) turnEnds(ms int) {
	s.record(s.parent, field{"type", "system"}, field{"subtype", "turn_duration"}, field{"durationMs", ms}, field{"isMeta", false})
}
