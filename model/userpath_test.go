package model

import (
	"os"
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

// What is no file with an end is refused and not waited for.
func TestReadSmallRefusesDevices(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good")
	if err := os.WriteFile(good, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := ReadSmall(good); err != nil || string(b) != "{}" {
		t.Errorf("%q, %v", b, err)
	}
	large := filepath.Join(dir, "large")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, 50<<30); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{"/dev/zero", dir, large, filepath.Join(dir, "none")} {
		if b, err := ReadSmall(path); err == nil {
			t.Errorf("%s was read: %d bytes", path, len(b))
		}
	}
}
