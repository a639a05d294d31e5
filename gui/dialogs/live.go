package dialogs

import (
	"path/filepath"

	"fyne.io/fyne/v2"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// Sessions that run, as the list of the workbench and the table of all sessions show them.

// LiveTitle is what a session that runs is called.
func LiveTitle(s *model.LiveSession) string {
	if s.Title == "" {
		return filepath.Base(s.Path)
	}
	return s.Title
}

// LiveSource says how it was found.
func LiveSource(s *model.LiveSession) string { return words.T("live.source." + string(s.Source)) }

// LiveColor is that of its gauge.
func LiveColor(s *model.LiveSession) fyne.ThemeColorName {
	if s.Paused || s.Trigger > 0 && s.Used >= s.Trigger {
		return kit.ColorWarning
	}
	return kit.ColorKept
}

// ShowGauge shows how full its context is, with a tick where it is compacted.
func ShowGauge(bar *kit.Bar, share *kit.Text, s *model.LiveSession) {
	tick, full := -1.0, 0.0
	text := "?"
	if window := float64(s.Window); window > 0 {
		full = float64(s.Used) / window
		text = words.Percent(full)
		if s.Trigger > 0 {
			tick = float64(s.Trigger) / window
		}
	}
	bar.SetTick(tick)
	bar.Set(full, LiveColor(s))
	share.SetText(text)
}

// LiveState says when a session is compacted, or would be where nobody does it.
func LiveState(s *model.LiveSession) string {
	left, known := s.Left()
	switch {
	case s.Wish == model.CompactNext:
		return words.T("live.compactsNext")
	case s.Wish == model.RestoreNext:
		return words.T("live.restoresNext")
	case s.Paused && known:
		return words.T("live.pausedLeft", "count", left)
	case s.Paused:
		return words.T("live.paused")
	case !known:
		return words.T("count.messages", "count", s.Messages)
	case left == 0 && s.Steered():
		return words.T("live.compactsNext")
	case left == 0:
		return words.T("live.wouldNow")
	case s.Steered():
		return words.T("live.compactsIn", "count", left)
	}
	return words.T("live.wouldIn", "count", left)
}

// LiveTip is all that is known of it, and by what it was reckoned.
func LiveTip(s *model.LiveSession) string {
	return LiveTitle(s) + " · " + LiveSource(s) + "\n" + LiveState(s) + "\n" +
		words.T("live.pace", "used", words.Int(int64(s.Used)), "count", model.LiveCourse) + "\n" + s.Path
}

// LiveItems are what can be done with a session that runs. All of it happens at the
// session's next call.
func LiveItems(d *desk.Desk, s model.LiveSession) []kit.MenuItem {
	steer := func(key string, paused bool, wish model.LiveWish) kit.MenuItem {
		return kit.MenuItem{Text: words.T(key), Run: func() { d.Steer(s, paused, wish) }}
	}
	restore := steer("live.restoreNext", s.Paused, model.RestoreNext)
	switch {
	case !s.Restorable():
		return nil
	case !s.Steered():
		return []kit.MenuItem{kit.Rule, restore}
	}
	pause := steer("live.pause", true, "")
	if s.Paused {
		pause = steer("live.resume", false, "")
	}
	return []kit.MenuItem{kit.Rule, pause, steer("live.compactNext", s.Paused, model.CompactNext), restore}
}
