package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
	return p.ask(append(policy("preview", session, budget, p.strategy), "--quiet")...)
}

func policy(verb, session string, budget int, strategy string) []string {
	return []string{verb, session, "--tail", fmt.Sprint(keptMessages) + "msgs", "--no-keep-first-user",
		"--strategy", strategy, "--summary-budget", fmt.Sprint(budget) + "tok"}
}

func (p program) ask(args ...string) (string, error) {
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
