package cli

import (
	"context"
	"errors"
	"io"
	"os"

	"palimpsest/cli/live"
	"palimpsest/compaction/session"
)

// mcpCmd serves an agent over the standard streams.
type mcpCmd struct {
	readFlags
	Redact bool `default:"true" negatable:"" help:"Hide secrets in what an agent is given."`
}

func (c *mcpCmd) Run(a *app) error {
	w := a.world(&c.readFlags)
	if !c.Redact {
		w.Hide = nil
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
	return live.World{Version: version(), Store: a.ifThere, Policy: a.preset, Hide: new(live.Hider),
		Open: func(ctx context.Context, path string) (*session.File, error) {
			b := *a
			b.ctx = ctx
			return b.open(path, r, nil)
		}}
}
