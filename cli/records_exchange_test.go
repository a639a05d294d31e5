package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"palimpsest/model/store"
)

// Records leave one database and come back in another, with their originals.
func TestRecordsExchange(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 12)
	b.run("compact", f, "--window", "10", "-o", b.path("out")).ends(exitDone)
	b.run("compact", b.path("out"), "--window", "4", "-o", b.path("out2")).ends(exitDone)
	got := value[recordsExported](b.run("records", "export", "2", "-o", b.path("r.json"), "--json").ends(exitDone))
	if got.Records != 2 || got.Bytes == 0 { // the second was made on the first
		t.Errorf("%+v", got)
	}
	b.run("records", "export", "-o", b.path("r.json")).ends(exitFailed, "exists already")
	b.run("records", "export", "9", "-o", b.path("none")).ends(exitFailed, `"9"`)
	b.missing(b.path("none"))
	other := newBench(t)
	in := value[store.Imported](other.run("records", "import", b.path("r.json"), "--json").ends(exitDone))
	if in.Records != 2 || strings.Join(in.IDs, " ") != "R-0001 R-0002" {
		t.Errorf("%+v", in)
	}
	other.run("records", "import", b.path("r.json")).ends(exitDone).says("0 records imported, 2 known already")
	other.run("restore", "R-0001", "-o", other.path("back")).ends(exitDone).says("verified")
	back, _ := os.ReadFile(other.path("back"))
	if want, err := os.ReadFile(f); err != nil || string(back) != string(want) {
		t.Error("other originals came back", err)
	}
	other.run("records", "import", f).ends(exitFailed, "no export of records")
	other.run("records", "import", other.path("nowhere")).ends(exitFailed, "can't be read")
}

func TestRecordsKeep(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 12)
	b.run("records", "check").ends(exitFailed, "no database")
	b.run("compact", f, "--window", "4", "-o", b.path("out")).ends(exitDone)
	if got := value[store.Check](b.run("records", "check", "--json").ends(exitDone)); got.Records != 1 || got.Sources != 1 || len(got.Found) != 0 {
		t.Errorf("%+v", got)
	}
	would := value[recordsDeleted](b.run("records", "delete", "1", "--json").ends(exitDone))
	b.run("records").ends(exitDone).says("R-0001")
	did := value[recordsDeleted](b.run("records", "delete", "1", "--yes", "--json").ends(exitDone))
	if would.Freed != did.Freed || did.Freed == 0 || would.Deleted || !did.Deleted {
		t.Errorf("%+v, %+v", would, did)
	}
	b.run("records").ends(exitDone).says("There are no records.")
	b.run("records", "delete", "1").ends(exitFailed, `"1"`)

	b.run("compact", f, "--window", "4", "-o", b.path("out2")).ends(exitDone)
	file, err := os.ReadFile(b.db)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(b.db, file[:len(file)-9000], 0o600); err != nil {
		t.Fatal(err)
	}
	b.run("records").ends(exitDone, "damaged", "records repair")
	b.run("compact", f, "--window", "4").ends(exitFailed, b.db+" is damaged. Parts of it can't be read. Save what can be with palimpsest records repair")
	fixed := value[store.Repaired](b.run("records", "repair", "--json").ends(exitDone))
	if aside, err := os.ReadFile(fixed.Aside); err != nil || len(aside) != len(file)-9000 || fixed.Rows == 0 {
		t.Errorf("%+v, %v", fixed, err)
	}
	b.run("records").ends(exitDone)
}

// A record that claims other messages than its originals hold is not brought in, and is
// found where it came in another way.
func TestForgedRecordsAreNotBelieved(t *testing.T) {
	b := newBench(t)
	b.run("compact", b.chat("a.json", 12), "--window", "10", "-o", b.path("out")).ends(exitDone)
	b.run("records", "export", "-o", b.path("r.json")).ends(exitDone)
	good, err := os.ReadFile(b.path("r.json"))
	must(t, err)
	for name, forge := range map[string]func(rec map[string]any){
		"another hash":      func(rec map[string]any) { rec["rangeSha256"] = strings.Repeat("1", 64) },
		"a message too far": func(rec map[string]any) { rec["live"] = []any{map[string]any{"msg": 9999999}} },
		"another live list": func(rec map[string]any) { rec["live"] = rec["live"].([]any)[1:] },
		"a summary of none": func(rec map[string]any) { rec["live"] = []any{map[string]any{"msg": -1, "record": "no-such"}} },
	} {
		t.Run(name, func(t *testing.T) {
			var doc struct { // in this order
				Kind    string           `json:"kind"`
				Version int              `json:"version"`
				Entries []map[string]any `json:"entries"`
			}
			must(t, json.Unmarshal(good, &doc))
			forge(doc.Entries[0]["record"].(map[string]any))
			text, err := json.Marshal(doc)
			must(t, err)
			other := newBench(t)
			must(t, os.WriteFile(other.path("forged.json"), text, 0o600))
			other.run("records", "import", other.path("forged.json")).ends(exitFailed, "R-0001 took other messages than it says", "in the trash")
			equal(t, "[]", strings.TrimSpace(other.run("records", "--json").ends(exitDone).out))

			st, err := store.Open(other.path("other.db"))
			must(t, err)
			_, err = st.Import(t.Context(), bytes.NewReader(text))
			must(t, err)
			must(t, st.Close())
			other.run("records", "check", "--db", other.path("other.db")).ends(exitFailed, "can't be believed").says("R-0001 took other messages")
		})
	}
	// One whose originals can't be looked at is taken out again, too.
	other := newBench(t)
	text := strings.Replace(string(good), `"conversation":0`, `"conversation":7`, 1)
	must(t, os.WriteFile(other.path("forged.json"), []byte(text), 0o600))
	other.run("records", "import", other.path("forged.json")).ends(exitFailed, "was not found in its input file")
	equal(t, "[]", strings.TrimSpace(other.run("records", "--json").ends(exitDone).out))
	b.run("records", "check").ends(exitDone).says("0 faults")
}
