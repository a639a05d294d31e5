package main

import (
	"encoding/json"
	"fmt"
)

// mixedLanguages is a request to the Anthropic Messages API: a translator's
// talk in Japanese, Chinese, Korean and English about an invented game.
func mixedLanguages() []byte {
	r := &rng{state: 60}
	var messages []object
	add := func(role string, content any) {
		messages = append(messages, object{{"role", role}, {"content", content}})
	}
	for _, x := range load[[]struct {
		Ask, Say, Tool, Result, Answer string
		Args                           json.RawMessage
	}]("mixed.json") {
		id := "toolu_01" + r.base62(22)
		add("user", x.Ask)
		add("assistant", []object{{{"type", "text"}, {"text", x.Say}},
			{{"type", "tool_use"}, {"id", id}, {"name", x.Tool}, {"input", x.Args}}})
		result := x.Result
		if x.Tool != "glossary_lookup" {
			result += gameStrings(r)
		}
		add("user", []object{{{"type", "tool_result"}, {"tool_use_id", id}, {"content", result}}})
		add("assistant", []object{{{"type", "text"}, {"text", x.Answer}}})
	}
	return indented(object{{"model", claudeModel}, {"max_tokens", 4096},
		{"system", "You are a localisation assistant for the game 星空フェリー / 星空渡轮 / 별하늘 페리 / Starlight Ferry. " +
			"Answer in the language of the question. Never change place names without the glossary."},
		{"messages", messages}}, " ")
}

// gameStrings are the lines of the game around those that a tool found, as the tool shows them.
func gameStrings(r *rng) string {
	lists := phrases["game string"]
	out := "\n-- around it:"
	for range r.between(26, 34) {
		out += fmt.Sprintf("\n%s.%d | "+pick(r, lists...), pick(r, "route", "quest", "shop", "crew", "weather", "menu"), r.between(1, 1214),
			r.between(2, 95))
	}
	return out
}
