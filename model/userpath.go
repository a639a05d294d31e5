package model

import (
	"os"
	"path/filepath"
	"strings"
)

// movedBy are the variables by which a person moves the folders of agents.
var movedBy = [][2]string{
	{"~/.claude", "CLAUDE_CONFIG_DIR"},
	{"~/.codex", "CODEX_HOME"},
	{"~/.copilot", "COPILOT_HOME"},
	{"~/.pi/agent", "PI_CODING_AGENT_DIR"},
	{"~/.config/opencode", "OPENCODE_CONFIG_DIR"},
	{"~/.config", "XDG_CONFIG_HOME"},
	{"~/.local/share", "XDG_DATA_HOME"},
}

// UserPath is where a path below "~" is for this person, who may have moved the folder of
// an agent by its variable. Another path is given back as it is.
func UserPath(path string) (string, error) {
	for _, m := range movedBy {
		rest, below := strings.CutPrefix(path, m[0])
		if dir := os.Getenv(m[1]); below && dir != "" && (rest == "" || rest[0] == '/') {
			return filepath.Join(dir, filepath.FromSlash(rest)), nil
		}
	}
	rest, below := strings.CutPrefix(path, "~/")
	if !below {
		return path, nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, filepath.FromSlash(rest)), err
}
