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
// It panics on a fault of the embedded data.
func generate() []sample {
	return []sample{
		{"long-coding-run.jsonl", longRun()},
		{"tool-heavy-build.json", toolHeavy()},
		{"mixed-languages.json", mixedLanguages()},
		{"lab-notebook.jsonl", labNotebook()},
		{"crew-of-four.jsonl", crewOfFour()},
		{"damaged.jsonl", damaged()},
	}
}

func main() {
	dir := flag.String("out", "assets/samples", "folder to write to")
	flag.Parse()
	for _, s := range generate() {
		if err := os.WriteFile(filepath.Join(*dir, s.name), s.data, 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "samplegen:", err)
			os.Exit(1)
		}
	}
}
