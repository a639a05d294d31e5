package live

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"palimpsest/compaction/toolconfig"
	"palimpsest/model/tally"
	"palimpsest/model/transcript/jspan"
)

// What a server demands of a request is checked again on the bytes that would be
// sent, whatever the plan promised: the agent can't mend a request that is refused.

// legal returns why a list that was made from another can't be sent.
func legal(a *api, before, after []jspan.Value) error {
	switch {
	case len(after) == 0:
		return errors.New("nothing would be left")
	case (a == anthropicAPI || a == geminiAPI) && after[0].Get("role").TextN(10) != "user":
		return errors.New("the first message would not be the user's")
	case a == geminiAPI && unanswered(after) > unanswered(before):
		return errors.New("a call and its result would part")
	}
	if err := tallyOf(after).Worse(tallyOf(before), a != anthropicAPI); err != nil {
		return fmt.Errorf("a call and its result would part: %w", err)
	}
	newest := newestTurn(before)
	if len(after) < len(before)-newest {
		return errors.New("the newest turn would change")
	}
	for i := newest; i < len(before); i++ {
		if !bytes.Equal(before[i].Raw(), after[len(after)-(len(before)-i)].Raw()) {
			return errors.New("the newest turn would change")
		}
	}
	same := map[string]bool{}
	for _, e := range before {
		if isThinking(e) {
			same[string(e.Raw())] = true
		}
	}
	marks := 0
	for _, e := range after {
		if isThinking(e) && !same[string(e.Raw())] {
			return errors.New("a message with thinking would change")
		}
		marks += countMarks(e)
	}
	if had := marksOf(before); marks > max(had, mostMarks) {
		return fmt.Errorf("there would be %d marks of the cache", marks)
	}
	return nil
}

// unanswered counts the contents of Gemini's API which answer other functions than the one
// before calls: it may give its calls no ids.
func unanswered(list []jspan.Value) (n int) {
	var called []string
	for _, e := range list {
		var calls, results []string
		for _, part := range e.Get("parts").Items {
			if name := part.Get("functionCall").Get("name"); name.Exists() {
				calls = append(calls, name.TextN(200))
			}
			if name := part.Get("functionResponse").Get("name"); name.Exists() {
				results = append(results, name.TextN(200))
			}
		}
		if !slices.Equal(called, slices.Sorted(slices.Values(results))) {
			n++
		}
		called = slices.Sorted(slices.Values(calls))
	}
	return n
}

// mostMarks is how many marks of the cache a request may have.
const mostMarks = 4

func marksOf(list []jspan.Value) (n int) {
	for _, e := range list {
		n += countMarks(e)
	}
	return n
}

// countMarks counts the marks of the cache on a message and its blocks.
func countMarks(e jspan.Value) (n int) {
	if e.Get("cache_control").Kind == jspan.Object {
		n++
	}
	for _, block := range e.Get("content").Items {
		if block.Kind == jspan.Object {
			n += countMarks(block)
		}
	}
	return n
}

// newestTurn is the first message of what must stay as it is: the model's newest
// message and what answers it, or the last message.
func newestTurn(list []jspan.Value) int {
	for i := len(list) - 1; i >= 0; i-- {
		if !isModels(list[i]) {
			continue
		}
		for i > 0 && isModels(list[i-1]) {
			i--
		}
		return i
	}
	return len(list) - 1
}

// isModels reports whether an element is what the model said.
func isModels(e jspan.Value) bool {
	switch e.Get("type").TextN(40) {
	case "", "message":
		return e.Get("role").Is("assistant") || e.Get("role").Is("model")
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output", "computer_call_output", "shell_call_output",
		"apply_patch_call_output", "mcp_approval_response", "item_reference":
		return false
	}
	return true
}

// isThinking reports whether a message holds thoughts that the server signed.
func isThinking(e jspan.Value) bool {
	switch e.Get("type").TextN(20) {
	case "reasoning", "compaction":
		return true
	}
	for _, block := range e.Get("content").Items {
		switch block.Get("type").TextN(20) {
		case "thinking", "redacted_thinking":
			return true
		}
	}
	for _, part := range e.Get("parts").Items {
		if part.Has("thoughtSignature") || part.Get("thought").Bool() {
			return true
		}
	}
	return false
}

// tallyOf counts the calls and results of a list.
func tallyOf(list []jspan.Value) *tally.Count {
	t := tally.New()
	for _, e := range list {
		t.Add(e.Raw())
	}
	return t
}

// thoughtsStay returns why what the model thought and what it said then would part.
func thoughtsStay(before, after []jspan.Value) error {
	follows := map[string]string{}
	for i, e := range before {
		if e.Get("type").TextN(20) == "reasoning" && i+1 < len(before) {
			follows[string(e.Raw())] = string(before[i+1].Raw())
		}
	}
	if len(follows) == 0 {
		return nil
	}
	there := map[string]int{}
	for i, e := range after {
		there[string(e.Raw())] = i
	}
	for thought, said := range follows {
		i, kept := there[thought]
		k, too := there[said]
		if kept != too || kept && k != i+1 {
			return errors.New("what the model thought and what it said then would part")
		}
	}
	return nil
}

// compactsItself reports whether a request is the client's own compaction.
func (b *body) compactsItself() bool {
	return toolconfig.AsksForSummary(b.askedLast())
}
