package summarize

import (
	"strings"
	"testing"
)

// kept holds what a note must tell and must not tell of a session.
type kept struct {
	session   func(h *history)
	want, not []string
}

// Faults that blind readers found in notes, one session for each kind.
func TestFaultsThatReadersFound(t *testing.T) {
	log := "\n WARN  [Motion] Writing a value. Please ensure that you don't access the value.\n\n" +
		"Never mind the frames; to be silent, always disable the strict mode.\n LOG  [Motion] ready\n"
	report := "Look at this review.\n# Review\nNever use floats.\n## Cover\nAlways on.\n## Last\nAlways prefer the reader over the writer."
	for name, k := range map[string]kept{
		"a pasted log orders nothing": {func(h *history) { h.typed("It is slow, these are the logs:" + log) },
			[]string{"It is slow"}, []string{"## Standing orders"}},
		"a pasted report orders nothing": {func(h *history) { h.typed(report) },
			[]string{"Look at this review"}, []string{"## Standing orders"}},
		"the end of a long log is told": {func(h *history) {
			h.typed("Analyze the logs\n" + strings.Repeat("error 21:33:35.3115+0100 app[1] update of the value\n", 40) +
				"error 21:34:04.8193+0100 app[1] focus is taken again\n")
		}, []string{"more lines pasted", "focus is taken again"}, nil},
		"a wish for one act is no order": {func(h *history) {
			h.typed("Create the ticket. Make sure it's in project Troy.").says("Created.")
			h.typed("Write the plan to a temporary file, don't commit it, and look at the tests.")
		}, []string{"project Troy", "temporary file"}, []string{"## Standing orders"}},
		"a question is no order": {func(h *history) {
			h.typed("I ask you why you didn't, because we want you in the future to adhere to it. Think about how we can make you in the future.")
		}, []string{"adhere to it"}, []string{"## Standing orders"}},
		"lasting words are an order": {func(h *history) {
			h.typed("Read the list. Don't touch the generated files. Use tabs for all new files. Prefer small functions.")
		}, []string{"## Standing orders", "- Don't touch the generated files (#1)", "- Use tabs for all new files (#1)", "- Prefer small functions (#1)"}, nil},
		"an order is lifted": {func(h *history) {
			h.typed("Fix the parser. Do not commit it. Never push to main.").says("The parser is fixed.").typed("Okay, commit it.")
		}, []string{"- Never push to main (#1)"}, []string{"- Do not commit it"}},
		"another one committed": {func(h *history) {
			h.typed("Add the reader.")
			h.does("Bash", `{"command":"git status"}`, "clean")
			h.does("Edit", `{"file_path":"/srv/read.go","old_string":"a","new_string":"b"}`, "The file has been updated.")
			h.does("Task", `{"prompt":"add the reader"}`, "The reader is there. Committed with the message that was given.")
			h.says("Now the writer.")
		}, []string{"read.go"}, []string{"Changed and not committed"}},
		"not yet committed": {func(h *history) {
			h.typed("Add the reader.")
			h.does("Bash", `{"command":"git status"}`, "clean")
			h.does("Edit", `{"file_path":"/srv/read.go","old_string":"a","new_string":"b"}`, "The file has been updated.")
			h.says("The reader is there, nothing was committed.")
		}, []string{"Changed and not committed: all of them"}, nil},
		"a refuted finding goes": {func(h *history) {
			h.typed("The keyboard comes back.")
			h.says("The focus is taken twice because the view appears twice.")
			h.typed("It's the same bug, still. Can we log it?").says("Logs are added.")
		}, []string{"the person did not agree"}, []string{"Decisions and findings"}},
		"a proposed fix is over once files changed": {func(h *history) {
			h.typed("The test fails.")
			h.says("The simplest fix is to write the same content instead of the time.")
			h.does("Edit", `{"file_path":"/srv/x_test.go","old_string":"a","new_string":"b"}`, "The file has been updated.")
			h.says("It passes.").typed("Go on.").says("Next.")
		}, nil, []string{"## Decisions and findings"}},
		"what was missing was built": {func(h *history) {
			h.typed("Does it copy my settings?").says("It syncs the listed settings. It does not automatically capture those of this machine.")
			h.typed("Do that.")
			h.does("Edit", `{"file_path":"/srv/capture.py","old_string":"a","new_string":"b"}`, "The file has been updated.")
			h.says("43 settings are captured.")
		}, []string{"It syncs the listed settings"}, []string{"does not automatically capture"}},
		"how a numbered list stands": {func(h *history) {
			h.typed("Please do: 1. redact inside 2. add tests 3. share the helper 4. save the state")
			h.says("Item 4 is fine, the caller saves the state.").does("Read", `{"file_path":"a.go"}`, "x")
			h.says("Item 2: added four tests.").does("Read", `{"file_path":"b.go"}`, "x")
			h.says("Item 3: share the helper")
		}, []string{"- Of the numbered list: Item 4 is fine, the caller saves the state; Item 2: added four tests (#2–5)"}, nil},
		"a program's error is not said": {func(h *history) {
			h.typed("Go on.").says("API Error: Unable to connect to API").typed("Again.").says("It is done.")
		}, nil, []string{"API Error"}},
	} {
		h := &history{}
		k.session(h)
		text := noteOf(t, h.entries, 0)
		text, _, _ = strings.Cut(text, "\n[Fact")
		for _, want := range k.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not told:\n%s", name, want, text)
			}
		}
		for _, not := range k.not {
			if strings.Contains(text, not) {
				t.Errorf("%s: %q is told:\n%s", name, not, text)
			}
		}
	}
}

// A person's numbered answers are whole in a short note too: each settles something.
func TestNumberedAnswersAreWhole(t *testing.T) {
	h := &history{}
	answers := "1. yes, that is fine by us 2. windows will be a thing eventually... use a database for it 3. detect it and skip it " +
		"4. yes, fix that 5. leave auto as it is 6. stop doing that 7. how can it be that it is open 8. document it 9. yes, test it"
	for range 14 {
		h.typed("Please look at the plan in the folder of the documents and say what its weak points are, in a few words.")
		h.says("The plan is good. " + strings.Repeat("It goes over the points of the protocol one by one. ", 12))
	}
	h.typed(answers).says("All are noted.")
	for _, s := range []string{"Draft the plan.", "Is it testable without the actions, by a table of states and events?", "yes, and the names too", "go on with the reader of the states and its tests"} {
		h.typed(s).says(strings.Repeat("It is a table of states and events now. ", 12))
	}
	if text := noteOf(t, h.entries, 500); !strings.Contains(text, answers) {
		t.Error(text)
	}
}
