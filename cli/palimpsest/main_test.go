package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"palimpsest/cli"
	"palimpsest/model"
)

// A window whose libraries are missing ends in a sentence that says what to install, and
// the package depends on the same; another exit code is passed on.
func TestAWindowWithoutItsLibraries(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the folders are those of Linux")
	}
	program := filepath.Join(t.TempDir(), "palimpsest-window")
	ends := func(code string) error {
		if err := os.WriteFile(program, []byte("#!/bin/sh\nexit "+code+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		return pass(program, nil)
	}
	var p *model.Problem
	if err := ends("127"); !errors.As(err, &p) || !strings.Contains(p.Next, "apt-get install libgl1 ") {
		t.Errorf("%v", err)
	}
	if err := ends("3"); err != cli.Ended(3) {
		t.Errorf("%v", err)
	}
	script, err := os.ReadFile(filepath.Join("..", "..", "scripts", "package.sh"))
	if err != nil {
		t.Fatal(err)
	}
	if list := "libc6, " + strings.ReplaceAll(libraries, " ", ", ") + "\n"; !strings.Contains(string(script), list) {
		t.Errorf("the .deb does not depend on %s", list)
	}
}
