package session

import (
	"path/filepath"
	"slices"
	"testing"

	"palimpsest/internal/realdata"
	"palimpsest/model/transcript"
)

// The logs of groups say who speaks; the words of all speakers together are
// those of all answers.
func TestSpeakersOfGroups(t *testing.T) {
	for file, want := range map[string][]string{
		"multi_agent/whowhen_hand_30.json": {"Orchestrator", "WebSurfer", "FileSurfer", "Assistant"},
		"multi_agent/whowhen_algo_1.json":  {"Excel_Expert", "BusinessLogic_Expert", "DataVerification_Expert"},
		"gemini/adk_session_complex.json":  {"spark_assistant", "research_plan_agent", "question_generation_agent", "information_retrieval_agent", "summary_agent"},
	} {
		f, err := Open(t.Context(), filepath.Join(realdata.Transcripts(t), filepath.FromSlash(file)), Options{}, transcript.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		list, _, err := f.Agents(t.Context(), AgentsRequest{})
		if err != nil || len(list) != 1 {
			t.Fatalf("%s: %d agents, %v", file, len(list), err)
		}
		var names []string
		messages := 0
		for _, x := range list[0].Speakers {
			names, messages = append(names, x.Name), messages+x.Messages
			if x.Messages == 0 || x.Tokens == 0 {
				t.Errorf("%s: %+v", file, x)
			}
		}
		if !slices.Equal(names, want) || messages != len(list[0].Usage) {
			t.Errorf("%s: %v with %d messages of %d", file, names, messages, len(list[0].Usage))
		}
	}
}
