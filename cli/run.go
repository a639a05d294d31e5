package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"palimpsest/cli/live"
	"palimpsest/compaction/session/doors"
	"palimpsest/compaction/toolconfig"
	"palimpsest/model"
	"palimpsest/model/store"
)

// runCmd starts an agent that asks a gateway, and ends the gateway with it. What the agent
// is given it is given by arguments, variables and files of the run alone:
//
//	palimpsest run claude ──starts──▶ claude --settings=… --mcp-config=… ARG…
//	      └─ gateway on a free port ◀──asks── ┘
//
// The agent has the terminal, gets the signals, and the verb ends with its exit code.
type runCmd struct {
	Tool     string    `arg:"" name:"TOOL" help:"${runTool}"`
	Args     []string  `arg:"" optional:"" name:"ARG" help:"What the program itself is given, behind --."`
	Program  string    `placeholder:"PATH" help:"The program, where it is not found by its name."`
	Upstream string    `placeholder:"URL" help:"The model's server. Default: the one that the tool is set up for."`
	Mode     live.Mode `enum:"watch,clear,ledger,model" default:"ledger" help:"${serveMode}"`
	gatewayFlags
}

func (c *runCmd) Run(a *app) error {
	a.ctx = context.WithoutCancel(a.ctx) // an interrupt is the agent's
	tool := toolconfig.Find(c.Tool)
	if tool == nil {
		return noTool(c.Tool, programs())
	}
	program, err := exec.LookPath(cmp.Or(c.Program, tool.Program))
	if err != nil {
		return &model.Problem{Code: "no-tool", What: fmt.Sprintf("%s can't be started.", tool.Name),
			Why: "The system says: " + err.Error() + ".", Next: "Install it, or name it: --program PATH.", Err: err}
	}
	if _, err := doors.CleanRuns(a.ctx); err != nil {
		a.say(err)
	}
	var said bytes.Buffer
	g, err := c.gateway(a, c.Mode, &said)
	if err != nil {
		return err
	}
	defer g.st.Close()
	l, err := listen("127.0.0.1:0")
	if err != nil {
		return err
	}
	defer l.Close()
	s, err := c.start(a, g, l, tool)
	if err != nil {
		return err
	}
	run, err := doors.Announce(l, l.Addr().String(), tool.Program, s)
	if err != nil {
		return err
	}
	ctx, end := context.WithCancel(a.ctx)
	served := make(chan error, 1)
	go func() { served <- g.Serve(ctx, l) }()
	cmd := exec.Command(program, append(s.Args, c.Args...)...)
	cmd.Env = os.Environ()
	for name, value := range s.Vars {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	code, err := follow(cmd)
	end()
	err = errors.Join(err, <-served, run.Undo(a.ctx))
	quiet := said.Len() == 0
	_, _ = io.Copy(a.errOut, &said)
	switch h := g.Health; {
	case err != nil:
		return err
	case h.Calls == 0 && quiet:
		fmt.Fprintf(a.errOut, "%s asked no model through the gateway.\n", tool.Name)
	case h.Record != "":
		fmt.Fprintf(a.errOut, "%s passed the gateway; the last compaction is %s.\n", plural(h.Calls, "call"), h.Record)
	}
	return silent(code)
}

// start finds out how the tool is started.
func (c *runCmd) start(a *app, g *gateway, l net.Listener, tool *toolconfig.Tool) (*toolconfig.Start, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir, err := doors.RunFolder(l.Addr().String())
	if err != nil {
		return nil, err
	}
	var failed error
	s := doors.Reading(exe)
	s.Path = func(name string) string { return filepath.Join(dir, name) }
	s.Base = func(upstream string) string {
		at, err := g.lead(cmp.Or(c.Upstream, upstream))
		failed = errors.Join(failed, err)
		return "http://" + l.Addr().String() + "/" + at
	}
	if a.db != "" && !store.IsServer(a.db) {
		s.Self = append(s.Self, "--db", model.AbsolutePath(a.db))
	}
	err = tool.Start(s)
	if a.db != "" && s.Vars != nil {
		s.Vars["PALIMPSEST_DB"] = a.db // a server's address may hold a password, which others would see among the arguments
	}
	return s, errors.Join(err, failed)
}

// lead returns the first word of the path that leads to a server.
func (g *gateway) lead(upstream string) (string, error) {
	u, err := url.Parse(upstream)
	if err != nil {
		return "", err
	}
	word := strings.ReplaceAll(strings.Trim(u.Host+u.Path, "/"), "/", "-")
	for _, x := range g.Gateways {
		if x.Guard.Token == word {
			return word, nil
		}
	}
	if _, err = g.add(upstream, live.Guard{Token: word}); err == nil {
		g.Gateways[len(g.Gateways)-1].CallsOnly = true
	}
	return word, err
}

// follow runs a program, passes on the signals that are meant for it, and returns how it ended.
func follow(cmd *exec.Cmd) (code int, err error) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, ends()...)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	_, typed := columns(os.Stdin)
	for {
		select {
		case s := <-signals:
			if s != os.Interrupt || !typed { // the terminal sends it to both
				_ = cmd.Process.Signal(s)
			}
		case err := <-ended:
			var exit *exec.ExitError
			if !errors.As(err, &exit) {
				return 0, err
			}
			if how, ok := exit.Sys().(syscall.WaitStatus); ok && how.Signaled() {
				return 128 + int(how.Signal()), nil // as a shell says it
			}
			return exit.ExitCode(), nil
		}
	}
}

// unwrapCmd removes what this program left with other tools.
type unwrapCmd struct {
	DryRun bool `help:"Say what would be removed and remove nothing."`
}

func (c *unwrapCmd) Run(a *app) error {
	list, err := doors.Runs()
	if err != nil {
		return err
	}
	found := false
	for _, r := range list {
		h, gone := r.Health(a.ctx)
		switch {
		case !gone && h != nil:
			fmt.Fprintf(a.out, "A gateway answers at %s (process %d); it removes what it made when it ends.\n", r.Address, r.PID)
			continue
		case !gone:
			continue // it is stopped for a while
		case !c.DryRun:
			if err := r.Undo(a.ctx); err != nil {
				return err
			}
		}
		found = true
		fmt.Fprintf(a.out, "Left by a run of %s that was killed: %s.\n", cmp.Or(r.Tool, "serve"), r.Dir)
	}
	files, err := hookFiles(a.db)
	if err != nil {
		return err
	}
	for _, h := range files {
		f := hookFile{In: h.Key(), DryRun: c.DryRun}
		path, err := model.UserPath(h.Hooks)
		if err != nil {
			return err
		}
		old, err := model.ReadIfThere(path)
		if err != nil {
			return err
		}
		if there, _, err := h.Calls(old); err != nil || len(there) == 0 {
			continue // a file that can't be read has no hook that runs
		}
		found = true
		if err := f.remove(a, h, path, old); err != nil {
			return err
		}
	}
	if !found {
		fmt.Fprintln(a.out, "Nothing is left.")
	}
	return nil
}

// programs are the names of those that can be started with a gateway.
func programs() []string {
	return values(toolconfig.All(), func(t **toolconfig.Tool) string { return (*t).Program })
}
