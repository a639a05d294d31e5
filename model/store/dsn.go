package store

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// DefaultPath is where the database lives unless a person says otherwise:
// $XDG_DATA_HOME/palimpsest/palimpsest.db or ~/.local/share/palimpsest/… on
// Unix, the user's application folder on Windows and macOS.
func DefaultPath() (string, error) {
	dir, err := dataDir()
	if err != nil {
		return "", fmt.Errorf("find the folder for the database: %w; name a database yourself", err)
	}
	return filepath.Join(dir, "palimpsest", "palimpsest.db"), nil
}

func dataDir() (string, error) {
	switch runtime.GOOS {
	case "windows", "darwin", "ios", "plan9":
		return os.UserConfigDir()
	}
	// A relative XDG folder has to be ignored, the specification says.
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, ".local", "share"), nil
}

// uriEscaper hides the characters that would end the path of an SQLite URI or
// stand for others in it.
var uriEscaper = strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23")

// dsn builds the data source name for the absolute path. The settings belong
// here because they hold for one connection, and the pool may open a new one.
func dsn(path string, params ...string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // a drive letter: file:///C:/…
	}
	return "file://" + uriEscaper.Replace(p) + "?" + strings.Join(params, "&")
}

func busy(d time.Duration) string { return fmt.Sprintf("_busy_timeout=%d", d.Milliseconds()) }

// writerDSN is for the one connection that writes. A write transaction takes
// its lock at the start, so that it never fails halfway for a lock. What is
// deleted is overwritten: transcripts are private. The vacuum mode counts when
// the database is made, and lets Delete hand pages back to the disk.
func writerDSN(path string, wait time.Duration) string {
	return dsn(path, busy(wait), "_auto_vacuum=incremental", "_journal_mode=WAL", "_synchronous=NORMAL", "_foreign_keys=on",
		"_txlock=immediate", "_secure_delete=on")
}

// readerDSN is for the connections that only read. They open the file for
// writing all the same: a reader of a WAL database keeps its place in the
// shared index.
func readerDSN(path string, wait time.Duration) string {
	return dsn(path, busy(wait), "_synchronous=NORMAL", "_query_only=on", "_txlock=deferred")
}

// lookDSN opens without changing anything; immutable also where the folder
// allows no lock file.
func lookDSN(path string, wait time.Duration, immutable bool) string {
	if immutable {
		return dsn(path, busy(wait), "mode=ro", "immutable=1")
	}
	return dsn(path, busy(wait), "mode=ro")
}
