//go:build unix

package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/internal/pgserver"
)

// onPostgres are the tests that speak of no file.
var onPostgres = []string{"TestRecordRoundTrip", "TestOriginalsOfAnyLength", "TestFilters", "TestSwitchOffIsAllOrNothing", "TestOutput",
	"TestDelete", "TestSaveErrors", "TestOriginalsProperty", "TestConcurrency", "TestSharing", "TestRepeatedBlocks", "TestPacking",
	"TestPresets", "TestSettings", "TestRecents", "TestAnswers", "TestSearchOriginals", "TestSearchProperty", "TestUnreadableText",
	"TestRetention", "TestWouldExpire", "TestSortOrder", "TestEmptyRecord", "TestAppend.*", "TestConversation.*", "TestExchange.*", "TestImportOfOtherFiles", "TestPostgresOnly.*"}

func TestOnPostgres(t *testing.T) {
	if os.Getenv(postgresVar) != "" {
		t.Skip("this is the process on PostgreSQL")
	}
	server := pgserver.Start(t)
	list, least := onPostgres, 20
	if testing.Short() { // what works at the same time
		list, least = []string{"TestConcurrency", "TestSharing", "TestAppend.*", "TestConversation.*", "TestPostgresOnly.*"}, 5
	}
	cmd := exec.Command(os.Args[0], "-test.run=^("+strings.Join(list, "|")+")$", "-test.v", "-rapid.checks=20")
	cmd.Env = append(os.Environ(), postgresVar+"="+server)
	out, err := cmd.CombinedOutput()
	passed := bytes.Count(out, []byte("\n--- PASS"))
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%d tests passed on PostgreSQL, %d were skipped", passed, bytes.Count(out, []byte("\n--- SKIP")))
	if passed < least {
		t.Errorf("only %d tests ran:\n%s", passed, out)
	}
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
	expect(t, err, ErrNoDatabase, "createdb")
	if strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
	_, err = Open(server + "/nowhere?sslmode=require")
	expect(t, err, ErrTLS, "sslmode")
	_, err = Open(strings.Replace(address, "tester@", "nobody@", 1))
	expect(t, err, ErrPassword, "PGPASSWORD")
}

func TestServerThatIsNotThere(t *testing.T) {
	for _, address := range []string{
		fmt.Sprintf("postgres://ada:secret@127.0.0.1:%d/records?connect_timeout=2", pgserver.FreePort(t)),
		"postgres://ada:secret@127.0.0.1:nonsense/records",
	} {
		_, err := Open(address)
		kind := ErrServerAway
		if strings.Contains(address, "nonsense") {
			kind = ErrServer
		}
		expect(t, err, kind)
		if !errors.Is(err, ErrServer) { // what a queue and the window ask for
			t.Error(err)
		}
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("it tells the password: %v", err)
		}
	}
	_, err := Repair(t.Context(), "postgres://127.0.0.1/records")
	if !errors.Is(err, ErrServer) {
		t.Error(err)
	}
}
