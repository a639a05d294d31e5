package cli

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"palimpsest/cli/batch"
	"palimpsest/cli/batch/queue"
	"palimpsest/internal/pgserver"
	"palimpsest/internal/until"
	"palimpsest/model"
	"palimpsest/model/store"
)

// manyChats writes n histories, each different, into a folder.
func (b *bench) manyChats(n int) (dir string) {
	b.Helper()
	dir = b.path("many")
	must(b.T, os.MkdirAll(dir, 0o777))
	for i := range n {
		text := strings.ReplaceAll(string(b.read(b.chat("one.json", 8+i%7))), "A", fmt.Sprintf("A%d ", i))
		b.write(fmt.Sprintf("many/%03d.json", i), []byte(text))
	}
	return dir
}

// recordsByUID are all records, without what two runs may differ in.
func recordsByUID(t *testing.T, db string) map[string]string {
	t.Helper()
	st, err := store.Open(db)
	must(t, err)
	defer st.Close()
	list, err := st.Records(t.Context(), store.Filter{Limit: 10_000})
	must(t, err)
	out := map[string]string{}
	for _, r := range list {
		rec, err := st.Record(t.Context(), r.ID)
		must(t, err)
		if out[rec.UID] != "" {
			t.Errorf("%s is there twice", rec.UID)
		}
		rec.ID, rec.Time, rec.Duration = "", time.Time{}, 0
		body, err := json.Marshal(rec)
		must(t, err)
		out[rec.UID] = string(body)
	}
	return out
}

// A batch does each file once: one that is begun again does the rest, a file that can't be
// read stops nothing, and other parameters are another batch.
func TestBatch(t *testing.T) {
	b := newBench(t)
	dir := b.manyChats(12)
	first := b.path("many/000.json")
	b.run("batch", first, "--window", "2msgs").ends(exitDone, "1 applied").says("R-0001 applied")
	b.write("many/bad.json", []byte(`{"messages": 12`))
	all := b.run("batch", "-r", dir, "--window", "2msgs").ends(exitFailed, "bad.json", "13 files: 12 done, 1 not", "1 already, 11 applied, 1 failed")
	all.says("000.json: done already (R-0001)")
	run := b.lastRun()
	if run.Total != 13 || run.Left() != 0 || run.Done["applied"] != 11 || run.Done["already"] != 1 || run.Ended.IsZero() ||
		len(run.Failures) != 1 || !strings.HasSuffix(run.Failures[0].Path, "bad.json") || run.Title != "-r "+dir+" --window 2msgs" {
		t.Errorf("noted: %+v", run)
	}
	records := recordsByUID(t, b.db)
	if len(records) != 12 {
		t.Fatalf("%d records", len(records))
	}
	b.run("batch", "-q", "-r", dir, "--window", "2msgs", "--json").ends(exitFailed)
	if again := recordsByUID(t, b.db); !maps.Equal(again, records) {
		t.Error("the second run changed the records")
	}
	b.run("batch", first, "--window", "4msgs").ends(exitDone, "1 applied")
	b.run("batch", first, "--window", "2msgs", "--wait").ends(exitUsage, "--queue")
	b.run("batch", first, "--queue").ends(exitUsage, "postgres://")
	b.run("work").ends(exitUsage, "postgres://")
}

// A queue that can't be opened is no place where a password is said.
func TestNoPasswordOfAQueueIsSaid(t *testing.T) {
	b := newBench(t)
	for _, address := range []string{"postgres://bob@127.0.0.1:1/q?password=S3cretPw&sslmode=zzz", "postgres://bob:x@127.0.0.1:1/q?sslpassword=S3cretPw&sslkey=/x",
		"postgres://bob:S3cretPw/x@h/q", "postgres://bob:S3cretPw@127.0.0.1:1/q"} {
		said := b.run("work", "--drain", "--db", address).ends(exitFailed, "Can't open the queue: the database server ")
		if text := said.out + said.err; strings.Contains(text, "cretPw") || strings.Count(text, "\n") != 1 {
			t.Errorf("%s: %s", address, text)
		}
	}
}

