// Command reader is a model that only finds strings: a server of OpenAI's protocol that knows the
// right answers of palimpsest probe and gives one where the text that it was sent holds it, else says
// that it does not know. What it can't answer no model can, unless it guesses or concludes.
//
//	palimpsest probe … --questions --json > questions.json
//	scripts/lab.sh reader questions.json 127.0.0.1:9009
//	palimpsest probe … --endpoint http://127.0.0.1:9009/v1 --model reader --model-window 100000000
//
// It finds strings by other rules than the program.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
)

type question struct {
	Rule    string
	Ask     string `json:"question"`
	Clue    string
	Answers []string
	Choices []string
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "reader:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("a file of questions and an address are wanted")
	}
	data, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	var all struct {
		Sessions []struct {
			Cuts []struct{ Questions []question }
		}
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	known := map[string][]question{} // by what is asked: sessions may ask the same
	for _, s := range all.Sessions {
		for _, c := range s.Cuts {
			for _, q := range c.Questions {
				known[strings.TrimSpace(q.Ask)] = append(known[strings.TrimSpace(q.Ask)], q)
			}
		}
	}
	http.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Messages []struct{ Content string } }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || len(body.Messages) == 0 {
			http.Error(w, "no messages", http.StatusBadRequest)
			return
		}
		said := answer(known, body.Messages[len(body.Messages)-1].Content)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"model": "reader", "choices": []any{map[string]any{"finish_reason": "stop",
			"message": map[string]any{"role": "assistant", "content": said}}}})
	})
	return http.ListenAndServe(args[1], nil)
}

var numbered = regexp.MustCompile(`^(\d+): (.*)$`)

// answer answers the questions after a text.
func answer(known map[string][]question, prompt string) string {
	end := strings.LastIndex(prompt, "\n</text>\n")
	if end < 0 {
		return "I don't know"
	}
	text := fold(written(prompt[:end]))
	var lines []map[string]bool
	var out strings.Builder
	asked := strings.Split(prompt[end+len("\n</text>\n"):], "\n")
	for i, line := range asked {
		m := numbered.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		var choices []string
		for _, c := range asked[i+1:] {
			if !strings.HasPrefix(c, "   ") {
				break
			}
			choices = append(choices, strings.TrimSpace(c)[len("A) "):])
		}
		said := "I don't know"
		for _, q := range known[strings.TrimSpace(m[2])] {
			if strings.Join(q.Choices, "\n") != strings.Join(choices, "\n") {
				continue
			}
			if q.Rule == "words" && lines == nil {
				lines = wordsOf(prompt[:end])
			}
			if found := find(q, text, lines); found != "" {
				said = found
				break
			}
		}
		fmt.Fprintf(&out, "%s: %s\n", m[1], said)
	}
	return out.String()
}

// find is the answer to a question as far as a folded text holds it; "": it does not.
func find(q question, text string, lines []map[string]bool) string {
	switch q.Rule {
	case "choice":
		clue := q.Clue
		if clue == "" {
			clue = strings.TrimSuffix(q.Answers[0], "…")
		}
		if strings.Contains(text, fold(clue)) {
			for i, c := range q.Choices {
				if c == q.Answers[0] {
					return string(rune('A' + i))
				}
			}
		}
	case "words":
		want := words(q.Answers[0])
		for _, line := range lines {
			n := 0
			for w := range want {
				if line[w] {
					n++
				}
			}
			if 10*n >= 7*len(want) {
				return q.Answers[0]
			}
		}
	case "set":
		var found []string
		for _, a := range q.Answers {
			if strings.Contains(text, fold(a)) {
				found = append(found, a)
			}
		}
		if 10*len(found) >= 6*len(q.Answers) {
			return strings.Join(found, ", ")
		}
	default:
		for _, a := range q.Answers {
			if strings.Contains(text, fold(a)) {
				return a
			}
		}
	}
	return ""
}

var (
	group = regexp.MustCompile(`([\w./@-]*/)\{([^{}\n]*)\}`)
	space = regexp.MustCompile(`\s+`)
	marks = strings.NewReplacer("`", "", `"`, "", "'", "", "*", "", `\`, "", "“", "", "”", "", "‘", "", "’", "")
	word  = regexp.MustCompile(`[\pL\pN_]+`)
)

// written writes groups of paths out: src/{a.go, b.go} is src/a.go and src/b.go.
func written(text string) string {
	return group.ReplaceAllStringFunc(text, func(s string) string {
		m := group.FindStringSubmatch(s)
		var out []string
		for name := range strings.SplitSeq(m[2], ",") {
			out = append(out, m[1]+strings.TrimSpace(name))
		}
		return strings.Join(out, " ")
	})
}

func fold(s string) string {
	return strings.TrimSpace(space.ReplaceAllString(strings.ToLower(marks.Replace(s)), " "))
}

func words(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range word.FindAllString(strings.ToLower(marks.Replace(s)), -1) {
		out[w] = true
	}
	return out
}

// wordsOf are the words of each line of a text.
func wordsOf(text string) (out []map[string]bool) {
	for line := range strings.Lines(text) {
		out = append(out, words(line))
	}
	return out
}
