package gui

// knownFaults are faults of the screens that are not mended yet, each by its key.
// The list only becomes shorter: a fault that is not found any more has to go.
var knownFaults = []string{
	"english | dialog export | Anthropic Messages",
}