// lastRun is how far the last batch was noted to be.
func (b *bench) lastRun() model.BatchRun {
	b.Helper()
	st, err := store.Open(b.db)
	must(b.T, err)
	defer st.Close()
	list, err := st.Batches(b.Context())
	must(b.T, err)
	if len(list) == 0 {
		b.Fatal("no batch was noted")
	}
	return list[0]
}

// A transcript that is a folder is refused by a queue with the reason.
func TestAQueueSaysWhyItTakesNoFolder(t *testing.T) {
	_, err := (&batchCmd{}).sent(t.Context(), nil, t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "is a folder that is one transcript") {
		t.Errorf("%v", err)
	}
}

// A queue that somebody stops loses what waits; the same call puts it in again.
func TestQueueIsStopped(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes, which a race detector does not look into")
	}
	server := pgserver.Start(t)
	b := newBench(t)
	dir := b.manyChats(5)
	b.db = server + "/postgres"
	call := []string{"batch", "--queue", "-r", dir, "--window", "2msgs"}
	b.run(call...).ends(exitDone, "5 files put")
	run := b.lastRun()
	if run.Total != 5 || run.Left() != 5 || !run.Queued || !run.Ended.IsZero() {
		t.Errorf("noted: %+v", run)
	}
	q, err := queue.Open(t.Context(), b.db)
	must(t, err)
	defer q.Close()
	must(t, q.Drop(t.Context(), "another"))
	b.run("work", "--status").ends(exitDone).says("5 waiting")
	must(t, q.Drop(t.Context(), run.ID))
	b.run("work", "--status").ends(exitDone).says("0 waiting")
	b.run(call...).ends(exitDone, "5 files put")
	b.run("work", "--drain").ends(exitDone, "5 applied")
	if run := b.lastRun(); run.Ended.IsZero() || run.Done["applied"] != 5 || run.Left() != 0 {
		t.Errorf("noted: %+v", run)
	}
	// Workers ask the model that the call names, with a key of their own.
	b.run(append(slices.Clone(call), "--strategy", "model")...).ends(exitUsage, "give --endpoint and --model")
	s := trialServer(t)
	s.Key = "sk-trial-0a1b2c3d4e5f"
	t.Setenv("PALIMPSEST_TRIAL_KEY", s.Key)
	asking := append(slices.Clone(call), "--endpoint", s.URL(), "--model", "good", "--model-window", "32000", "--accept-flaws",
		"--key-env", "PALIMPSEST_TRIAL_KEY")
	b.run(asking...).ends(exitDone, "5 files put")
	if n := len(s.Requests()); n != 0 {
		t.Errorf("putting files into the queue sent %d requests", n)
	}
	b.run("work", "--drain").ends(exitDone, "5 applied")
	if n := len(s.Requests()); n == 0 {
		t.Error("no model was asked")
	}
}

// A refusal is a result: it is noted once.
func TestBatchNotesRefusals(t *testing.T) {
	b := newBench(t)
	f := b.chat("short.json", 3)
	b.run("batch", f).ends(exitDone, "1 refused").says("refused:")
	b.run("batch", f).ends(exitDone, "1 already").says("done already")
	if n := len(recordsByUID(t, b.db)); n != 1 {
		t.Errorf("%d records", n)
	}
}

