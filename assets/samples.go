package assets

import _ "embed"

//go:generate go run ../internal/samplegen -out samples

// The histories that the program brings along. All of them are invented for it;
// internal/samplegen writes them. They are variables of their own and no
// embed.FS, for that would copy what is read of it.
var (
	//go:embed samples/long-coding-run.jsonl
	longCodingRun []byte
	//go:embed samples/tool-heavy-build.json
	toolHeavyBuild []byte
	//go:embed samples/mixed-languages.json
	mixedLanguages []byte
	//go:embed samples/lab-notebook.jsonl
	labNotebook []byte
	//go:embed samples/crew-of-four.jsonl
	crewOfFour []byte
	//go:embed samples/damaged.jsonl
	damaged []byte
)

// A Sample is one history that the program brings along.
type Sample struct {
	ID    string // begins with "sample-", so that exactly the samples can be removed
	File  string // name below assets/samples
	Title string // key of its title in the translations
	bytes []byte
}

// Samples lists the samples in the order in which they are shown. The first is
// the one to open at the first start.
var Samples = []Sample{
	{"sample-long-coding-run", "long-coding-run.jsonl", "samples.long-coding-run", longCodingRun},
	{"sample-tool-heavy-build", "tool-heavy-build.json", "samples.tool-heavy-build", toolHeavyBuild},
	{"sample-mixed-languages", "mixed-languages.json", "samples.mixed-languages", mixedLanguages},
	{"sample-lab-notebook", "lab-notebook.jsonl", "samples.lab-notebook", labNotebook},
	{"sample-crew-of-four", "crew-of-four.jsonl", "samples.crew-of-four", crewOfFour},
	{"sample-damaged", "damaged.jsonl", "samples.damaged", damaged},
}

// Bytes is the whole sample. It is part of the program and must not be changed.
func (s Sample) Bytes() []byte { return s.bytes }
