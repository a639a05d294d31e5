package cli

import (
	"github.com/alecthomas/kong"

	"palimpsest/cli/shell"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish,powershell,man" name:"SHELL" help:"bash, zsh, fish, powershell, or man."`
}

func (c *completionCmd) Run(a *app) error {
	all, _, _ := grammarFor([]string{"--help"})
	k, err := kong.New(all, kong.Name("palimpsest"), kong.Description(description), kong.PostBuild(fillHelp))
	if err != nil {
		return err
	}
	return shell.Write(a.out, c.Shell, k.Model, BuiltFrom())
}