// Four workers of which some are killed while they work leave the same records as one run,
// each once.
func TestWorkersThatAreKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes, which a race detector does not look into")
	}
	server := pgserver.Start(t)
	b := newBench(t)
	dir := b.manyChats(60)
	b.write("many/bad.json", []byte(`{"messages": 12`))
	flags := []string{"-r", dir, "--window", "2msgs", "--clear-tool-results", "1"}
	b.run(append([]string{"batch"}, flags...)...).ends(exitFailed, "60 applied, 1 failed")
	want := recordsByUID(t, b.db)

	b.db = server + "/postgres"
	b.run(append([]string{"batch", "--queue"}, flags...)...).ends(exitDone, "61 files put into the queue, 0 there")
	b.run(append([]string{"batch", "--queue"}, flags...)...).ends(exitDone, "0 files put into the queue, 61 there")
	must(t, os.RemoveAll(dir)) // a worker may be another machine
	start := func(more ...string) *exec.Cmd {
		cmd := exec.Command(os.Args[0], append([]string{"--db", b.db, "work", "-j", "1"}, more...)...)
		cmd.Env = append(os.Environ(), asProgram+"=1")
		must(t, cmd.Start())
		return cmd
	}
	workers := []*exec.Cmd{start(), start(), start(), start()}
	killed := 0
	until.True(t, "all jobs are done", func() bool {
		var c struct {
			Waiting, Running int
			Done             map[string]int
		}
		must(t, json.Unmarshal([]byte(b.run("work", "--status", "--json").ends(exitDone).out), &c))
		left := c.Waiting + c.Running
		if done := 61 - left; killed < 3 && done >= 10*(killed+1) && c.Running > 0 {
			must(t, workers[killed].Process.Kill())
			_ = workers[killed].Wait()
			workers = append(workers, start())
			killed++
		}
		return left == 0
	})
	for _, w := range workers[killed:] {
		_ = w.Process.Kill()
		_ = w.Wait()
	}
	if killed != 3 {
		t.Errorf("%d workers were killed", killed)
	}
	got := recordsByUID(t, b.db)
	if !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want))) {
		t.Errorf("%d records, not the %d of one run", len(got), len(want))
	}
	for uid, rec := range want {
		if got[uid] != rec {
			t.Fatalf("%s\n%s\nis not\n%s", uid, got[uid], rec)
		}
	}
	b.run("work", "--status").ends(exitFailed, "bad.json").says("0 waiting, 0 being done", "applied", "1 failed")
	var c struct{ Done map[string]int }
	must(t, json.Unmarshal([]byte(b.run("work", "--status", "--json").ends(exitDone).out), &c))
	if n := c.Done["applied"] + c.Done[batch.Already]; n != 60 || len(c.Done) > 2 { // a killed worker's may be found done
		t.Errorf("done: %v", c.Done)
	}
	b.run("work", "--drain", "-q").ends(exitDone)
}

// Workers outlive a server that crashes and starts again while they work, and do every file.
func TestWorkersOutliveTheServer(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes, which a race detector does not look into")
	}
	server := pgserver.Start(t)
	b := newBench(t)
	dir := b.manyChats(40)
	flags := []string{"-r", dir, "--window", "2msgs", "--clear-tool-results", "1"}
	b.db = server + "/postgres"
	b.run(append([]string{"batch", "--queue"}, flags...)...).ends(exitDone, "40 files put into the queue")
	var workers []*exec.Cmd
	var said []*syncBuffer
	for range 2 {
		cmd := exec.Command(os.Args[0], "--db", b.db, "work", "-j", "1", "--drain")
		cmd.Env = append(os.Environ(), asProgram+"=1")
		out := &syncBuffer{}
		cmd.Stdout, cmd.Stderr = out, out
		must(t, cmd.Start())
		workers, said = append(workers, cmd), append(said, out)
	}
	db, err := sql.Open("pgx", b.db)
	must(t, err)
	defer db.Close()
	until.True(t, "some files are done", func() bool {
		var done int
		return db.QueryRow("SELECT count(*) FROM river_job WHERE state = 'completed'").Scan(&done) == nil && done >= 5
	})
	var pid int
	must(t, db.QueryRow("SELECT pg_backend_pid()").Scan(&pid))
	backend, err := os.FindProcess(pid)
	must(t, err)
	must(t, backend.Kill()) // the server ends all others and begins anew
	for i, w := range workers {
		if err := w.Wait(); err != nil {
			t.Errorf("%v: %s", err, said[i])
		}
	}
	contains(t, b.run("work", "--status").ends(exitDone).out, "0 waiting, 0 being done; of the last day: 40 applied, 0 failed")
	if n := len(recordsByUID(t, b.db)); n != 40 {
		t.Errorf("%d records", n)
	}
}
