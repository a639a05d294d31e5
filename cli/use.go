package cli

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"palimpsest/compaction/session"
	"palimpsest/compaction/toolconfig"
	"palimpsest/model"
	"palimpsest/model/store"
)

// useCmd writes a policy as another tool's configuration, or reads one.
type useCmd struct {
	Policy string `arg:"" optional:"" name:"PRESET|FILE|RECORD" help:"${usePolicy}"`
	In     string `placeholder:"TOOL" help:"${useTool}"`
	Write  string `placeholder:"PATH" help:"${useWrite}"`
	DryRun bool   `help:"With --write: print the difference and write nothing."`
	Read   string `placeholder:"PATH" help:"Read this configuration of the tool into a policy, printed as JSON for --preset."`
	Bare   bool   `help:"Print only the configuration."`
	JSON   bool   `name:"json" help:"Print JSON (docs/json.md)."`
	policyFlags
}

// toolUse is the JSON of use.
type toolUse struct {
	Tool    string       `json:"tool"`
	File    string       `json:"file"` // where its configuration usually is
	Checked string       `json:"checked"`
	Text    string       `json:"text"` // the whole configuration
	Does    model.Policy `json:"does"`
	Lost    []lostParam  `json:"lost"`
	Notes   []string     `json:"notes"`
	Written *string      `json:"written"`
	Backup  *string      `json:"backup"`
}

// lostParam is a parameter of which the tool does something else.
type lostParam struct {
	Parameter string `json:"parameter"`
	Wanted    string `json:"wanted"`
	Does      string `json:"does"`
}

func (c *useCmd) Run(a *app) error {
	if c.In == "" {
		if c.Policy != "" || c.Write != "" || c.Read != "" {
			return usage("Say the tool: --in TOOL. See palimpsest use for the list.")
		}
		return c.list(a)
	}
	tool := toolconfig.Find(c.In)
	if !slices.Contains(toolconfig.Tools(), tool) {
		return noTool(c.In, toolIDs())
	}
	if c.Read != "" {
		return c.read(a, tool)
	}
	p, err := c.chosen(a)
	if err != nil {
		return err
	}
	old, err := model.ReadIfThere(c.Write)
	if err != nil {
		return err
	}
	r, err := tool.Write(p, old)
	if err != nil {
		return err
	}
	out := toolUse{Tool: tool.ID, File: tool.File, Checked: tool.Checked, Text: string(r.Text), Does: r.Does, Notes: tool.Notes,
		Lost: values(r.Lost, func(x **model.Param) lostParam {
			return lostParam{flagName(*x), paramText(*x, p), paramText(*x, r.Does)}
		})}
	if c.Write != "" && !c.DryRun && string(old) != string(r.Text) {
		backup, err := session.ReplaceFile(a.ctx, c.Write, old, r.Text)
		if err != nil {
			return err
		}
		out.Written, out.Backup = &c.Write, optional(backup)
	}
	if c.JSON {
		return a.printJSON(out)
	}
	c.print(a, tool, &out, string(old))
	return nil
}

// noTool says which tools there are.
func noTool(word string, list []string) error {
	return usage("There is no tool %q.%s There are %s.", word, meant(word, list), strings.Join(list, ", "))
}

func toolIDs() []string {
	return values(toolconfig.Tools(), func(t **toolconfig.Tool) string { return (*t).ID })
}

// list prints the tools.
func (c *useCmd) list(a *app) error {
	rows := []string{row("tool", "name", "usual file", "checked against")}
	for _, t := range toolconfig.Tools() {
		rows = append(rows, row(t.ID, t.Name, t.File, t.Checked))
	}
	table(a.out, rows...)
	return nil
}

