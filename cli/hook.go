package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/aymanbagabas/go-udiff"

	"palimpsest/cli/live"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/doors"
	"palimpsest/compaction/toolconfig"
	"palimpsest/model"
	"palimpsest/model/store"
)

type hookCmd struct {
	Run     hookRunCmd     `cmd:"" default:"withargs" help:"Answer an event of a running agent, read from standard input (the default)."`
	Install hookInstallCmd `cmd:"" help:"Have a tool call it: before a compaction and after it."`
	Remove  hookRemoveCmd  `cmd:"" help:"Take it out of a tool's file again."`
	Status  hookStatusCmd  `cmd:"" help:"Say where it is installed and what went wrong last."`
}

type hookRunCmd struct {
	Tokens      int    `default:"1000" placeholder:"N" help:"Of the facts that are handed to the agent after a compaction."`
	Prepare     string `hidden:"" help:"Transcript whose compaction is about to happen."`
	Settle      string `hidden:"" help:"Transcript whose compaction has happened."`
	Session     string `hidden:""`
	TriggerKind string `hidden:""`
	readFlags
}

func (c *hookRunCmd) Run(a *app) error {
	dir, err := doors.HookDir()
	if err != nil {
		return nil // in doubt the agent goes on
	}
	h := c.hooks(a, dir)
	switch {
	case c.Prepare != "":
		_, err = h.Prepare(a.ctx, c.Prepare, c.Session, c.TriggerKind)
	case c.Settle != "":
		_, err = h.Settle(a.ctx, c.Settle, c.Session)
	default:
		err = h.Answer(a.stdin.from, a.out)
	}
	if !errors.Is(err, live.ErrNotReady) {
		noteHook(dir, err)
	}
	return nil
}

// hooks are the hooks with their state in a folder.
func (c *hookRunCmd) hooks(a *app, dir string) live.Hooks {
	return live.Hooks{World: a.world(&c.readFlags), Dir: dir, Tokens: c.Tokens, Now: time.Now,
		Writable: a.writable, Start: a.startHook(c.Tokens),
		OpenWith: func(ctx context.Context, path, from string, st *store.Store) (*session.File, error) {
			b := *a
			b.ctx, b.from = ctx, from
			return b.open(path, &c.readFlags, st)
		}}
}

// startHook starts this program again, apart from the agent that waits for this
// process.
func (a *app) startHook(tokens int) func(...string) error {
	return func(args ...string) error {
		exe, err := os.Executable()
		if err != nil {
			return err
		}
		args = append([]string{"hook", "--tokens", fmt.Sprint(tokens)}, args...)
		if a.db != "" {
			args = append([]string{"--db", a.db}, args...)
		}
		cmd := exec.Command(exe, args...)
		cmd.SysProcAttr = apart()
		if err := cmd.Start(); err != nil {
			return err
		}
		return cmd.Process.Release()
	}
}

// noteHook keeps the last error, which nobody sees when it happens, without secrets.
func noteHook(dir string, err error) {
	path := filepath.Join(dir, doors.LastHookError)
	if err == nil {
		return
	}
	said, failed := new(live.Hider).Text(sentence(err))
	if failed != nil {
		said = sentence(failed)
	}
	_ = os.MkdirAll(dir, 0o700)
	_ = os.WriteFile(path, fmt.Appendf(nil, "%s  %s\n", time.Now().Format(time.DateTime), said), 0o600)
}

// hookFile is the file of a tool that install and remove change.
type hookFile struct {
	In     string `required:"" placeholder:"TOOL" help:"${hookTool}"`
	File   string `placeholder:"PATH" help:"The tool's file (default: its usual one)."`
	DryRun bool   `help:"Print the difference and write nothing."`
}

func (c *hookFile) find(a *app) (h toolconfig.HookFile, path string, err error) {
	list, err := hookFiles(a.db)
	if err != nil {
		return h, "", err
	}
	for _, h := range list {
		if strings.EqualFold(h.Key(), c.In) {
			if path, err = model.UserPath(cmp.Or(c.File, h.Hooks)); err == nil {
				err = doors.ThereIs(filepath.Dir(path), h.Name)
			}
			return h, path, err
		}
	}
	return h, "", usage("There are no hooks of %q; there are those of %s.", c.In, strings.Join(hookTools(), ", "))
}

// hookTools are the words for the tools that have hooks.
func hookTools() []string {
	return values(toolconfig.HookFiles(""), func(h *toolconfig.HookFile) string { return h.Key() })
}

// hookFiles are the tools' files with the command that calls this program, with the
// database that was named. The address of a server may hold a password, which no other
// program's file shall.
func hookFiles(db string) ([]toolconfig.HookFile, error) {
	exe, err := os.Executable()
	if db != "" && !store.IsServer(db) {
		exe += " --db " + model.AbsolutePath(db)
	}
	return toolconfig.HookFiles(exe + " hook"), err
}

