package live

import (
	"bytes"
	"context"
	"database/sql"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/model/store"
)

// Calls pass while another program has the database locked, uncompacted; what they did is
// noted when it lets go of it. That nothing is compacted meanwhile is said once.
func TestALockedDatabaseHoldsNoCall(t *testing.T) {
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":"m","role":"assistant","model":"x","content":[{"type":"text","text":"Hello"}],"usage":{"input_tokens":9}}`)
	}))
	defer up.Close()
	u, err := url.Parse(up.URL)
	must(err)
	dir := t.TempDir()
	st, err := store.Open(filepath.Join(dir, "a.db"))
	must(err)
	defer st.Close()
	var said bytes.Buffer
	log := slog.New(slog.NewTextHandler(&said, nil))
	r := &Recorder{Dir: dir, Now: time.Now, Store: st}
	c := &Compactor{Mode: LedgerMode, Policy: LedgerMode.Policy(smallPolicy()), Store: st, Open: openSource,
		Dir: filepath.Join(dir, "requests"), Now: time.Now, Log: log}
	g := httptest.NewServer(NewGateway(u, r, c, nil, log))
	defer g.Close()

	other, err := sql.Open("sqlite3", filepath.Join(dir, "a.db"))
	must(err)
	defer other.Close()
	conn, err := other.Conn(t.Context())
	must(err)
	_, err = conn.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	must(err)
	messages := `{"role":"user","content":"Hi"}`
	for range 4 {
		resp, err := http.Post(g.URL+"/v1/messages", "application/json", strings.NewReader(`{"model":"x","tools":[{"name":"x"}],"messages":[`+messages+`]}`))
		must(err)
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		messages += `,{"role":"assistant","content":[{"type":"text","text":"Hello"}]},{"role":"user","content":"` + strings.Repeat("more of it ", 3000) + `"}`
	}
	if !r.Behind() {
		t.Error("the database was not locked")
	}
	_, err = conn.ExecContext(t.Context(), "ROLLBACK")
	must(err)
	r.Flush()
	list, err := st.Live(context.Background(), time.Time{})
	must(err)
	if len(list) != 1 || list[0].Calls != 4 {
		t.Errorf("noted: %+v", list)
	}
	if files, _ := os.ReadDir(c.Dir); strings.Count(said.String(), "locked") != 1 || len(files) > 0 {
		t.Errorf("it compacted %d times and said %s", len(files), said.String())
	}
}
