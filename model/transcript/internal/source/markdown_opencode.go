package source

import (
	"fmt"
	"slices"
	"strings"

	"palimpsest/model/pattern"
)

// What opencode's /export writes: a head, and a section for each message between rules.
//
//	## Assistant (Build · Claude Opus 4.8 · 12.3s)
//
//	_Thinking:_
//
//	what it thought
//
//	**Tool: read**
//
//	**Input:** and **Output:** or **Error:**, each with fenced code
//
//	what it said
var (
	exportHead    = pattern.New(`(?m)^\*\*Session ID:\*\* (ses_\w+)\s*$`)
	exportSection = pattern.New(`(?m)^## (User|Assistant)(?: \(([^)\n]*)\))?\s*$`)
	exportTool    = pattern.New(`(?m)^(?:_Thinking:_|\*\*Tool: (.+)\*\*)\s*$`)
	exportBlock   = pattern.New("(?s)^\\s*\\*\\*(Input|Output|Error):\\*\\*\\n```\\w*\\n(.*?)\\n?```(?:\\n|$)")
)

// openCodeExport reads a session that opencode exported as Markdown.
func openCodeExport(text string) (out []said) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	chat := said{OpenCode: exportHead.FindStringSubmatch(text)[1]}
	if line, _, _ := strings.Cut(text, "\n"); strings.HasPrefix(line, "# ") {
		chat.Title = strings.TrimSpace(line[2:])
	}
	heads := slices.DeleteFunc(exportSection.FindAllStringSubmatchIndex(text, -1), func(at []int) bool {
		return !strings.HasSuffix(strings.TrimRight(text[:at[0]], "\n"), "---") // somebody shows one
	})
	for i, at := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		m := chat
		m.Role = strings.ToLower(text[at[2]:at[3]])
		if at[4] >= 0 {
			if list := strings.Split(text[at[4]:at[5]], " · "); len(list) > 1 {
				m.Model = list[1]
			}
		}
		body := strings.TrimSuffix(strings.TrimSpace(text[at[1]:end]), "---")
		out = append(out, exported(m, body, len(out))...)
	}
	return out
}

// exported are the messages of a section: a call ends one, and its result follows. n is how
// many there are before.
func exported(m said, body string, n int) (out []said) {
	cur := m
	flush := func() {
		if cur.Text = strings.TrimSpace(cur.Text); cur.Text+cur.Reasoning+cur.Call != "" {
			out = append(out, cur)
		}
		cur = m
	}
	for body != "" && m.Role != "user" {
		found := exportTool.FindAllStringSubmatchIndex(body, 1)
		if found == nil {
			break
		}
		at := found[0]
		cur.Text += body[:at[0]]
		name := ""
		if at[2] >= 0 {
			name = body[at[2]:at[3]]
		}
		body = strings.TrimLeft(body[at[1]:], "\n")
		if name == "" { // a paragraph: what follows it may be the answer
			cur.Reasoning, body, _ = strings.Cut(body, "\n\n")
			continue
		}
		result := said{OpenCode: m.OpenCode, Role: "tool", Call: fmt.Sprint("call ", n+len(out)), Tool: name}
		cur.Call, cur.Tool = result.Call, name
		ended := false
		for g := exportBlock.FindStringSubmatch(body); g != nil; g = exportBlock.FindStringSubmatch(body) {
			body = body[len(g[0]):]
			if g[1] == "Input" {
				cur.Args = g[2]
				continue
			}
			result.Text, result.Failed, ended = g[2], g[1] == "Error", true
		}
		flush()
		if ended {
			out = append(out, result)
		}
	}
	cur.Text += body
	flush()
	return out
}
