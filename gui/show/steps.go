package show

import (
	"palimpsest/compaction"
	"palimpsest/gui/kit"
	"palimpsest/gui/state/undo"
	"palimpsest/gui/words"
	"palimpsest/model/store"
)

// StepName is what a step did, as it is said behind "Undo": "apply R-0001".
func StepName(s *undo.Step) string {
	switch s.Kind {
	case undo.Params:
		rows := SettingRows(s.Was, s.Now)
		if len(rows) == 1 {
			return words.T("step.params", "parameter", rows[0].Name, "was", rows[0].A, "now", rows[0].B)
		}
		return words.T("step.params.many", "count", len(rows))
	case undo.Preset:
		return words.T("step.preset", "name", kit.Clean(PresetName(s.Name)))
	case undo.DraftAdd:
		return words.T("step.draftAdd", "name", words.T("strategy."+s.Name))
	case undo.DraftPutBack, undo.DraftDiscard:
		return words.T("step."+string(s.Kind), "name", kit.Clean(s.Name), "count", s.Count)
	}
	return words.T("step."+string(s.Kind), "name", stepOf(s))
}

// stepOf is what a step was about; of many records how many they were.
func stepOf(s *undo.Step) string {
	const named = 3
	if s.Kind == undo.Remove && s.Count > 1 {
		return words.T("sessions.count", "count", s.Count)
	}
	if s.Of == "" && s.Count > named {
		return words.T("step.records", "count", s.Count)
	}
	return kit.Clean(s.Name)
}

// StepDetail is more about a step, in one line; "": nothing.
func StepDetail(s *undo.Step) string {
	switch s.Kind {
	case undo.Preset:
		if list := compaction.Differing(s.Was, s.Now); len(list) > 0 {
			return words.T("step.params.many", "count", len(list))
		}
	case undo.Apply, undo.Compact, undo.Reapply:
		return Went(s.Count, s.Former)
	case undo.Restore:
		return words.T("step.detail.restore", "what", Went(s.Count, s.Former))
	case undo.Delete:
		return words.T("step.detail.delete", "date", s.Time.Add(store.TrashAge).Local().Format("01-02"))
	}
	return ""
}

// StepDone says that a step was done; "" where what changed is seen.
func StepDone(s *undo.Step) string {
	switch s.Kind {
	case undo.Many:
		return words.T("step.done.compactMany", "count", s.Count)
	case undo.Restore, undo.Reapply, undo.Delete, undo.Undelete, undo.Import, undo.WriteBack, undo.Unwrite, undo.Remove:
		return words.T("step.done."+string(s.Kind), "name", stepOf(s), "what", Went(s.Count, s.Former))
	}
	return ""
}
