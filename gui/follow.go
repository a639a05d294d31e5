package gui

import (
	"palimpsest/compaction/session"
	"palimpsest/gui/words"
)

// followCommands are about files that change while they are open.
func (w *window) followCommands(here func() bool) []*command {
	d := w.d
	return []*command{
		{ID: "newMessages", Menu: "session", Part: 4, Keys: []string{"n"}, Enabled: func() bool { return here() && d.Current().New > 0 }, Run: d.SelectNew},
		{ID: "follow", Menu: "session", Part: 4, Checked: d.Following, Run: func() {
			w.set.setFollowing(!d.Following())
			d.Follow(w.set.following())
		}},
		{ID: "reload", Menu: "session", Part: 4, Keys: []string{"F5"}, Enabled: d.CanReload, Run: d.Reload},
		{ID: "stopCounting", Menu: "session", Part: 4, Enabled: d.Counting, Run: d.StopCounting},
		{ID: "count", Menu: "session", Part: 4, Enabled: d.CanCount, Run: d.Count},
	}
}

// relatedTitle is what a file of the same conversation is called.
func relatedTitle(r session.Related) string {
	switch {
	case r.Parent:
		return words.T("follow.caller")
	case r.Name != "":
		return r.Name
	}
	return words.T("follow.agent", "id", r.ID)
}
