package cli

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"palimpsest/cli/live"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/doors"
	"palimpsest/compaction/toolconfig"
	"palimpsest/model"
	"palimpsest/model/store"
)

// gatewayFlags are those of the verbs that stand between agents and models.
type gatewayFlags struct {
	Dir    string `placeholder:"DIR" help:"${serveDir}"`
	Policy string `placeholder:"NAME|FILE" help:"The same as --preset."`
	policyFlags
	modelFlags
}

// serveCmd passes an agent's calls on to its model's server.
type serveCmd struct {
	Upstream string    `required:"" placeholder:"URL" help:"The model's server, as https://api.anthropic.com."`
	Listen   string    `default:"127.0.0.1:8787" placeholder:"ADDRESS" help:"Where agents ask; by default only from this machine."`
	Names    []string  `name:"name" placeholder:"HOST" help:"A name under which other machines ask; may be given more than once."`
	Token    string    `placeholder:"WORD" help:"Answer only agents whose address begins with it: http://ADDRESS/WORD."`
	Mode     live.Mode `enum:"watch,clear,ledger,model" default:"watch" help:"${serveMode}"`
	Unit     bool      `help:"Print a unit with which systemd serves so for you whenever you are logged in; install nothing."`
	gatewayFlags
}

func (c *serveCmd) Run(a *app) error {
	if c.Unit {
		return a.printUnit()
	}
	g, err := c.gateway(a, c.Mode, a.errOut)
	if err != nil {
		return err
	}
	defer g.st.Close()
	g.Guard = live.Guard{Names: c.Names, Token: c.Token}
	upstream, err := g.add(c.Upstream, g.Guard)
	if err != nil {
		return err
	}
	l, err := listen(c.Listen)
	if err != nil {
		return err
	}
	does := "every byte goes to " + upstream.String() + " as it is"
	switch {
	case c.Mode != live.Watch:
		does = "requests go to " + upstream.String() + ", compacted where the policy says so"
	case g.before > 0:
		does = "requests go to " + upstream.String() + " as they are, but that what was sent compacted before goes on being sent so (" +
			plural(int(g.before), "session") + "; palimpsest live restore SESSION ends it)"
	}
	run, err := doors.Announce(l, path.Join(l.Addr().String(), c.Token), "", &toolconfig.Start{})
	if err != nil {
		l.Close()
		return err
	}
	defer func() { _ = run.Undo(a.ctx) }()
	fmt.Fprintf(a.out, "Agents ask %s; %s. Transcripts: %s\n", run.Address, does, g.recorder.Dir)
	if tcp, ok := l.Addr().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
		fmt.Fprintln(a.out, "Other machines can ask here, too.")
	}
	return g.Serve(a.ctx, l)
}

// printUnit prints a user unit of systemd that makes this call, in this folder, without --unit.
func (a *app) printUnit() error {
	exe, err := os.Executable()
	dir, fault := os.Getwd()
	if err := errors.Join(err, fault); err != nil {
		return err
	}
	// Specifiers, variables and quotes mean something to systemd.
	quote := func(s string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "$", "$$").Replace(s) + `"`
	}
	fmt.Fprintf(a.out, "[Unit]\nDescription=Palimpsest between agents and their models\n\n[Service]\nWorkingDirectory=%s\nExecStart=%s",
		strings.ReplaceAll(dir, "%", "%%"), quote(exe))
	for _, arg := range a.args {
		if arg != "--unit" {
			fmt.Fprint(a.out, " ", quote(arg))
		}
	}
	fmt.Fprint(a.out, "\nRestart=on-failure\n")
	if a.db != "" {
		fmt.Fprintln(a.out, "Environment="+quote("PALIMPSEST_DB="+a.db))
	}
	_, err = fmt.Fprint(a.out, "\n[Install]\nWantedBy=default.target\n")
	return err
}

// gateway answers agents for one server or several.
type gateway struct {
	live.Board
	st        *store.Store
	recorder  *live.Recorder
	compactor func() *live.Compactor
	before    int64 // sessions that were sent compacted before
}

// gateway makes one that leads nowhere yet. Its store is open.
func (c *gatewayFlags) gateway(a *app, mode live.Mode, log io.Writer) (*gateway, error) {
	policy, err := c.chosen(a, mode)
	if err != nil {
		return nil, err
	}
	dir, err := c.folder()
	if err != nil {
		return nil, err
	}
	st, err := a.writable()
	if err != nil {
		return nil, err
	}
	g := &gateway{st: st, recorder: &live.Recorder{Dir: dir, Now: time.Now, Store: st}}
	if g.before, err = st.Overlaid(a.ctx); err != nil {
		st.Close()
		return nil, err
	}
	g.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn, ReplaceAttr: hideInLog(ownScan(a))}))
	g.Health = &doors.Health{PID: os.Getpid(), Mode: string(mode)}
	g.compactor = func() *live.Compactor {
		return &live.Compactor{Mode: mode, Overlaid: g.before > 0, Policy: policy, Store: st, Open: a.requests(),
			Dir: filepath.Join(dir, "requests"), Now: time.Now, Log: g.Log, Health: g.Health}
	}
	return g, nil
}

// add has it lead to one more server.
func (g *gateway) add(server string, guard live.Guard) (*url.URL, error) {
	upstream, err := url.Parse(server)
	if err != nil || upstream.Host == "" || upstream.Scheme != "http" && upstream.Scheme != "https" {
		return nil, usage("%q is no address of a server; it is like https://api.anthropic.com.", server)
	}
	if upstream.User != nil {
		return nil, usage("The address of the server can't hold a password: the agent's own credentials are passed on.")
	}
	one := live.NewGateway(upstream, g.recorder, g.compactor(), nil, g.Log)
	one.Guard = guard
	g.Gateways = append(g.Gateways, one)
	return upstream, nil
}

// listen takes an address of this machine.
func listen(address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, &model.Problem{Code: "listen", What: fmt.Sprintf("Agents can't be answered on %s.", address),
			Why: "The system says: " + err.Error() + ".", Next: "Choose another address: --listen 127.0.0.1:0 takes a free one.", Err: err}
	}
	return l, nil
}

// chosen is the policy as the mode carries it out.
func (c *gatewayFlags) chosen(a *app, mode live.Mode) (model.Policy, error) {
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
	p = mode.Policy(p)
	err = c.connect(a, &c.policyFlags, &p)
	if a.asks != nil { // an agent waits: it is asked once, and again at a later call
		asked := a.asks.Provider()
		asked.Tries = 1
		a.asks.Use(asked)
	}
	return p, err
}

// folder is where transcripts go; it is made.
func (c *gatewayFlags) folder() (string, error) {
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
