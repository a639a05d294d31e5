package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/alecthomas/kong"
)

// Version is the program's version; FyneApp.toml has the same.
const Version = "0.1.0"

// version is the version with what the build knows about itself.
func version() string {
	text := "palimpsest " + Version
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return text
	}
	revision, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = ", modified"
		}
	}
	if len(revision) > 12 {
		revision = revision[:12]
	}
	if revision != "" {
		text += " (" + revision + dirty + ")"
	}
	return text + ", " + info.GoVersion
}

// versionFlag prints the version and ends.
type versionFlag bool

// BeforeReset is called by kong when the flag is given.
func (versionFlag) BeforeReset(app *kong.Kong, vars kong.Vars) error {
	fmt.Fprintln(app.Stdout, vars["version"])
	app.Exit(0)
	return nil
}
