package desk

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"palimpsest/compaction/session"
	"palimpsest/compaction/toolconfig"
	"palimpsest/gui/sched"
	"palimpsest/model"
)

// ToolConfig is the present policy as the configuration of another tool.
type ToolConfig struct {
	toolconfig.Result
	Tool   *toolconfig.Tool
	Policy model.Policy // what was asked for
	Path   string       // the tool's file; "": none, the text is to be copied
	Old    []byte       // what is in it; nil: there is no such file
}

// ConfigureTool says the present policy in a tool's words, in its file if a path is
// given. done gets it, or why it can't be said.
func (d *planning) ConfigureTool(t *toolconfig.Tool, path string, done func(ToolConfig, error)) {
	pl := d.Plan()
	if pl == nil {
		return
	}
	c := ToolConfig{Tool: t, Policy: pl.Policy, Path: path}
	sched.Run(d.sched, "tool-config", func(context.Context, func(sched.Progress)) (ToolConfig, error) {
		var err error
		if path != "" {
			if c.Old, err = os.ReadFile(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return c, err
			}
		}
		c.Result, err = t.Write(c.Policy, c.Old)
		return c, err
	}, done)
}

// WriteToolConfig puts a configuration into its file. done gets where the former
// file is now, "" if there was none.
func (d *planning) WriteToolConfig(c ToolConfig, done func(backup string, err error)) {
	sched.Run(d.sched, "tool-config", func(ctx context.Context, _ func(sched.Progress)) (string, error) {
		return session.ReplaceFile(ctx, c.Path, c.Old, c.Text)
	}, done)
}
