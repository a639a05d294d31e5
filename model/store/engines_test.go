package store

import (
	"database/sql"
	"fmt"
	"os"
	"testing"
)

// The tests that ask for a database by openTemp and openAt run on SQLite, and
// once more, in a process of their own, on a PostgreSQL server that is started
// for them. There every path names a database of its own.

// postgresVar names the server's address in that process.
const postgresVar = "STORE_TEST_POSTGRES"

// onServer reports whether this process tests on PostgreSQL.
func onServer() bool { return os.Getenv(postgresVar) != "" }

// postgresDatabase is the address of the database that a path names; "" when
// the tests run on SQLite.
func postgresDatabase(t testing.TB, path string) string {
	t.Helper()
	server := os.Getenv(postgresVar)
	if server == "" || IsServer(path) {
		return ""
	}
	name := fmt.Sprintf("t%x", []byte(path))
	if len(name) > 63 {
		name = name[:1] + name[len(name)-62:]
	}
	db, err := sql.Open("pgx", server+"/postgres")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var there bool
	if err := db.QueryRow("SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)", name).Scan(&there); err != nil {
		t.Fatal(err)
	}
	if !there {
		if _, err := db.Exec("CREATE DATABASE " + name); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { dropDatabase(t, server, name) })
	}
	return server + "/" + name
}

func dropDatabase(t testing.TB, server, name string) {
	db, err := sql.Open("pgx", server+"/postgres")
	if err != nil {
		t.Error(err)
		return
	}
	defer db.Close()
	if _, err := db.Exec("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
		t.Error(err)
	}
}
