package gui

import (
	"palimpsest/gui/commands"
)

// followCommands are about files that change while they are open.
func (w *window) followCommands(here func() bool) []*commands.Command {
	d := w.Desk
	return []*commands.Command{
		{ID: commands.NewMessages, Needs: "news", Menu: "session", Keys: []string{"n"},
			Enabled: func() bool { return here() && d.Current().New > 0 },
			Run:     d.SelectNew},
		{ID: "follow", Menu: "session", Checked: d.Following, Run: func() {
			w.Settings.SetFollowing(!d.Following())
			d.Follow(w.Settings.Following())
		}},
		{ID: commands.Reload, Needs: "file", Menu: "session", Keys: []string{"F5"}, Enabled: d.CanReload, Run: d.Reload},
		{ID: commands.StopCounting, Needs: "counting", Menu: "session", Enabled: d.Counting, Run: d.StopCounting},
		{ID: commands.Count, Needs: "uncounted", Menu: "session", Enabled: d.CanCount, Run: d.Count},
	}
}
