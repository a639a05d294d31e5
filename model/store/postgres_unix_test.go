//go:build unix

package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// onPostgres are the tests that speak of no file.
var onPostgres = []string{"TestRecordRoundTrip", "TestOriginalsOfAnyLength", "TestFilters", "TestSwitchOffIsAllOrNothing", "TestOutput",
	"TestDelete", "TestSaveErrors", "TestOriginalsProperty", "TestConcurrency", "TestSharing", "TestRepeatedBlocks", "TestPacking",
	"TestPresets", "TestSettings", "TestRecents", "TestThreadCounts", "TestAnswers", "TestSearchOriginals", "TestSearchProperty", "TestUnreadableText",
	"TestRetention", "TestWouldExpire", "TestFacets", "TestSortOrder", "TestEmptyRecord", "TestAppend.*", "TestConversation.*", "TestExchange.*", "TestImportOfOtherFiles", "TestPostgresOnly.*"}

func TestOnPostgres(t *testing.T) {
	if os.Getenv(postgresVar) != "" {
		t.Skip("this is the process on PostgreSQL")
	}
	server := startPostgres(t)
	cmd := exec.Command(os.Args[0], "-test.run=^("+strings.Join(onPostgres, "|")+")$", "-test.v", "-rapid.checks=20")
	cmd.Env = append(os.Environ(), postgresVar+"="+server)
	out, err := cmd.CombinedOutput()
	passed := bytes.Count(out, []byte("\n--- PASS"))
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%d tests passed on PostgreSQL, %d were skipped", passed, bytes.Count(out, []byte("\n--- SKIP")))
	if passed < 20 {
		t.Errorf("only %d tests ran:\n%s", passed, out)
	}
}

// startPostgres starts a server on a free port in a folder that goes away, as
// nobody when the test is root: the server refuses to be root.
func startPostgres(t *testing.T) (address string) {
	t.Helper()
	initdb, server := postgresTool("initdb"), postgresTool("postgres")
	if initdb == "" || server == "" {
		t.Skip("PostgreSQL is not installed: records on a server were not tested")
	}
	dir := openFolder(t, "palimpsest-postgres-*")
	data := filepath.Join(dir, "data")
	run := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC")
		return cmd
	}
	as := func(cmd *exec.Cmd) *exec.Cmd { return cmd }
	if os.Getuid() == 0 {
		credential := unprivileged(t)
		if err := os.Chown(dir, int(credential.Uid), int(credential.Gid)); err != nil {
			t.Fatal(err)
		}
		as = func(cmd *exec.Cmd) *exec.Cmd {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: credential}
			return cmd
		}
	}
	if out, err := as(run(initdb, "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")).CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	var said bytes.Buffer
	for range 5 { // a port that was free may be another program's by now
		port := freePort(t)
		said.Reset()
		cmd := as(run(server, "-D", data, "-p", strconv.Itoa(port), "-k", dir, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"))
		cmd.Stdout, cmd.Stderr = &said, &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { defer close(ended); cmd.Wait() }()
		t.Cleanup(func() {
			cmd.Process.Signal(syscall.SIGINT) // the quick way to shut down
			<-ended
		})
		address := fmt.Sprintf("postgres://tester@127.0.0.1:%d", port)
		if answers(t, address, ended) {
			return address
		}
		<-ended // all that it says is said
	}
	t.Fatalf("the server does not run:\n%s", said.Bytes())
	return ""
}

// answers asks the server until it answers, or has ended.
func answers(t *testing.T, address string, ended <-chan struct{}) bool {
	t.Helper()
	db, err := sql.Open("pgx", address+"/postgres")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for {
		select {
		case <-ended:
			return false
		default:
		}
		// Who took the port meanwhile may accept connections and say nothing.
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		err := db.PingContext(ctx)
		cancel()
		if err == nil {
			return true
		}
	}
}

func freePort(t *testing.T) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// postgresTool finds a program of the server, which distributions keep out of
// the path.
func postgresTool(name string) string {
	if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name); len(found) > 0 {
		return found[len(found)-1]
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return path
}

func unprivileged(t *testing.T) *syscall.Credential {
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			uid, _ := strconv.Atoi(u.Uid)
			gid, _ := strconv.Atoi(u.Gid)
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		}
	}
	t.Skip("the server refuses to be root, and there is nobody else: records on a server were not tested")
	return nil
}

// What is true of a server alone.
func TestPostgresOnly(t *testing.T) {
	server := os.Getenv(postgresVar)
	if server == "" {
		t.Skip("TestOnPostgres runs this on a server")
	}
	path := filepath.Join(t.TempDir(), "p.db")
	s := openAt(t, path)
	address := postgresDatabase(t, path)
	rec := sampleRecord()
	rec.Session, rec.Reason = "NUL \x00 and \xff", "\x00"
	content := noise(3, 3*blockSize)
	save(t, s, rec, content)
	if got, err := s.Record(t.Context(), rec.ID); err != nil || got.Session != "NUL \x00 and \uFFFD" {
		t.Errorf("%+v, %v", got, err)
	}
	if list, err := s.Records(t.Context(), Filter{Session: rec.Session}); err != nil || ids(list) != "1" {
		t.Error(ids(list), err)
	}

	role := strings.Replace(address, "tester@", "reader@", 1)
	for _, q := range []string{"DROP ROLE IF EXISTS reader", "CREATE ROLE reader LOGIN", "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader"} {
		if err := s.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	readOnlyChecks(t, openAt(t, role), content)
	readOnlyChecks(t, openAt(t, address, OpenReadOnly()), content)
	if err := s.Exec("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM reader"); err != nil {
		t.Fatal(err)
	}

	impatient := openAt(t, address, BusyTimeout(20*time.Millisecond))
	tx := s.writing().Begin()
	if err := s.engine.begin(tx); err != nil {
		t.Fatal(err)
	}
	everyWrite(impatient, func(op string, err error) { expect(t, err, ErrLocked) })
	tx.Rollback()

	if err := setPostgresVersion(s.writing(), 999); err != nil {
		t.Fatal(err)
	}
	_, err := Open(address)
	expect(t, err, ErrNewer, "999")
	_, err = Open(server + "/nowhere?password=secret")
	expect(t, err, ErrServer)
	if strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
}

func TestServerThatIsNotThere(t *testing.T) {
	for _, address := range []string{
		fmt.Sprintf("postgres://ada:secret@127.0.0.1:%d/records?connect_timeout=2", freePort(t)),
		"postgres://ada:secret@127.0.0.1:nonsense/records",
	} {
		_, err := Open(address)
		expect(t, err, ErrServer)
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("it tells the password: %v", err)
		}
	}
	_, err := Repair(t.Context(), "postgres://127.0.0.1/records")
	if !errors.Is(err, ErrServer) {
		t.Error(err)
	}
}
