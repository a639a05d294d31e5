package session

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// sighting is what real files of a format showed.
type sighting struct {
	files                              int
	followed, usage, agents, compacted bool
	versions                           []string
}

var toolVersion = regexp.MustCompile(`^\d+\.\d+\.\d+`)

// versionsIn collects the versions of the tool that records name, which are none of what
// their messages say.
func (s *sighting) versionsIn(v any, depth int) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			s.versionsIn(e, depth)
		}
	case map[string]any:
		for _, key := range []string{"version", "cli_version", "cliVersion", "copilotVersion", "claude_code_version"} {
			text, _ := v[key].(string)
			if n := toolVersion.FindString(text); n != "" {
				if !slices.Contains(s.versions, n) {
					s.versions = append(s.versions, n)
				}
				return
			}
		}
		for _, key := range []string{"content", "data", "info", "payload"} {
			if depth > 0 {
				s.versionsIn(v[key], depth-1)
			}
		}
	}
}

// take looks at a document.
func (s *sighting) take(d *model.Document) {
	s.files++
	if _, err := transcript.Follow(d); err == nil {
		s.followed = true
	}
	for _, c := range d.Conversations {
		s.agents = s.agents || len(c.Agents) > 1
		for _, th := range c.Threads {
			for i := range th.Messages {
				m := &th.Messages[i]
				s.usage = s.usage || m.Usage != nil
				s.compacted = s.compacted || m.Kind == model.KindSummary
			}
		}
	}
	j := json.NewDecoder(io.NewSectionReader(d.Source, 0, d.Size))
	for range 50 {
		var v any
		if j.Decode(&v) != nil {
			break
		}
		s.versionsIn(v, 3)
	}
}

// TestFormatColumns writes what is known of each format beside the others, and holds
// docs/formats.md against it: what it says of real files was seen in some, and what the
// files here show is in it. With -files and -update those files count, too.
func TestFormatColumns(t *testing.T) {
	if testing.Short() {
		t.Skip("many real files, one after the other")
	}
	seen := map[model.Format]*sighting{}
	look := func(path string) {
		d, err := transcript.Open(context.Background(), path, transcript.Options{})
		if err != nil || d.Unconfirmed {
			return
		}
		if seen[d.Format] == nil {
			seen[d.Format] = &sighting{}
		}
		seen[d.Format].take(d)
		NewFile(d, Options{}).Close()
	}
	for _, l := range manifest(t) {
		look(l.path)
	}
	for _, root := range []string{filepath.Join(realdata.Root(t), "..", "shared", "data", "formats2"), *moreFiles} {
		if root == "" {
			continue
		}
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				look(path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(realdata.Root(t), filepath.FromSlash(docsFile))
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, here := realdata.Look(t); !here {
		if seen[model.FormatClaudeCode] == nil || seen[model.FormatCodex] == nil || len(seen) < 10 {
			t.Errorf("only %d formats are among the made files", len(seen))
		}
		return // the document tells of the real ones
	}
	const begin, end = "<!-- columns: written by a test -->\n", "<!-- end of columns -->\n"
	head, rest, ok := strings.Cut(string(b), begin)
	old, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the columns", docsFile)
	}
	want := head + begin + columns(seen, known(old)) + end + tail
	if want == string(b) {
		return
	}
	if !*update {
		t.Fatalf("%s is no longer what is found; go test ./compaction/session -run TestFormatColumns -update", docsFile)
	}
	if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// known is what the document says that was seen.
func known(written string) map[string]sighting {
	out := map[string]sighting{}
	for _, m := range regexp.MustCompile("(`[^`]+`) \\((\\d+)\\)").FindAllStringSubmatch(written, -1) {
		files, _ := strconv.Atoi(m[2])
		out[m[1]] = sighting{files: files, followed: true}
	}
	for line := range strings.Lines(written) {
		cells := strings.Split(line, "|")
		if len(cells) < 6 {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		files, _ := strconv.Atoi(cells[4])
		marks, versions, _ := strings.Cut(cells[2], "version ")
		has := func(word string) bool { return strings.Contains(marks, word) }
		s := sighting{files: files, followed: !has("not followed"), usage: has("usage"), agents: has("agents"), compacted: has("compactions")}
		if versions != "" {
			s.versions = strings.Split(versions, " to ")
		}
		out[cells[1]] = s
	}
	return out
}

// columns are a table of the formats of which there is something to say, and the others after it.
func columns(seen map[model.Format]*sighting, old map[string]sighting) string {
	var b strings.Builder
	var others []string
	b.WriteString("\n| Format | Seen in its files | Where they lie | Real files |\n|---|---|---|---|\n")
	for _, info := range transcript.Formats() {
		name := "`" + string(info.Format) + "`"
		s := old[name]
		if is := seen[info.Format]; is != nil {
			if s.files == 0 {
				s.followed = is.followed
			}
			s = sighting{max(s.files, is.files), s.followed || is.followed, s.usage || is.usage, s.agents || is.agents, s.compacted || is.compacted,
				append(slices.Clone(s.versions), is.versions...)}
		}
		if s.files == 0 && len(info.Places) == 0 {
			continue
		}
		var marks []string
		for _, mark := range []struct {
			is   bool
			word string
		}{{s.usage, "usage"}, {s.agents, "agents"}, {s.compacted, "compactions"}, {s.files > 0 && !s.followed, "not followed"},
			{len(s.versions) > 0, "version " + extremes(s.versions)}} {
			if mark.is {
				marks = append(marks, mark.word)
			}
		}
		if len(marks) == 0 && len(info.Places) == 0 {
			others = append(others, fmt.Sprintf("%s (%d)", name, s.files))
			continue
		}
		places, files := "", ""
		if len(info.Places) > 0 {
			places = "`" + strings.Join(info.Places, "`, `") + "`"
		}
		if s.files > 0 {
			files = fmt.Sprint(s.files)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", name, strings.Join(marks, ", "), places, files)
	}
	return b.String() + "\nNothing of this was seen in the real files of " + strings.Join(others, ", ") + ".\n\n"
}

// extremes are the least and the greatest of some versions.
func extremes(list []string) string {
	if len(list) == 0 {
		return ""
	}
	number := func(v string) (out [3]int) {
		for i, s := range strings.SplitN(v, ".", 3) {
			out[i], _ = strconv.Atoi(s)
		}
		return out
	}
	slices.SortFunc(list, func(a, b string) int {
		x, y := number(a), number(b)
		return slices.Compare(x[:], y[:])
	})
	if first, last := list[0], list[len(list)-1]; first != last {
		return first + " to " + last
	}
	return list[0]
}
