package assets

import (
	"embed"
	"sync"
)

//go:generate ../scripts/lab.sh samplegen -out assets/samples

// The histories that the program brings along. All of them are invented for it;
// internal/lab/samplegen writes them, and beside each what is in the program: the same with
// less than a fifth of the bytes.
//
//go:embed samples/*.zst
var packed embed.FS

// A Sample is one history that the program brings along.
type Sample struct {
	ID    string // begins with "sample-", so that exactly the samples can be removed
	File  string // name below assets/samples
	Title string // key of its title in the translations
	bytes func() []byte
}

// Samples lists the samples in the order in which they are shown. The first is
// the one to open at the first start.
var Samples = []Sample{
	sample("long-coding-run", "jsonl"),
	sample("tool-heavy-build", "json"),
	sample("mixed-languages", "json"),
	sample("lab-notebook", "jsonl"),
	sample("crew-of-four", "jsonl"),
	sample("damaged", "jsonl"),
}

func sample(name, ending string) Sample {
	file := name + "." + ending
	return Sample{"sample-" + name, file, "samples." + name, sync.OnceValue(func() []byte {
		b, err := packed.ReadFile("samples/" + file + ".zst")
		if err != nil {
			panic(err)
		}
		return unpack(b)
	})}
}

// Bytes is the whole sample. It is part of the program and must not be changed.
func (s Sample) Bytes() []byte { return s.bytes() }
