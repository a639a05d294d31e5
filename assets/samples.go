package assets

import "embed"

//go:generate go run ../internal/samplegen -out samples

// samples holds the histories that the program brings along. All of them are
// invented for it; internal/samplegen writes them.
//
//go:embed samples
var samples embed.FS

// A Sample is one history that the program brings along.
type Sample struct {
	ID    string // begins with "sample-", so that exactly the samples can be removed
	File  string // name below assets/samples
	Title string // key of its title in the translations
}

// Samples lists the samples in the order in which they are shown. The first is
// the one to open at the first start.
var Samples = []Sample{
	{"sample-long-coding-run", "long-coding-run.jsonl", "samples.long-coding-run"},
	{"sample-tool-heavy-build", "tool-heavy-build.json", "samples.tool-heavy-build"},
	{"sample-mixed-languages", "mixed-languages.json", "samples.mixed-languages"},
	{"sample-lab-notebook", "lab-notebook.jsonl", "samples.lab-notebook"},
	{"sample-crew-of-four", "crew-of-four.jsonl", "samples.crew-of-four"},
	{"sample-damaged", "damaged.jsonl", "samples.damaged"},
}

// Bytes is the whole sample. The slice is the caller's own.
func (s Sample) Bytes() ([]byte, error) { return samples.ReadFile("samples/" + s.File) }
