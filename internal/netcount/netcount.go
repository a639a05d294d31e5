// Package netcount counts the connections that a test opens, to prove that the
// program opens none unasked. Only tests import it.
package netcount

import (
	"net"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
)

// Endpoint is an address that leads nowhere but through the proxy that counts.
const Endpoint = "http://model.invalid/v1"

const inside = "PALIMPSEST_TEST_NETCOUNT"

// Test runs the body in a process of its own, in which a proxy gets every request,
// answers none and counts. The process is needed because an HTTP client reads its
// proxy from the environment only once. connections returns the count so far.
func Test(t *testing.T, body func(t *testing.T, connections func() int)) {
	t.Helper()
	at := os.Getenv(inside)
	if at == "" {
		runInside(t)
		return
	}
	l, err := net.Listen("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	var opened atomic.Int64
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			opened.Add(1)
			c.Close()
		}
	}()
	body(t, func() int { return int(opened.Load()) })
}

// runInside runs the test in a process whose environment names the proxy from the
// beginning: libraries read it when the program starts.
func runInside(t *testing.T) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0") // an address that is free
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().String()
	l.Close()
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.count=1")
	cmd.Env = append(os.Environ(), inside+"="+at)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY"} {
		cmd.Env = append(cmd.Env, name+"=http://"+at)
	}
	cmd.Env = append(cmd.Env, "NO_PROXY=", "no_proxy=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