// chosen is the policy that the argument names: a record, else a preset.
func (c *useCmd) chosen(a *app) (model.Policy, error) {
	if c.Policy == "" {
		return c.policy(a)
	}
	if c.Preset != "" {
		return model.Policy{}, usage("Say the policy once: %s or --preset %s.", c.Policy, c.Preset)
	}
	open := a.ifThere
	number, isRecord := strings.CutPrefix(strings.ToUpper(c.Policy), "R-")
	if isRecord = isRecord && strings.Trim(number, "0123456789") == ""; isRecord {
		open = a.existing
	}
	st, err := open()
	if err != nil && isRecord {
		return model.Policy{}, err
	}
	if err == nil && st != nil {
		rec, err := st.Record(a.ctx, c.Policy)
		st.Close()
		switch {
		case err == nil:
			return c.changed(rec.Policy)
		case isRecord || !errors.Is(err, store.ErrNotFound):
			return model.Policy{}, err
		}
	}
	c.Preset = c.Policy
	return c.policy(a)
}

// read prints what a configuration does.
func (c *useCmd) read(a *app, tool *toolconfig.Tool) error {
	text, err := model.ReadSmall(c.Read)
	if err != nil {
		return fmt.Errorf("read the configuration: %w", err)
	}
	flags, err := c.policy(a) // for the context window
	if err != nil {
		return err
	}
	p, err := tool.Read(text, flags.Window)
	if err != nil {
		return err
	}
	return a.printJSON(struct {
		Title  string       `json:"title"`
		Policy model.Policy `json:"policy"`
	}{tool.Name, p})
}

// print shows the configuration or, of a file, what changes in it; then what the
// tool can't do.
func (c *useCmd) print(a *app, tool *toolconfig.Tool, out *toolUse, old string) {
	switch {
	case c.Write == "":
		fmt.Fprint(a.out, out.Text)
	case old == out.Text:
		fmt.Fprintf(a.out, "%s says this already; nothing was changed.\n", c.Write)
	default:
		fmt.Fprint(a.out, udiff.Unified(c.Write, c.Write, old, out.Text))
	}
	if c.Bare {
		return
	}
	fmt.Fprintln(a.out)
	if out.Written != nil {
		backup := ""
		if out.Backup != nil {
			backup = *out.Backup
		}
		fmt.Fprintln(a.out, writtenText(c.Write, backup))
	}
	if len(out.Lost) > 0 {
		fmt.Fprintf(a.out, "%s can't do all of this policy:\n", tool.Name)
		rows := values(out.Lost, func(l *lostParam) string { return row(l.Parameter, l.Wanted, l.Does) })
		table(a.out, append([]string{row("parameter", "wanted", "it does")}, rows...)...)
	}
	for _, n := range tool.Notes {
		fmt.Fprintln(a.out, n)
	}
	fmt.Fprintf(a.out, "Checked against %s.\n", tool.Checked)
	if c.Write == "" {
		where := tool.File
		if moved, err := model.UserPath(where); err == nil && !strings.HasSuffix(filepath.ToSlash(moved), where[1:]) {
			where = moved
		}
		fmt.Fprintf(a.out, "To change the file itself: --write %s.\n", where)
	}
}

// flagName is how the verbs name a parameter.
func flagName(x *model.Param) string {
	if x.Flag.Name != "" {
		return x.Flag.Name
	}
	return x.Key
}

// paramText spells the value of a parameter.
func paramText(x *model.Param, p model.Policy) string {
	if x.SwitchedOff(&p) {
		return "off"
	}
	switch v := x.Value(&p).(type) {
	case *[]model.Clause:
		return cmp.Or(strings.Join(values(*v, clauseText), " or "), "off")
	case *[]model.Range:
		return plural(len(*v), "range")
	case *model.Amount:
		if v.N == 0 && slices.Contains([]string{"batch", "budget", "layer"}, x.Key) {
			return "no limit"
		}
		return amountText(*v)
	case *int:
		return thousands(*v) + " " + string(x.Units[0])
	case *bool:
		if *v {
			return "yes"
		}
		return "no"
	case *string:
		return *v
	}
	return ""
}
