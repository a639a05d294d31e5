package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"

	"gopkg.in/yaml.v3"
)

// CompactBench (github.com/compactbench/compactbench) asks a model, after each of three
// compactions of a talk, for what the talk forbade, decided and named. Its templates and
// lists of words are public. Here no model is asked: what would have to be answered must
// stand in the text that takes the place of the talk, or it cannot be answered.

const (
	talkCycles = 3
	talkSeeds  = 3
	distractor = 16 // turns beside the matter, as at its level "hard"
)

type template struct {
	Template struct {
		Key        string
		Variables  []struct{ Name, Generator string }
		Transcript struct {
			Turns []struct{ Role, Template string }
		}
		GroundTruth struct {
			Facts     []string          `yaml:"immutable_facts"`
			Decisions []string          `yaml:"locked_decisions"`
			Forbidden []string          `yaml:"forbidden_behaviors"`
			Entities  map[string]string `yaml:"entity_map"`
		} `yaml:"ground_truth"`
	}
}

type turn struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// lists reads the lists of words from the benchmark's own source, by their names.
func lists(path string) (map[string][]string, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for _, m := range regexp.MustCompile(`(?s)\n_([A-Z_]+): tuple\[str, \.\.\.\] = \(\n(.*?)\n\)`).FindAllStringSubmatch(string(source),
		-1) {
		for _, w := range regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`).FindAllStringSubmatch(m[2], -1) {
			out[m[1]] = append(out[m[1]], w[1])
		}
	}
	return out, nil
}

var listOf = map[string]string{"person_name": "FIRST_NAMES", "action_phrase": "ACTION_PHRASES", "project_noun": "PROJECT_NOUNS",
	"org_name": "ORG_NAMES"}

// talk fills a template in: the turns, and what must stand, by what it is.
func (t *template) talk(words map[string][]string, r *rand.Rand) ([]turn, map[string][]string) {
	values := map[string]string{}
	for _, v := range t.Template.Variables {
		switch of := words[listOf[v.Generator]]; {
		case of != nil:
			values[v.Name] = of[r.Intn(len(of))]
		case v.Generator == "amount_usd":
			values[v.Name] = fmt.Sprintf("$%d,%03d", 1+r.Intn(99), r.Intn(1000))
		case v.Generator == "date_iso":
			values[v.Name] = fmt.Sprintf("%d-%02d-%02d", 2024+r.Intn(3), 1+r.Intn(12), 1+r.Intn(28))
		default:
			values[v.Name] = fmt.Sprintf("SKU-AB%d", 100+r.Intn(9900))
		}
	}
	fill := func(s string) string {
		return regexp.MustCompile(`\{\{\s*([\w.]+)\s*\}\}`).ReplaceAllStringFunc(s, func(m string) string {
			return values[strings.Trim(m,
				"{} ")]
		})
	}
	var turns []turn
	for _, n := range t.Template.Transcript.Turns {
		if n.Role == "distractor_block" {
			turns = append(turns, beside(words, r, distractor)...)
			continue
		}
		turns = append(turns, turn{n.Role, fill(n.Template)})
	}
	g, must := t.Template.GroundTruth, map[string][]string{}
	for _, s := range g.Forbidden {
		must["forbidden acts"] = append(must["forbidden acts"], fill(s))
	}
	for kind, list := range map[string][]string{"decisions": g.Decisions, "facts": g.Facts} {
		for _, s := range list {
			s = fill(s)
			if _, value, found := strings.Cut(s, ": "); found {
				s = value
			}
			must[kind] = append(must[kind], s)
		}
	}
	for name := range g.Entities {
		must["entities"] = append(must["entities"], fill(name))
	}
	return turns, must
}

// beside is turns that have nothing to do with the matter.
func beside(words map[string][]string, r *rand.Rand, n int) (out []turn) {
	for i := range n {
		role, of := "user", words["USER_DISTRACTORS"]
		if i%2 == 1 {
			role, of = "assistant", words["ASSISTANT_DISTRACTORS"]
		}
		out = append(out, turn{role, of[r.Intn(len(of))]})
	}
	return out
}

// cycles compacts each talk three times to a share of its length, each time with a few more
// turns, and prints what still stands.
func cycles(bench string, of float64, p program) error {
	files, _ := filepath.Glob(filepath.Join(bench, "benchmarks", "public", "*", "*.yaml"))
	if len(files) == 0 {
		return fmt.Errorf("%s holds no templates of CompactBench", bench)
	}
	words, err := lists(filepath.Join(bench, "src", "compactbench", "dsl", "generators.py"))
	if err != nil {
		return err
	}
	more, err := lists(filepath.Join(bench, "src", "compactbench", "engine", "distractors.py"))
	if err != nil {
		return err
	}
	for name, of := range more {
		words[name] = of
	}
	var held [talkCycles]map[string]*share
	for i := range held {
		held[i] = map[string]*share{}
	}
	var lost []string
	unsaid := map[string]int{} // what not even the talk holds word for word
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		var t template
		if err := yaml.Unmarshal(data, &t); err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
		for seed := range talkSeeds {
			r := rand.New(rand.NewSource(int64(seed)))
			turns, must := t.talk(words, r)
			budget := int(of * float64(count(allOf(turns))))
			for kind, all := range must {
				must[kind] = slices.DeleteFunc(all, func(s string) bool { return !holds(allOf(turns), s) })
				unsaid[kind] += len(all) - len(must[kind])
			}
			for cycle := range talkCycles {
				if cycle > 0 {
					turns = append(turns, beside(words, r, 4)...)
				}
				turns, err = p.compacted(turns, budget)
				if err != nil {
					return fmt.Errorf("%s: %w", t.Template.Key, err)
				}
				text := allOf(turns)
				for kind, all := range must {
					for _, s := range all {
						if held[cycle][kind] == nil {
							held[cycle][kind] = &share{}
						}
						stands := holds(text, s)
						held[cycle][kind].add(stands)
						if !stands {
							lost = append(lost, fmt.Sprintf("%s %d, cycle %d, %s: %s", t.Template.Key, seed, cycle+1, kind, s))
						}
					}
				}
			}
		}
	}
	fmt.Printf("%s, at most %.0f %% of the talk\n\n| cycle | forbidden acts | decisions | facts | entities |\n|---|---|---|---|---|\n",
		p.strategy, 100*of)
	for i, h := range held {
		fmt.Printf("| %d | %v | %v | %v | %v |\n", i+1, h["forbidden acts"], h["decisions"], h["facts"], h["entities"])
	}
	fmt.Printf("\nNot counted, for not even the talk holds them word for word: %v\n", unsaid)
	sort.Strings(lost)
	fmt.Println("\n" + strings.Join(lost, "\n"))
	return nil
}

// holds reports whether a text holds some words, articles aside.
func holds(text, words string) bool {
	plain := func(s string) string {
		return " " + strings.Join(slices.DeleteFunc(strings.Fields(plainWords(s)), func(w string) bool {
			return w == "the" || w == "a" || w == "an"
		}), " ") + " "
	}
	return strings.Contains(plain(text), plain(words))
}

func allOf(turns []turn) string {
	var b strings.Builder
	for _, t := range turns {
		b.WriteString(t.Content + "\n")
	}
	return b.String()
}

// compacted is a talk after the program has compacted all but its last message.
func (p program) compacted(turns []turn, budget int) (out []turn, err error) {
	folder, err := os.MkdirTemp(p.scratch, "talk")
	if err != nil {
		return nil, err
	}
	p.scratch = folder
	before, after := filepath.Join(folder, "before.json"), filepath.Join(folder, "after.json")
	data, err := json.Marshal(turns)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(before, data, 0o600); err != nil {
		return nil, err
	}
	if _, err := p.run([]string{"compact", before, "-o", after, "--tail", "1msgs", "--no-keep-first-user",
		"--strategy", p.strategy, "--summary-budget", fmt.Sprint(budget) + "tok"}); err != nil {
		if strings.Contains(err.Error(), "Refused: ") { // the summary would be no smaller: all stays
			return turns, nil
		}
		return nil, err
	}
	data, err = os.ReadFile(after)
	if err != nil {
		return nil, err
	}
	return out, json.Unmarshal(data, &out)
}
