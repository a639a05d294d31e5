package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// mixedLanguages is a request to the Anthropic Messages API: a translator's
// talk in Japanese, Chinese, Korean and English about an invented game.
func mixedLanguages() ([]byte, error) {
	r := &rng{state: 60}
	var messages []object
	add := func(role string, content any) {
		messages = append(messages, object{{"role", role}, {"content", content}})
	}
	for i, text := range strings.Split(strings.TrimSpace(data("mixed.txt")), "\n\n") {
		part := map[string]string{}
		for _, l := range strings.Split(text, "\n") {
			key, value, ok := strings.Cut(l, ": ")
			if !ok {
				return nil, fmt.Errorf("exchange %d: line %q has no key", i+1, l)
			}
			part[key] = strings.ReplaceAll(value, `\n`, "\n")
		}
		name, args, _ := strings.Cut(part["tool"], " ")
		if !json.Valid([]byte(args)) {
			return nil, fmt.Errorf("exchange %d: arguments of %s are not JSON", i+1, name)
		}
		id := "toolu_01" + r.base62(22)
		add("user", part["ask"])
		add("assistant", []object{{{"type", "text"}, {"text", part["say"]}}, {{"type", "tool_use"}, {"id", id}, {"name", name}, {"input", json.RawMessage(args)}}})
		add("user", []object{{{"type", "tool_result"}, {"tool_use_id", id}, {"content", part["result"]}}})
		add("assistant", []object{{{"type", "text"}, {"text", part["answer"]}}})
	}
	o := object{{"model", claudeModel}, {"max_tokens", 4096},
		{"system", "You are a localisation assistant for the game 星空フェリー / 星空渡轮 / 별하늘 페리 / Starlight Ferry. Answer in the language of the question. Never change place names without the glossary."},
		{"messages", messages}}
	var out bytes.Buffer
	err := json.Indent(&out, encode(o), "", " ")
	out.WriteByte('\n')
	return out.Bytes(), err
}
