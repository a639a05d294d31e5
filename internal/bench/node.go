package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"palimpsest/internal/bench/workload"
)

// peersFolder is where the npm packages of the peers are looked for.
const peersFolder = "build/peers"

// peersInstall is the command that installs them.
const peersInstall = "npm install --prefix " + peersFolder +
	" --legacy-peer-deps @langchain/core@1.2.13 @mastra/core@1.71.0 ai@6.0.326 gpt-tokenizer@4.0.0 ai-tokenizer@1.0.6 tiktoken@1.0.22"

// nodeLoadMB is how much of a history node loads: its counters are slow.
const nodeLoadMB = 20

//go:embed peers/peers.mjs
var peersScript []byte

// measureNode runs the peers of the npm world on the same texts, in the same
// round.
func measureNode(ctx context.Context, o options, out *os.File, dir string) map[string]string {
	skip := func(why string) map[string]string {
		return map[string]string{"T3": why, "L1": why, "L2": why, "P2": why, "P3": why}
	}
	program, err := exec.LookPath("node")
	if err != nil {
		return skip("node is not here")
	}
	if _, err := os.Stat(filepath.Join(peersFolder, "node_modules")); err != nil {
		return skip("the packages are not here: " + peersInstall)
	}
	texts, err := json.Marshal(workload.ByKind())
	if err != nil {
		return skip(err.Error())
	}
	load, err := workload.File(workload.ClaudeCode, nodeLoadMB*1e6)
	if err != nil {
		return skip(err.Error())
	}
	parse, err := workload.File(workload.ClaudeCode, int64(o.mb)*1e6)
	if err != nil {
		return skip(err.Error())
	}
	kinds := filepath.Join(dir, "kinds.json")
	script := filepath.Join(peersFolder, "peers.mjs") // beside the packages, where node looks for them
	if err := os.WriteFile(kinds, texts, 0o600); err != nil {
		return skip(err.Error())
	}
	if err := os.WriteFile(script, peersScript, 0o600); err != nil {
		return skip(err.Error())
	}
	fmt.Fprintln(out, "pkg: palimpsest/peers")
	quick := ""
	if o.quick {
		quick = "quick"
	}
	cmd := exec.CommandContext(ctx, program, script, kinds, load, parse, quick)
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	if err := cmd.Run(); err != nil {
		return skip("node: " + err.Error())
	}
	return nil
}
