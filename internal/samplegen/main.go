// Command samplegen writes the sample histories that the program ships.
//
// Everything in them is invented: the projects, the tools, the people, the
// numbers. The same seed gives the same bytes on every machine and with every
// version of Go, because the random numbers are the package's own; a test
// compares what it makes with the committed files.
//
//	go run ./internal/samplegen -out assets/samples
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// A sample is one generated file.
type sample struct {
	name string
	data []byte
}

// generate makes all samples, in the order in which they are listed to people.
func generate() ([]sample, error) {
	makers := []struct {
		name string
		make func() ([]byte, error)
	}{
		{"long-coding-run.jsonl", longRun},
		{"tool-heavy-build.json", toolHeavy},
		{"mixed-languages.json", mixedLanguages},
		{"lab-notebook.jsonl", labNotebook},
		{"crew-of-four.jsonl", crewOfFour},
		{"damaged.jsonl", damaged},
	}
	var out []sample
	for _, m := range makers {
		data, err := m.make()
		if err != nil {
			return nil, fmt.Errorf("sample %s: %w", m.name, err)
		}
		out = append(out, sample{m.name, data})
	}
	return out, nil
}

func main() {
	dir := flag.String("out", "assets/samples", "folder to write to")
	flag.Parse()
	samples, err := generate()
	for _, s := range samples {
		if err == nil {
			err = os.WriteFile(filepath.Join(*dir, s.name), s.data, 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "samplegen:", err)
		os.Exit(1)
	}
}
