package transcript

import (
	"fmt"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// refusePreference recognises preference data among what is unknown: it
// looks like conversations, but holds answers to choose from, not a history.
func refusePreference(s *codec.Sniff, path string) error {
	values := s.Lines
	if s.Whole.Kind == jspan.Array {
		values = nil
		for i, e := range s.Whole.Items {
			values = append(values, e)
			if i >= codec.SniffLines {
				break
			}
		}
	}
	n := 0
	for _, v := range values {
		if v.Has("chosen") && v.Has("rejected") || v.Has("prompt") && (v.Has("completion") && v.Has("label") || v.Has("completions")) {
			n++
		}
	}
	if n == 0 || n*2 < len(values) {
		return nil
	}
	return &model.Problem{Code: "preference-data", What: fmt.Sprintf("%s holds preference data.", path),
		Why: "Its records are a prompt with answers to choose from (chosen and rejected, several completions, or one with a label), " +
			"not the history of an agent.",
		Next: "Open the conversations that the answers were taken from."}
}
