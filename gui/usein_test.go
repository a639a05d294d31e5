package gui

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"palimpsest/compaction/toolconfig"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/words"
)

// The parameters go into a tool's file: the difference is shown first, the former
// file stays beside it, and what the tool can't do is said.
func TestUseInAnotherTool(t *testing.T) {
	s := newStage(t)
	file := filepath.Join(t.TempDir(), "settings.json")
	old := "{\n  \"model\": \"opus\"\n}\n"
	if err := os.WriteFile(file, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	looks(s, func() {
		x := dialogs.ShowUseIn(s.Host, s.Desk.Planning.Plan().Policy)
		x.Choose("gemini-cli")
		s.settle()
		s.sees("compressionThreshold", words.T("useIn.lost", "tool", "Gemini CLI", "count", 4), words.T("useIn.note.gemini-cli.1"))
		x.Dlg.Close()
		s.closed()
	})
	x := dialogs.ShowUseIn(s.Host, s.Desk.Planning.Plan().Policy)
	x.Choose("claude-code")
	s.fill(0, file)
	s.settle()
	s.sees("autoCompactWindow", "opus")
	s.tap(words.T("useIn.write"))
	s.settle()
	s.closed()
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "\"autoCompactWindow\": ") || !strings.Contains(string(text), "\"model\": \"opus\"") {
		t.Errorf("%s %v", text, err)
	}
	if backup, err := os.ReadFile(file + ".before-palimpsest"); err != nil || string(backup) != old {
		t.Errorf("%s %v", backup, err)
	}
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	x = dialogs.ShowUseIn(s.Host, s.Desk.Planning.Plan().Policy)
	s.fill(0, file)
	s.settle()
	if !x.Write.Disabled() {
		t.Error("a broken file can be written")
	}
	s.press("Esc")
	s.closed()
}

// What a terminal says of a tool, the window says in the person's language.
func TestNotesOfToolsAreTranslated(t *testing.T) {
	before := words.Language()
	defer words.Set(before)
	for _, lang := range words.Languages {
		words.Set(lang)
		for _, tool := range toolconfig.Tools() {
			for i, note := range tool.Notes {
				key := "useIn.note." + tool.ID + "." + strconv.Itoa(i+1)
				text := words.T(key)
				if text == key || (text == note) != (lang == words.English) {
					t.Errorf("%s in %s: %q", key, lang, text)
				}
			}
			key := "useIn.checked." + tool.ID
			if text := words.T(key); text == key || (text == tool.Checked) != (lang == words.English) {
				t.Errorf("%s in %s: %q", key, lang, text)
			}
		}
	}
}
