package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/alecthomas/kong"

	"palimpsest/cli/live"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/figure"
	"palimpsest/model/store"
)

type liveCmd struct {
	List    liveListCmd `cmd:"" default:"withargs" help:"List the sessions that run (the default)."`
	Pause   liveOne     `cmd:"" help:"Stop our compaction of a session. Its agent goes on."`
	Resume  liveOne     `cmd:"" help:"Let the gateway compact it again."`
	Compact liveOne     `cmd:"" help:"Compact it at its next call, whether the threshold is reached or not."`
	Restore liveOne     `cmd:"" help:"Send the originals again from its next call on, and pause."`
}

type liveListCmd struct {
	All  bool `help:"Also sessions that were silent for more than 10 minutes."`
	JSON bool `name:"json" help:"Print JSON (docs/json.md)."`
}

// liveInfo is one entry of the JSON of live.
type liveInfo struct {
	ID       string `json:"id"`
	Source   string `json:"source"`
	Path     string `json:"path"`
	Title    string `json:"title"`
	Model    string `json:"model"`
	Changed  string `json:"changed"`
	Window   int    `json:"context_window"` // tokens; 0: unknown
	Trigger  int    `json:"trigger"`        // tokens; 0: none
	Used     int    `json:"used"`
	Calls    int    `json:"calls"`
	Messages int    `json:"messages"`
	Left     *int   `json:"messages_left"` // until the trigger fires; null: not known
	Mode     string `json:"mode"`
	Record   string `json:"record"`
	Doubt    string `json:"doubt"`
	Paused   bool   `json:"paused"`
	Wish     string `json:"wish"`
}

func newLiveInfo(s *model.LiveSession) liveInfo {
	out := liveInfo{s.ID, string(s.Source), s.Path, s.Title, s.Model, stamp(s.Changed), s.Window, s.Trigger, s.Used, s.Calls, s.Messages,
		nil, s.Mode, s.Record, s.Doubt, s.Paused, string(s.Wish)}
	if n, known := s.Left(); known {
		out.Left = &n
	}
	return out
}

func (c *liveListCmd) Run(a *app) error {
	st, err := a.ifThere()
	if err != nil {
		return err
	}
	var list []model.LiveSession
	if st != nil {
		defer st.Close()
		if list, err = st.Live(a.ctx, time.Time{}); err != nil {
			return err
		}
	}
	if !c.All {
		list = model.Running(list, time.Now())
	}
	if c.JSON {
		return a.printJSON(values(list, newLiveInfo))
	}
	return printRows(a.out, "No session runs that is known of.", "session\tfound by\tcontext\tof window\tcompacts\ttitle", 0,
		values(list, liveRow))
}

func liveRow(s *model.LiveSession) string {
	share := ""
	if s.Window > 0 {
		share = figure.Percent(float64(s.Used) / float64(s.Window))
	}
	return row(s.ID[:min(8, len(s.ID))], string(s.Source), thousands(s.Used), share, liveState(s), s.Title)
}

// liveState is when a session is compacted.
func liveState(s *model.LiveSession) string {
	n, known := s.Left()
	switch {
	case s.Wish == model.CompactNext:
		return "at its next call"
	case s.Wish == model.RestoreNext:
		return "originals at its next call"
	case s.Paused:
		return "paused"
	case !known:
		return ""
	case n == 0:
		return "the threshold is reached"
	}
	return "in ~" + plural(n, "message")
}

// liveOne is a verb for one session.
type liveOne struct {
	ID string `arg:"" name:"SESSION" help:"Its ID, or the beginning of it."`
}

// steering is what each of these verbs changes in what is wanted of a session, and says.
var steering = map[string]struct {
	said   string
	change func(s *model.LiveSession)
}{
	"pause": {"Paused: it is not compacted further. What was compacted stays so.",
		func(s *model.LiveSession) { s.Paused, s.Wish = true, "" }},
	"resume":  {"The policy applies again.", func(s *model.LiveSession) { s.Paused, s.Wish = false, "" }},
	"compact": {"It is compacted at its next call.", func(s *model.LiveSession) { s.Wish = model.CompactNext }},
	"restore": {"From its next call on the originals are sent.", func(s *model.LiveSession) { s.Wish = model.RestoreNext }},
}

func (c *liveOne) Run(a *app, call *kong.Context) error {
	st, err := a.writable()
	if err != nil {
		return err
	}
	defer st.Close()
	s, err := st.LiveSession(a.ctx, c.ID)
	if errors.Is(err, store.ErrNotFound) {
		return &model.Problem{Code: "no-session", What: fmt.Sprintf("There is no running session %s.", c.ID),
			Why: "No gateway reports one.", Next: "List them: palimpsest live --all."}
	}
	if err != nil {
		return err
	}
	verb := call.Selected().Name
	if !s.Steered() && (verb != "restore" || !s.Restorable()) {
		return &model.Problem{Code: "not-steered", What: fmt.Sprintf("%s can't be steered.", s.ID),
			Why:  "Its calls don't pass through a gateway that compacts.",
			Next: "Start one: palimpsest serve --mode ledger --upstream URL."}
	}
	steering[verb].change(&s)
	if err := st.SetLive(a.ctx, s.ID, s.Paused, s.Wish); err != nil {
		return err
	}
	fmt.Fprintln(a.out, steering[verb].said)
	return nil
}

// mcpCmd serves an agent over the standard streams.
type mcpCmd struct {
	readFlags
	Redact bool `default:"true" negatable:"" help:"Hide secrets in what an agent is given."`
	All    bool `name:"all-projects" help:"Answer about every project, not only the one of the folder it is started in."`
}

func (c *mcpCmd) Run(a *app) error {
	w := a.world(&c.readFlags)
	if !c.Redact {
		w.Hide = nil
	}
	if !c.All {
		dir, err := os.Getwd()
		if err != nil {
			return fmt.Errorf("find the folder of the project: %w", err)
		}
		w.Projects = []string{live.ProjectOf(dir)}
	}
	err := live.ServeMCP(a.ctx, w, os.Stdin, nopClose{a.out})
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil // the client is gone
	}
	return err
}

// nopClose is a writer that stays open.
type nopClose struct{ io.Writer }

func (nopClose) Close() error { return nil }

// world is what servers work on.
func (a *app) world(r *readFlags) live.World {
	return live.World{Version: version(), Store: a.ifThere, Policy: a.preset, Hide: &live.Hider{Scan: ownScan(a)},
		Open: func(ctx context.Context, path string) (*session.File, error) {
			b := *a
			b.ctx = ctx
			return b.open(path, r, nil)
		}}
}
