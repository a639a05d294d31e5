package model

import (
	"path/filepath"
	"testing"
)

func TestUserPathObeysTheAgentsVariables(t *testing.T) {
	for _, m := range movedBy {
		t.Setenv(m[1], "")
	}
	t.Setenv("HOME", filepath.FromSlash("/home/ann"))
	for _, c := range []struct{ variable, value, path, want string }{
		{"", "", "~/.claude/settings.json", "/home/ann/.claude/settings.json"},
		{"", "", "/etc/x", "/etc/x"},
		{"", "", "~/", "/home/ann"},
		{"CLAUDE_CONFIG_DIR", "/srv/claude", "~/.claude/settings.json", "/srv/claude/settings.json"},
		{"CLAUDE_CONFIG_DIR", "/srv/claude", "~/.claude", "/srv/claude"},
		{"CLAUDE_CONFIG_DIR", "/srv/claude", "~/.claude-other/x", "/home/ann/.claude-other/x"},
		{"CLAUDE_CONFIG_DIR", "/srv/claude", "~/.codex/config.toml", "/home/ann/.codex/config.toml"},
		{"CODEX_HOME", "/srv/codex", "~/.codex/config.toml", "/srv/codex/config.toml"},
		{"XDG_CONFIG_HOME", "/srv/config", "~/.config/opencode/opencode.json", "/srv/config/opencode/opencode.json"},
		{"OPENCODE_CONFIG_DIR", "/srv/oc", "~/.config/opencode/opencode.json", "/srv/oc/opencode.json"},
		{"XDG_DATA_HOME", "/srv/data", "~/.local/share/goose/sessions", "/srv/data/goose/sessions"},
	} {
		t.Run(c.variable+" "+c.path, func(t *testing.T) {
			if c.variable != "" {
				t.Setenv(c.variable, filepath.FromSlash(c.value))
			}
			if got, err := UserPath(c.path); err != nil || got != filepath.FromSlash(c.want) {
				t.Errorf("%s, %v; want %s", got, err, c.want)
			}
		})
	}
}
