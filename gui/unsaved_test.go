package gui

import (
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/settings"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// Where the toolkit can't write its file of preferences, of which it only writes to its
// log, the window says so once.
func TestSettingsThatCannotBeSavedAreSaidOnce(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(folder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"XDG_CONFIG_HOME", "HOME", "TMPDIR"} { // the last is the toolkit's in tests
		t.Setenv(name, folder)
	}
	before, out := fyne.CurrentApp(), log.Writer()
	t.Cleanup(func() { fyne.SetCurrentApp(before); log.SetOutput(out); words.Set(words.English) })
	said, d := &toolkitLog{}, desk.New(func(f func()) { f() }, nil)
	t.Cleanup(d.Close)
	log.SetOutput(said)
	said.sayUnsaved(d, func(f func()) { f() })
	set := settings.New(app.NewWithID("io.github.palimpsest.test").Preferences())
	if n := len(d.Notices()); n > 0 {
		t.Fatalf("%d notices, and nothing was changed", n)
	}
	set.SetMode(kit.Dark)
	set.SetLanguage(words.Chinese)
	set.SetScale(1.5)
	list := d.Notices()
	if len(list) != 1 {
		t.Fatalf("%d notices of three settings that were not saved", len(list))
	}
	for lang, want := range map[string]string{words.English: "can't be saved", words.Chinese: "无法保存"} {
		words.Set(lang)
		head, rest, details := show.ErrorWords(list[0].Err)
		if !strings.Contains(head, want) || rest == "" || !strings.Contains(details, folder) {
			t.Errorf("%s: %q, %q, %q", lang, head, rest, details)
		}
	}
}
