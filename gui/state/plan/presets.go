package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/compaction/toolconfig"
	"palimpsest/gui/sched"
	"palimpsest/gui/state"
	"palimpsest/model"
	"palimpsest/model/store"
)

// Presets are the ones a person saved, by name.
func (d *Plan) Presets() []store.Preset { return d.presets }

// LoadPresets reads the saved presets in the background.
func (d *Plan) LoadPresets() {
	if d.core.Store == nil {
		return
	}
	state.Run(d.core, "presets", func(ctx context.Context) ([]store.Preset, error) {
		return d.core.Store.Presets(ctx)
	}, func(list []store.Preset) {
		d.presets = list
		d.core.Notify(state.TopicParams)
	})
}

// CanSavePresets reports whether there is a place for them.
func (d *Plan) CanSavePresets() bool { return d.core.Store != nil && !d.core.Store.ReadOnly() }

// SavePreset saves the parameters on the screen under a name; one of that name
// is replaced. What belongs to the history (context window, fixed part, pins)
// is left out.
func (d *Plan) SavePreset(name string) {
	if !d.CanSavePresets() || d.open() == nil {
		return
	}
	p := Values(d.params)
	state.Do(d.core, "preset", func(ctx context.Context) error {
		return d.core.Store.SavePreset(ctx, store.Preset{Name: name, Policy: p})
	}, func() {
		d.Set(func(p *model.Policy) { p.Preset = name })
		d.LoadPresets()
	})
}

// OpenPreset reads a preset's file, uses it, and saves it unless it is built in. It gets
// a number if its name is taken by other values. shown maps the displayed names of
// built-in presets, which the file may have, to ids.
func (d *Plan) OpenPreset(path string, shown map[string]string) {
	title := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".json"), ".preset")
	state.Run(d.core, "preset", func(ctx context.Context) (p model.Policy, err error) {
		b, err := model.ReadSmall(path)
		if err == nil {
			p, err = compaction.ReadPreset(b, title)
		}
		if err != nil {
			return p, &model.Problem{Code: "no-preset", What: filepath.Base(path) + " is no preset.", Why: err.Error() + "."}
		}
		return p, nil
	}, func(p model.Policy) {
		p.Preset = d.freePreset(p.Preset, p, shown)
		d.UsePreset(p)
		if _, builtIn := compaction.PresetByID(p.Preset); !builtIn {
			d.SavePreset(p.Preset)
		}
	})
}

// freePreset is a name under which no preset of other values is known; of a built-in one
// it is the id.
func (d *Plan) freePreset(title string, p model.Policy, shown map[string]string) string {
	for n, name := 2, title; ; n++ {
		id := cmp.Or(shown[name], name)
		known, taken := compaction.PresetByID(id)
		other := taken && !SameValues(known.Policy, p)
		for _, x := range d.presets {
			other = other || x.Name == name && !SameValues(x.Policy, p)
		}
		if !other {
			return id
		}
		name = fmt.Sprint(title, " ", n)
	}
}

// ExportPreset writes the parameters on the screen to a file that is not there yet, as a
// preset of a name.
func (d *Plan) ExportPreset(path, name string, done func(*session.Written, error)) {
	p := d.params
	sched.Run(d.core.Sched, "preset-file", func(ctx context.Context, _ func(sched.Progress)) (*session.Written, error) {
		b, err := compaction.WritePreset(p, name)
		if err != nil {
			return nil, err
		}
		return session.WriteFile(ctx, path, false, func(w io.Writer) error {
			_, err := w.Write(b)
			return err
		})
	}, done)
}

// DeletePreset deletes a saved preset.
func (d *Plan) DeletePreset(name string) {
	if !d.CanSavePresets() {
		return
	}
	state.Do(d.core, "preset", func(ctx context.Context) error { return d.core.Store.DeletePreset(ctx, name) }, d.LoadPresets)
}

// BasePreset is the preset the parameters started from; false if it is not
// known any more.
func (d *Plan) BasePreset() (model.Policy, bool) {
	if p, ok := compaction.PresetByID(d.params.Preset); ok {
		return p.Policy, true
	}
	for _, p := range d.presets {
		if p.Name == d.params.Preset {
			return p.Policy, true
		}
	}
	return model.Policy{}, false
}

// Modified reports whether the parameters differ from their preset.
func (d *Plan) Modified() bool {
	p, ok := d.BasePreset()
	return ok && !SameValues(p, d.params)
}

// SameValues reports whether two policies differ in nothing but what belongs to
// a history.
func SameValues(a, b model.Policy) bool { return reflect.DeepEqual(Values(a), Values(b)) }

// Same reports whether two policies give the same plan.
func Same(a, b model.Policy) bool {
	return a.Window == b.Window && a.Fixed == b.Fixed && slices.Equal(a.Pins, b.Pins) && SameValues(a, b)
}

// Defaults are the values a parameter goes back to: those of its preset, with
// the context window and the fixed part of the history.
func (d *Plan) Defaults() model.Policy {
	p, ok := d.BasePreset()
	if !ok {
		p = compaction.Default()
	}
	if s := d.open(); s != nil {
		if p.Window == 0 {
			p.Window = s.Window().Tokens
		}
		if p.Fixed == 0 {
			p.Fixed = s.Calibration().Fixed
		}
	}
	return p
}

// Values is a policy without what belongs to a history.
func Values(p model.Policy) model.Policy {
	p.Window, p.Fixed, p.Pins, p.Preset = 0, 0, nil, ""
	if len(p.Triggers) == 0 {
		p.Triggers = nil
	}
	return p
}

// ToolConfig is the present policy as the configuration of another tool.
type ToolConfig struct {
	toolconfig.Result
	Tool   *toolconfig.Tool
	Policy model.Policy // what was asked for
	Path   string       // the tool's file; "": none, the text is to be copied
	Old    []byte       // what is in it; nil: there is no such file
}

// ConfigureTool spells a policy in a tool's words, in its file if a path is given. done
// gets it, or why it can't be spelled.
func (d *Plan) ConfigureTool(t *toolconfig.Tool, p model.Policy, path string, done func(ToolConfig, error)) {
	c := ToolConfig{Tool: t, Policy: p, Path: path}
	sched.Run(d.core.Sched, "tool-config", func(context.Context, func(sched.Progress)) (ToolConfig, error) {
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
func (d *Plan) WriteToolConfig(c ToolConfig, done func(backup string, err error)) {
	sched.Run(d.core.Sched, "tool-config", func(ctx context.Context, _ func(sched.Progress)) (string, error) {
		return session.ReplaceFile(ctx, c.Path, c.Old, c.Text)
	}, done)
}
