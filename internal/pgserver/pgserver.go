//go:build unix

package pgserver

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver
)

// Start starts a server on a free port in a folder that goes away, as nobody when the test
// is root: the server refuses to be root. It returns the address without a database. Where
// the server is not installed the test is skipped.
func Start(t *testing.T) (address string) {
	t.Helper()
	initdb, server := tool("initdb"), tool("postgres")
	if initdb == "" || server == "" {
		t.Skip("PostgreSQL is not installed: records on a server were not tested")
	}
	dir := Folder(t, "palimpsest-postgres-*")
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
	made := as(run(initdb, "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"))
	if out, err := made.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	var said bytes.Buffer
	for range 5 { // a port that was free may be another program's by now
		port := FreePort(t)
		said.Reset()
		cmd := as(run(server, "-D", data, "-p", strconv.Itoa(port), "-k", dir,
			"-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"))
		cmd.Stdout, cmd.Stderr = &said, &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { defer close(ended); _ = cmd.Wait() }()
		t.Cleanup(func() {
			_ = cmd.Process.Signal(syscall.SIGINT) // the quick way to shut down
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

// FreePort is a port of this machine that nobody listened on.
func FreePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// tool finds a program of the server, which distributions keep out of
// the path.
func tool(name string) string {
	if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name); len(found) > 0 {
		return found[len(found)-1]
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return path
}

// unprivileged is a user that the server accepts to be.
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
