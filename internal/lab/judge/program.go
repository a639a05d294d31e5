package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"palimpsest/model/tokens"
)

// program is a built palimpsest. It is asked as a user would ask it, on the command line.
type program struct {
	path, strategy string
	scratch        string // folder for the shortened sessions and the database
}

// summary is the text that stands for all before the cut but the last message, of at most
// so many tokens as the program counts them.
func (p program) summary(session string, budget int) (string, error) {
	return p.ask(append(policy("preview", session, budget, p.strategy), "--quiet"))
}

func policy(verb, session string, budget int, strategy string) []string {
	return []string{verb, session, "--tail", fmt.Sprint(keptMessages) + "msgs", "--no-keep-first-user",
		"--strategy", strategy, "--summary-budget", fmt.Sprint(budget) + "tok"}
}

// after is a model's words with so many tokens of the program's own text after them. The
// model is a server here that answers with the words whatever it is asked.
func (p program) after(session, said string, budget int) (string, error) {
	said = strings.TrimSpace(said)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"id": "x", "object": "chat.completion", "model": "recorded",
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop",
				"message": map[string]any{"role": "assistant", "content": said}}}})
	}))
	defer server.Close()
	plan, err := p.run(append(policy("preview", session, budget, p.strategy), "--json"))
	if err != nil {
		return "", err
	}
	factor := 1.0
	if m := counted.FindSubmatch(plan); m != nil {
		if factor, err = strconv.ParseFloat(string(m[1]), 64); err != nil {
			return "", err
		}
	}
	words, best := int(1.05*factor*float64(count(said)))+60, "" // with the words before a summary
	// until no more of the program's text follows than was asked for, or the words are cut
	for range 6 {
		text, err := p.recorded(append(policy("compact", session, words+budget, "model+"+p.strategy),
			"--endpoint", server.URL+"/v1", "--model", "recorded", "--model-window", "2000000", "--accept-flaws"))
		if err != nil {
			return "", err
		}
		if !strings.Contains(plainWords(text), plainWords(said[len(said)-len(said)/8:])) {
			break
		}
		best = text
		over := count(text) - count(said) - budget
		if over <= budget/20 {
			break
		}
		words -= max(over/2, 20)
	}
	if best == "" {
		return "", fmt.Errorf("%s: the record does not hold the model's words to their end", session)
	}
	return best, nil
}

// recorded is the summary that a compaction leaves in its record.
func (p program) recorded(compact []string) (string, error) {
	folder, err := os.MkdirTemp(p.scratch, "record")
	if err != nil {
		return "", err
	}
	p.scratch = folder
	if _, err := p.run(append(compact, "-o", filepath.Join(folder, "out"))); err != nil {
		return "", err
	}
	return p.ask([]string{"records", "show", "R-0001"})
}

// counted is by how much the program's tokens differ from those of the vocabulary.
var counted = regexp.MustCompile(`"counted": "[^"]*× ([\d.]+)`)

func (p program) ask(args []string) (string, error) {
	out, err := p.run(append(args, "--json"))
	if err != nil {
		return "", err
	}
	var answer struct{ Summary, Decision, Reason string }
	if err := json.Unmarshal(out, &answer); err != nil {
		return "", err
	}
	if answer.Summary == "" {
		return "", fmt.Errorf("%v: no summary (%s, %s)", args, answer.Decision, answer.Reason)
	}
	return answer.Summary, nil
}

func (p program) run(args []string) ([]byte, error) {
	cmd := exec.Command(p.path, args...)
	cmd.Env = append(os.Environ(), "PALIMPSEST_DB="+filepath.Join(p.scratch, "judge.db"))
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", p.path, strings.Join(args, " "), err, complaint.String())
	}
	return out, nil
}

// count counts by one public vocabulary, the same for all texts.
func count(text string) int { return tokens.Count(tokens.O200k, text) }
