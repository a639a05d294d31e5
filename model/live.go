package model

import "time"

// LiveWish is what a person asked a gateway to do at a session's next call.
type LiveWish string

// The wishes. The agent waits for none of them: they are done when it calls.
const (
	CompactNext LiveWish = "compact" // whether the trigger fires or not
	RestoreNext LiveWish = "restore" // send the originals again, and pause
)

// LiveSource is how a running session was found.
type LiveSource string

// The sources.
const (
	LiveGateway LiveSource = "gateway" // its calls pass through a gateway
	LiveHook    LiveSource = "hook"    // its agent called a hook
	LiveFolder  LiveSource = "folder"  // its transcript grows in a watched folder
)

// LiveSession is a session of an agent that runs.
type LiveSession struct {
	ID      string     `json:"id"`
	Source  LiveSource `json:"source"`
	Path    string     `json:"path"` // of its transcript
	Title   string     `json:"title"`
	Client  string     `json:"client,omitempty"` // the agent's own number of it, where its calls say one
	Model   string     `json:"model,omitempty"`
	Changed time.Time  `json:"changed"` // of its last call

	Window   int   `json:"contextWindow"`     // tokens; 0: unknown
	Trigger  int   `json:"trigger,omitempty"` // tokens at which the policy fires; 0: it has no such clause, or there is no policy
	Used     int   `json:"used"`              // tokens in the context at the last call
	Calls    int   `json:"calls"`
	Messages int   `json:"messages"`
	Course   []int `json:"course,omitempty"` // tokens in the context at the last calls, at most [LiveCourse]
	At       []int `json:"at,omitempty"`     // messages of the session at these calls

	Mode    string `json:"mode,omitempty"`     // of the gateway
	Record  string `json:"record,omitempty"`   // of the last compaction of its calls
	Doubt   string `json:"doubt,omitempty"`    // why the last request was not compacted, though the trigger fired
	DoubtAt int    `json:"doubt_at,omitempty"` // messages of the session then

	Paused bool     `json:"paused"`         // a person stopped our compaction of it
	Wish   LiveWish `json:"wish,omitempty"` // what is done at its next call

	// Where it goes on.
	Chain  []byte           `json:"chain,omitempty"`
	Answer string           `json:"answer,omitempty"`
	Parent string           `json:"parent,omitempty"`
	Spent  map[string]int64 `json:"spent,omitempty"`
	API    string           `json:"api,omitempty"`
}

// LiveCourse is how many calls a running session's course goes back.
const LiveCourse = 20

// Called notes one more call.
func (s *LiveSession) Called(used, messages int) {
	s.Used, s.Messages, s.Calls = used, messages, s.Calls+1
	s.Course, s.At = append(s.Course, used), append(s.At, messages)
	if n := len(s.Course) - LiveCourse; n > 0 {
		s.Course, s.At = s.Course[n:], s.At[n:]
	}
}

// Left is in about how many messages the trigger fires, at the mean growth of the
// last calls. It is not known without a trigger, under 3 calls since the last
// compaction, and where nothing grows.
func (s *LiveSession) Left() (messages int, known bool) {
	from := len(s.Course) - 1
	for from > 0 && s.Course[from] >= s.Course[from-1] && s.At[from] >= s.At[from-1] {
		from-- // a fall is a compaction
	}
	last := len(s.Course) - 1
	if s.Trigger <= 0 || last-from < 2 {
		return 0, false
	}
	tokens, n := s.Course[last]-s.Course[from], s.At[last]-s.At[from]
	if tokens <= 0 || n <= 0 {
		return 0, false
	}
	if s.Used >= s.Trigger {
		return 0, true
	}
	return (s.Trigger - s.Used) * n / tokens, true
}

// LiveFor is how long after its last call a session counts as running.
const LiveFor = 10 * time.Minute

// Running are the sessions of a list that run now, each once: a gateway sees a
// session better than a hook, and that better than a look at its file. What a person
// asked for is that of the session whatever saw it. The order is that of the list.
func Running(list []LiveSession, now time.Time) []LiveSession {
	rank := map[LiveSource]int{LiveGateway: 2, LiveHook: 1}
	var out []LiveSession
	at := map[string]int{}
	seen := map[string]bool{} // by a gateway, by the numbers that agents give
	for _, s := range list {
		seen[s.Client] = seen[s.Client] || s.Source == LiveGateway && now.Sub(s.Changed) <= LiveFor
	}
	for _, s := range list {
		if now.Sub(s.Changed) > LiveFor || s.Source == LiveHook && seen[s.ID] {
			continue
		}
		i, there := at[s.Path]
		if !there {
			at[s.Path] = len(out)
			out = append(out, s)
			continue
		}
		if o := &out[i]; rank[s.Source] > rank[o.Source] || s.Source == o.Source && s.Changed.After(o.Changed) {
			*o = s
		}
	}
	return out
}

// Steered reports whether our compaction of the session can be stopped and asked for:
// only a gateway that compacts does any.
func (s *LiveSession) Steered() bool {
	return s.Source == LiveGateway && s.Mode != "" && s.Mode != "watch"
}

// Restorable reports whether the session's own messages can be sent again: what was
// compacted once goes on being sent so by a gateway that only watches, too.
func (s *LiveSession) Restorable() bool {
	return s.Steered() || s.Source == LiveGateway && s.Record != ""
}