// change shows the difference, and writes it unless it is a dry run.
func (c *hookFile) change(a *app, path string, edit func(old []byte) ([]byte, error)) error {
	old, err := model.ReadIfThere(path)
	if err != nil {
		return err
	}
	text, err := edit(old)
	if err != nil {
		return err
	}
	if string(text) == string(old) {
		fmt.Fprintf(a.out, "%s is so already; nothing was changed.\n", path)
		return nil
	}
	fmt.Fprint(a.out, udiff.Unified(path, path, string(old), string(text)))
	if c.DryRun {
		return nil
	}
	backup, err := session.ReplaceFile(a.ctx, path, old, text)
	if err == nil {
		fmt.Fprintln(a.out, "\n"+writtenText(path, backup))
	}
	return err
}

// writtenText says that another tool's file was written, and which copy of the former one
// there is.
func writtenText(path, backup string) string {
	if backup == "" {
		return fmt.Sprintf("Written: %s.", path)
	}
	return fmt.Sprintf("Written: %s. The former file is %s.", path, backup)
}

type hookInstallCmd struct{ hookFile }

func (c *hookInstallCmd) Run(a *app) error {
	h, path, err := c.find(a)
	if err != nil {
		return err
	}
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	const special = " '\"$`\\"
	if strings.ContainsAny(exe, special) {
		return usage("The path of this program, %s, can't be written into a command. Put it elsewhere.", exe)
	}
	if !store.IsServer(a.db) && strings.ContainsAny(a.db, special) {
		return usage("The path of the database, %s, can't be written into a command. Put it elsewhere.", a.db)
	}
	if err := c.change(a, path, h.Install); err != nil {
		return err
	}
	if store.IsServer(a.db) {
		fmt.Fprintln(a.out, "Where the agent runs PALIMPSEST_DB has to name the server: its address is not written into another "+
			"program's file.")
	}
	if h.Then != "" {
		fmt.Fprintln(a.out, h.Then)
	}
	return nil
}

type hookRemoveCmd struct{ hookFile }

func (c *hookRemoveCmd) Run(a *app) error {
	h, path, err := c.find(a)
	if err != nil {
		return err
	}
	now, err := model.ReadIfThere(path)
	if err != nil {
		return err
	}
	return c.remove(a, h, path, now)
}

// remove takes the hook out of a tool's file, which is as it was before where nothing else
// was changed.
func (c *hookFile) remove(a *app, h toolconfig.HookFile, path string, now []byte) error {
	text, former, ok := formerFile(h, path, now)
	if !ok {
		return c.change(a, path, h.Remove)
	}
	fmt.Fprint(a.out, udiff.Unified(path, path, string(now), string(text)))
	switch {
	case c.DryRun:
		return nil
	case former == "":
		if err := os.Remove(path); err != nil {
			return err
		}
		fmt.Fprintf(a.out, "\nRemoved: %s, which held nothing else.\n", path)
		return nil
	}
	if _, err := session.ReplaceFile(a.ctx, path, nil, text); err != nil {
		return err
	}
	fmt.Fprintf(a.out, "\nWritten: %s, as it was before.\n", path)
	return os.Remove(former)
}

// formerFile is a tool's file as it was before the hook was put into it, and the copy that
// has it, where nothing else was changed since; without a copy there was no file.
func formerFile(h toolconfig.HookFile, path string, now []byte) (text []byte, former string, ok bool) {
	for n := 1; ; n++ {
		former := session.FormerName(path, n)
		text, err := os.ReadFile(former)
		if err != nil {
			break
		}
		if with, err := h.Install(text); err == nil && bytes.Equal(with, now) && !bytes.Equal(text, now) {
			return text, former, true
		}
	}
	with, err := h.Install(nil)
	return nil, "", err == nil && bytes.Equal(with, now)
}

type hookStatusCmd struct{}

func (c *hookStatusCmd) Run(a *app) error {
	list, err := hookFiles(a.db)
	if err != nil {
		return err
	}
	rows := []string{row("tool", "file", "events", "last called")}
	for _, h := range list {
		s, err := doors.NewHook(h)
		if err != nil {
			return err
		}
		events := cmp.Or(strings.Join(s.Events, ", "), "not installed")
		if s.Err != nil {
			events = sentence(s.Err)
		}
		rows = append(rows, row(h.Name, s.Path, events, cmp.Or(s.Last(), "never")))
	}
	table(a.out, rows...)
	if said := doors.LastError(); said != "" {
		fmt.Fprintf(a.out, "\nLast error: %s\n", said)
	}
	return nil
}
