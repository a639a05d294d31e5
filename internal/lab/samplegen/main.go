// Command samplegen writes the sample histories that the program ships.
//
// Everything in them is invented: the projects, the tools, the people, the
// numbers. The same seed gives the same bytes on every machine and with every
// version of Go, because the random numbers are the package's own; a test
// compares what it makes with the committed files.
//
//	scripts/lab.sh samplegen -out assets/samples
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
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
		if err := s.write(*dir); err != nil {
			fmt.Fprintln(os.Stderr, "samplegen:", err)
			os.Exit(1)
		}
	}
}

// write writes a sample, and beside it what is put into the program.
func (s sample) write(dir string) error {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	path := filepath.Join(dir, s.name)
	return errors.Join(os.WriteFile(path, s.data, 0o644), os.WriteFile(path+".zst", w.EncodeAll(s.data, nil), 0o644), w.Close())
}
