package cli

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/store"
)

// The schema is documented: every field of every JSON value is named in
// docs/json.md, under the heading of its verb.
func TestSchemaIsDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{}
	for _, s := range strings.Split(string(text), "\n## ")[1:] {
		head, body, _ := strings.Cut(s, "\n")
		sections[head] = body
	}
	type kept struct {
		E recordsExported
		I store.Imported
		D recordsDeleted
		C store.Check
		R store.Repaired
	}
	for head, v := range map[string]any{
		"records export, import, delete, check, repair": kept{},
		"replay --recorded":                             recordedFile{},
		"probe":                                         probed{},
		"repair":                                        mended{}, "inspect": inspection{}, "preview": preview{}, "replay": replayed{}, "sweep": swept{}, "compact": compacted{}, "records": recordInfo{}, "records show": recordDetail{},
		"restore and export": given{}, "presets": presetInfo{}, "maps": store.FieldMap{}, "conversations": conversationInfo{}, "live": liveInfo{}, "doctor": diagnosis{}, "formats": formatInfo{}, "find": foundMessage{}, "use": toolUse{},
	} {
		body, ok := sections[head]
		if !ok {
			t.Errorf("there is no section %q", head)
		}
		if head == "records show" { // has the fields of a list's entry, too
			body += sections["records"]
		}
		for _, f := range fields(reflect.TypeOf(v), map[reflect.Type]bool{}) {
			if !strings.Contains(body, "`"+f+"`") && !strings.Contains(sections["Shared values"], "`"+f+"`") {
				t.Errorf("%s: the field %s is not documented", head, f)
			}
		}
	}
}

// The documented names of strategies, units and what becomes of earlier summaries are those
// that a policy takes.
func TestPolicyIsDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `strategy` \\| (.*?)(?:; also read: (.*))? \\|$").FindStringSubmatch(string(text))
	if row == nil {
		t.Fatal("no row of strategies")
	}
	var documented, others []model.Strategy
	for i, list := range []*[]model.Strategy{&documented, &others} {
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[i+1], -1) {
			var s model.Strategy
			if err := s.UnmarshalText([]byte(m[1])); err != nil {
				t.Fatal(err)
			}
			if *list = append(*list, s); i == 0 && string(s) != m[1] || i == 1 && string(s) == m[1] {
				t.Errorf("`%s` is read as %s", m[1], s)
			}
		}
	}
	if !slices.Equal(documented, model.Strategies()) {
		t.Errorf("documented are %v, there are %v", documented, model.Strategies())
	}
	for _, s := range others {
		if !slices.Contains(model.Strategies(), s) {
			t.Errorf("%s is no strategy", s)
		}
	}
}

// fields lists the JSON names of a type and of what it holds.
func fields(t reflect.Type, seen map[reflect.Type]bool) (names []string) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return fields(t.Elem(), seen)
	case reflect.Struct:
	default:
		return nil
	}
	if seen[t] || t.PkgPath() == "time" {
		return nil
	}
	seen[t] = true
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() && !f.Anonymous || f.Tag.Get("json") == "-" {
			continue
		}
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			names = append(names, name)
		}
		names = append(names, fields(f.Type, seen)...)
	}
	return names
}

// What scripts rely on is there, of the type it is said to be, whatever the
// outcome.
func TestSchema(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 12)
	size := map[string]string{"messages": "number", "tokens": "number"}
	check(b.run("inspect", f, "--json").ends(exitDone), map[string]string{"format": "string", "why": "string", "conversations": "number",
		"threads": "number", "items": "number", "messages": "number", "tool_calls": "number", "tool_results": "number", "agents": "number",
		"damaged": "array", "found_compactions": "number", "bytes": "number", "sha256": "string", "tokens.count": "number", "tokens.method": "string"})
	check(b.run("inspect", filepath.Join("..", "assets", "samples", "damaged.jsonl"), "--json").ends(exitDone),
		map[string]string{"damaged.0.line": "number", "damaged.0.reason": "string"})
	want := map[string]string{"runs.0.from": "number", "runs.0.to": "number", "runs.0.fate": "string", "runs.0.reason": "string",
		"runs.0.tokens": "number", "decision": "string", "warnings": "array", "summary": "string"}
	for k, v := range size {
		want["before."+k], want["after."+k] = v, v
	}
	check(b.run("preview", f, "--window", "4", "--json").ends(exitDone), want)
	check(b.run("preview", f, "--window", "400", "--json").ends(exitFailed), want)

	want = map[string]string{"totals.calls": "number", "totals.input": "number", "saved": "number", "calls.0.message": "number", "calls.0.tokens": "number",
		"calls.0.recorded": "null", "calls.0.state": "string", "calls.0.reason": "string", "firings": "array", "found": "array", "warnings": "array",
		"policy.strategy": "string", "method": "string"}
	check(b.run("replay", f, "--json").ends(exitDone), want)
	for k, v := range size {
		want["firings.0.before."+k], want["firings.0.after."+k] = v, v
	}
	for _, k := range []string{"call", "message", "from", "to", "passes", "cleared", "summary_tokens", "resent"} {
		want["firings.0."+k] = "number"
	}
	check(b.run("replay", f, "--trigger", "8msgs", "--window", "4", "--json").ends(exitDone), want)
	needed := filepath.Join("..", "assets", "samples", "long-coding-run.jsonl") // in which something is needed again
	check(b.run("sweep", needed, "--x", "trigger=40,80", "--y", "tail=2,20msgs", "--metric", "survives", "--json").ends(exitDone), map[string]string{"files.0": "string", "grid.x.param": "string",
		"grid.x.values.0": "number", "grid.cells.0.done": "boolean", "grid.cells.0.impossible": "boolean", "grid.cells.0.results.0.input": "number",
		"grid.complete": "boolean", "values.0.0": "number", "front.0.x": "number", "front.0.metric_value": "number"})

	want = map[string]string{"record": "string", "outcome": "string", "reason": "string", "output": "string"}
	for k, v := range size {
		want["before."+k], want["after."+k] = v, v
	}
	check(b.run("compact", f, "--window", "4", "--json", "-o", b.path("out")).ends(exitDone), want)
	want["output"] = "null"
	check(b.run("compact", f, "--window", "400", "--json").ends(exitFailed), want)
	check(b.run("compact", b.path("none"), "--json").ends(exitFailed), map[string]string{"record": "null", "outcome": "string",
		"reason": "string", "before": "null", "after": "null", "output": "null"})
	records := map[string]string{}
	for k, v := range map[string]string{"id": "string", "time": "string", "session": "string", "outcome": "string",
		"before.messages": "number", "before.tokens": "number", "after.messages": "number", "after.tokens": "number"} {
		records["0."+k] = v
	}
	check(b.run("records", "--json").ends(exitDone), records)
}

func check(r *result, want map[string]string) {
	r.Helper()
	v := value[any](r)
	for path, kind := range want {
		if got := kindOf(at(v, strings.Split(path, "."))); got != kind {
			r.Errorf("%q: %s is %s, not %s", r.args, path, got, kind)
		}
	}
}

type absent struct{}

// at walks into a JSON value by names and indices.
func at(v any, path []string) any {
	for _, p := range path {
		switch x := v.(type) {
		case map[string]any:
			inner, ok := x[p]
			if !ok {
				return absent{}
			}
			v = inner
		case []any:
			if p != "0" || len(x) == 0 {
				return absent{}
			}
			v = x[0]
		default:
			return absent{}
		}
	}
	return v
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case float64:
		return "number"
	case bool:
		return "boolean"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "absent"
}
