package transcript

import (
	"os"
	"path/filepath"
	"testing"

	"palimpsest/model"
)

// The histories that the program ships open as what they were made as, and can
// be compacted.
func TestShippedSamples(t *testing.T) {
	for file, format := range map[string]model.Format{
		"tool-heavy-build.json": model.FormatOpenAI, "mixed-languages.json": model.FormatAnthropic, "lab-notebook.jsonl": model.FormatSteps,
		"long-coding-run.jsonl": model.FormatClaudeCode, "crew-of-four.jsonl": model.FormatClaudeCode, "damaged.jsonl": model.FormatClaudeCode,
	} {
		t.Run(file, func(t *testing.T) {
			path := filepath.Join(projectRoot(t), "assets", "samples", file)
			if _, err := os.Stat(path); err != nil {
				t.Skip("the samples are generated later than this package")
			}
			d := openSample(t, path)
			if d.Format != format {
				t.Fatalf("opened as %s: %s", d.Format, d.Why)
			}
			checkDocument(t, d)
			checkRewrites(t, d, 4)
			t.Log(count(d))
		})
	}
}
