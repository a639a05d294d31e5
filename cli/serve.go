package cli

import (
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"

	"palimpsest/cli/live"
	"palimpsest/model"
	"palimpsest/model/store"
)

// serveCmd passes an agent's calls on to its model's server.
type serveCmd struct {
	Upstream string `required:"" placeholder:"URL" help:"The model's server, as https://api.anthropic.com."`
	Listen   string `default:"127.0.0.1:8787" placeholder:"ADDRESS" help:"Where agents ask; by default only from this machine."`
	Dir      string `placeholder:"DIR" help:"${serveDir}"`
}

func (c *serveCmd) Run(a *app) error {
	upstream, err := url.Parse(c.Upstream)
	if err != nil || upstream.Host == "" || upstream.Scheme != "http" && upstream.Scheme != "https" {
		return usage("%q is no address of a server; it is like https://api.anthropic.com.", c.Upstream)
	}
	if upstream.User != nil {
		return usage("The address of the server can't hold a password: the agent's own credentials are passed on.")
	}
	dir := c.Dir
	if dir == "" {
		path, err := store.DefaultPath()
		if err != nil {
			return err
		}
		dir = filepath.Join(filepath.Dir(path), "gateway")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the folder of transcripts: %w", err)
	}
	l, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return &model.Problem{Code: "listen", What: fmt.Sprintf("Agents can't be answered on %s.", c.Listen),
			Why: "The system says: " + err.Error() + ".", Next: "Choose another address: --listen 127.0.0.1:0 takes a free one.", Err: err}
	}
	log := slog.New(slog.NewTextHandler(a.errOut, &slog.HandlerOptions{Level: slog.LevelWarn, ReplaceAttr: hideInLog()}))
	fmt.Fprintf(a.out, "Agents ask http://%s; every byte goes to %s as it is. Transcripts: %s\n", l.Addr(), upstream, dir)
	if tcp, ok := l.Addr().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
		fmt.Fprintln(a.out, "Other machines can ask here, too.")
	}
	return live.ServeGateway(a.ctx, l, upstream, dir, log)
}
