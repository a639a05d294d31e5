package cli

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/alecthomas/kong"
)

// Version is the program's version; FyneApp.toml has the same.
const Version = "0.1.0"

// revision and date are set by the linker: the commit a program was built from, and its
// day. A plain go build knows them from git.
var revision, date string

// version is what --version prints.
func version() string { return "palimpsest " + BuiltFrom() }

// BuiltFrom is the version with what the build knows about itself: "0.1.0
// (4f2a9c1d0b3e, 2026-11-22), go1.26.8".
func BuiltFrom() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	rev, day := revision, date
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && revision == "":
			rev = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.time" && day == "":
			day, _, _ = strings.Cut(s.Value, "T")
		case s.Key == "vcs.modified" && s.Value == "true" && revision == "":
			rev += "-modified"
		}
	}
	text := Version
	if known := strings.Trim(rev+", "+day, ", "); known != "" {
		text += " (" + known + ")"
	}
	return strings.TrimSuffix(text+", "+info.GoVersion, ", ")
}

// versionFlag prints the version and ends.
type versionFlag bool

// BeforeReset is called by kong when the flag is given.
func (versionFlag) BeforeReset(app *kong.Kong, vars kong.Vars) error {
	fmt.Fprintln(app.Stdout, vars["version"])
	app.Exit(0)
	return nil
}
