package cli

import (
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"time"

	"palimpsest/cli/live"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/store"
)

// serveCmd passes an agent's calls on to its model's server.
type serveCmd struct {
	Upstream string    `required:"" placeholder:"URL" help:"The model's server, as https://api.anthropic.com."`
	Listen   string    `default:"127.0.0.1:8787" placeholder:"ADDRESS" help:"Where agents ask; by default only from this machine."`
	Names    []string  `name:"name" placeholder:"HOST" help:"A name under which other machines ask; may be given more than once."`
	Token    string    `placeholder:"WORD" help:"Answer only agents whose address begins with it: http://ADDRESS/WORD."`
	Dir      string    `placeholder:"DIR" help:"${serveDir}"`
	Mode     live.Mode `enum:"watch,clear,ledger,model" default:"watch" help:"${serveMode}"`
	Policy   string    `placeholder:"NAME|FILE" help:"The same as --preset."`
	policyFlags
	modelFlags
}

func (c *serveCmd) Run(a *app) error {
	upstream, err := url.Parse(c.Upstream)
	if err != nil || upstream.Host == "" || upstream.Scheme != "http" && upstream.Scheme != "https" {
		return usage("%q is no address of a server; it is like https://api.anthropic.com.", c.Upstream)
	}
	if upstream.User != nil {
		return usage("The address of the server can't hold a password: the agent's own credentials are passed on.")
	}
	policy, err := c.chosen(a)
	if err != nil {
		return err
	}
	dir, err := c.folder()
	if err != nil {
		return err
	}
	st, err := a.writable()
	if err != nil {
		return err
	}
	defer st.Close()
	l, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return &model.Problem{Code: "listen", What: fmt.Sprintf("Agents can't be answered on %s.", c.Listen),
			Why: "The system says: " + err.Error() + ".", Next: "Choose another address: --listen 127.0.0.1:0 takes a free one.", Err: err}
	}
	log := slog.New(slog.NewTextHandler(a.errOut, &slog.HandlerOptions{Level: slog.LevelWarn, ReplaceAttr: hideInLog(ownScan(a))}))
	does := "every byte goes to " + upstream.String() + " as it is"
	before, err := st.Overlaid(a.ctx)
	if err != nil {
		return err
	}
	switch {
	case c.Mode != live.Watch:
		does = "requests go to " + upstream.String() + ", compacted where the policy says so"
	case before > 0:
		does = "requests go to " + upstream.String() + " as they are, but that what was sent compacted before goes on being sent so (" +
			plural(int(before), "session") + "; palimpsest live restore SESSION ends it)"
	}
	fmt.Fprintf(a.out, "Agents ask http://%s; %s. Transcripts: %s\n", path.Join(l.Addr().String(), c.Token), does, dir)
	if tcp, ok := l.Addr().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
		fmt.Fprintln(a.out, "Other machines can ask here, too.")
	}
	compactor := &live.Compactor{Mode: c.Mode, Overlaid: before > 0, Policy: policy, Store: st, Open: a.requests(),
		Dir: filepath.Join(dir, "requests"), Now: time.Now, Log: log}
	g := live.NewGateway(upstream, &live.Recorder{Dir: dir, Now: time.Now, Store: st}, compactor, nil, log)
	g.Guard.Names, g.Guard.Token = c.Names, c.Token
	return g.Serve(a.ctx, l)
}

// chosen is the policy as the mode carries it out.
func (c *serveCmd) chosen(a *app) (model.Policy, error) {
	if c.Policy != "" {
		if c.Preset != "" {
			return model.Policy{}, usage("--policy and --preset mean the same; give one.")
		}
		c.Preset = c.Policy
	}
	p, err := c.policyFlags.policy(a)
	if err != nil {
		return p, err
	}
	if len(c.Pin) > 0 || c.IfTriggered {
		return p, usage("--pin and --if-triggered are for one history; a gateway has many and always waits for the threshold.")
	}
	p = c.Mode.Policy(p)
	err = c.connect(a, &c.policyFlags, &p)
	if a.asks != nil { // an agent waits: it is asked once, and again at a later call
		asked := a.asks.Provider()
		asked.Tries = 1
		a.asks.Use(asked)
	}
	return p, err
}

// folder is where transcripts go; it is made.
func (c *serveCmd) folder() (string, error) {
	dir := c.Dir
	if dir == "" {
		path, err := store.DefaultPath()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(filepath.Dir(path), "gateway")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make the folder of transcripts: %w", err)
	}
	return dir, nil
}

// requests opens requests of agents as documents. What is sent to a model is not
// printed: nobody reads the output of a gateway.
func (a *app) requests() live.Opener {
	base := session.Options{Verb: true, AcceptFlaws: a.acceptFlaws, KeepSent: a.keepSent, Also: a.also, Factors: a.keptFactors(),
		Scan: ownScan(a)}
	if a.asks != nil {
		base.Model = a.asks.Model
	}
	return live.Opening(base)
}
