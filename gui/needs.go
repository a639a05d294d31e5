package gui

import (
	"strings"

	"palimpsest/gui/commands"
)

// needs says what has to be there for a command that can't always be done; its words
// are "needs.…". Menus and the palette say it of those that can't be done now.
var needs = map[string]string{
	"export":                    "session",
	"remove":                    "session",
	commands.Why:                "session",
	commands.Prompt:             "session",
	"useIn":                     "session",
	"compare":                   "session",
	"lookAlikes":                "session",
	commands.OpenPreset:         "session",
	commands.ExportPreset:       "session",
	"advice":                    "session",
	"sweep":                     "session",
	"writeBack":                 "written",
	"undoWriteBack":             "wroteBack",
	commands.Samples:            "samples",
	commands.Undo:               "undo",
	"redo":                      "redo",
	"goto":                      "panes",
	commands.NextHit:            "hits",
	commands.PreviousHit:        "hits",
	"flip":                      "panes",
	"previousUser":              "panes",
	"nextUser":                  "panes",
	"previousMark":              "panes",
	"nextMark":                  "panes",
	commands.Pin:                "message",
	commands.Note:               "message",
	"planHere":                  "message",
	commands.AboutMessage:       "panes",
	commands.CopyText:           "selection",
	"copyRedacted":              "selection",
	commands.ExportSelection:    "rows",
	commands.ExportGone:         "applies",
	commands.Recorded:           "found",
	commands.BlockUp:            "preview",
	commands.BlockDown:          "preview",
	commands.DraftPrevious:      "preview",
	commands.DraftNext:          "preview",
	commands.Rename:             "file",
	commands.Star:               "file",
	commands.Raw:                "selection",
	"clearFilter":               "filter",
	"textLarger":                "largest",
	"textSmaller":               "smallest",
	"textNormal":                "normal",
	"previousSession":           "sessions",
	"nextSession":               "sessions",
	"planEnd":                   "atEnd",
	"threads":                   "threads",
	commands.ReadAs:             "readAs",
	"agents":                    "agents",
	"filling":                   "session",
	"skippedLines":              "skipped",
	commands.Preview:            "plan",
	commands.Compact:            "applies",
	commands.ApplyDraft:         "applies",
	commands.Ask:                "ask",
	"cancelJob":                 "job",
	"restore":                   "restorable",
	"useRecord":                 "record",
	"openRecord":                "record",
	"exportRecord":              "record",
	commands.CompareRecords:     "ticked",
	"deleteRecords":             "recordsChosen",
	commands.ExportRecords:      "store",
	commands.ImportRecords:      "store",
	"useCell":                   "cell",
	"preferences":               "store",
	"metrics":                   "store",
	commands.Swap:               "comparing",
	commands.Promote:            "comparing",
	commands.NextDifference:     "differing",
	commands.PreviousDifference: "differing",
	commands.RunSweep:           "sweep",
	commands.SweepFolder:        "session",
	commands.StopSweep:          "sweepRunning",
	commands.LoadCell:           "cell",
	commands.CellCandidate:      "cell",
	"saveSweep":                 "sweepDone",
	commands.NewMessages:        "news",
	commands.Reload:             "file",
	commands.StopCounting:       "counting",
	commands.Count:              "uncounted",
	commands.Find:               "field",
	"viewHistory":               "panes", "viewModel": "panes",
}

// needOf is what a command needs: those of a kind need the same.
func needOf(id string) string {
	switch {
	case strings.HasPrefix(id, "only."):
		return "panes"
	case strings.HasPrefix(id, "preset."):
		return "session"
	}
	return needs[id]
}
