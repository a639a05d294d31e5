package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"palimpsest/internal/bench/workload"
)

// suite is one call of a package's benchmarks.
type suite struct {
	pkg   string
	bench string // which of them, as the test flag -bench takes it
	time  string // -benchtime
	once  bool   // the first round is enough: the result does not vary
}

// suites in the order of a round. A pair that a goal compares is in one
// suite, so that both are measured within seconds of each other.
var suites = []suite{
	{pkg: "./model/tokens", bench: "^BenchmarkLoad$", time: "1x"},
	{pkg: "./model/tokens", bench: "^BenchmarkCount$/^(English|code|JSON|CJK|real)$/^(o200k|split|tiktoken-go)$", time: "150ms"},
	{pkg: "./model/tokens", bench: "^BenchmarkWorkers$", time: "300ms"},
	{pkg: "./model/tokens", bench: "^BenchmarkRun$", time: "5x"},
	{pkg: "./model/tokens", bench: "^BenchmarkDifferences$", time: "1x", once: true},
	{pkg: "./model/transcript", bench: "^BenchmarkRead$", time: "1x"},
	{pkg: "./model/transcript", bench: "^BenchmarkIndex$", time: "1x", once: true},
	{pkg: "./model/transcript", bench: "^BenchmarkGrowth$", time: "1x"},
	{pkg: "./model/transcript", bench: "^BenchmarkHugeFile$", time: "1x", once: true},
	{pkg: "./compaction/session", bench: "^BenchmarkLoad$", time: "1x"},
	{pkg: "./compaction/session", bench: "^BenchmarkUnedited$", time: "1x", once: true},
	{pkg: "./compaction/session", bench: "^BenchmarkSweepTexts$", time: "1x"},
	{pkg: "./compaction/session/find", bench: "^BenchmarkSearch100MB$/^(the|zyzzyva)$", time: "3x"},
	{pkg: "./gui/desk", bench: "^BenchmarkSearch100MB$", time: "3x"},
	{pkg: "./gui/desk", bench: "^BenchmarkFolder$", time: "1x", once: true},
	{pkg: "./compaction", bench: "^BenchmarkPlan$", time: "100ms"},
	{pkg: "./compaction", bench: "^BenchmarkPlanSlowest$", time: "1x"},
	{pkg: "./compaction/replay", time: "100ms", bench: "^BenchmarkReplay$/^messages=(2000|10000|50000|100000|1000000)$/" +
		"^(balanced|careful|cheap|tools-only|sliding-adaptive|sliding-fixed|message-count|token-share|floor|floor-clearing)$"},
	{pkg: "./compaction/replay", bench: "^BenchmarkSweep$", time: "1x"},
	{pkg: "./model/store", bench: "^BenchmarkRows$", time: "1x"},
	{pkg: "./model/store", bench: "^BenchmarkBodies$", time: "10x"},
	{pkg: "./model/store", bench: "^BenchmarkReads$", time: "300x", once: true},
	{pkg: "./model/store", bench: "^BenchmarkBody$", time: "50x"},
	{pkg: "./cli/live", bench: "^BenchmarkGateway$", time: "3x"},
	{pkg: "./cli/live", bench: "^BenchmarkGatewaySessions$", time: "5x"},
}

// wholePrograms are measured after the suites of a round, by name.
var wholePrograms = []struct {
	name    string
	measure func(context.Context, options, *os.File, string) map[string]string
}{{"peers", measurePrograms}, {"verbs", measureVerbs}, {"node", measureNode}, {"window", measureWindow}, {"find", measureFind}}

// budget ends the rounds: what was measured by then counts, in fewer than
// leastRounds a median means little.
const (
	budget      = 6 * time.Minute
	leastRounds = 3
)

// measure runs everything into the raw file. It returns which goals could not be
// measured, and why, and the benchmarks that failed.
func measure(ctx context.Context, o options) (skipped map[string]string, failed []string, err error) {
	if err := os.MkdirAll(filepath.Dir(o.raw), 0o755); err != nil {
		return nil, nil, err
	}
	out, err := os.Create(o.raw)
	if err != nil {
		return nil, nil, err
	}
	defer out.Close()
	bin, err := os.MkdirTemp("", "palimpsest-bench-*")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(bin)
	about(out, o)
	log.Printf("Building the benchmarks")
	only, err := regexp.Compile(o.only)
	if err != nil {
		return nil, nil, err
	}
	chosen := slices.DeleteFunc(slices.Clone(suites), func(s suite) bool { return !only.MatchString(s.pkg + ":" + s.bench) })
	programs, err := buildTests(ctx, bin, chosen)
	if err != nil {
		return nil, nil, err
	}
	for _, shape := range []workload.Shape{workload.ClaudeCode, workload.Codex} {
		if _, err := workload.File(shape, int64(o.mb)*1e6); err != nil { // not while something is measured
			return nil, nil, err
		}
	}
	env := append(os.Environ(), fmt.Sprintf("%s=%d", workload.SizeVariable, o.mb))
	began := time.Now()
	skipped = map[string]string{}
	rounds := 0
	for round := range o.rounds {
		if round >= leastRounds && time.Since(began) > budget {
			log.Printf("%d of %d rounds fit into the time", round, o.rounds)
			break
		}
		log.Printf("Round %d of %d", round+1, o.rounds)
		rounds++
		for _, s := range chosen {
			if s.once && round > 0 {
				continue
			}
			args := []string{"-test.run=^$", "-test.bench=" + s.bench, "-test.benchtime=" + s.time, "-test.benchmem", "-test.timeout=10m"}
			if o.quick {
				args = append(args, "-test.short")
			}
			cmd := exec.CommandContext(ctx, programs[s.pkg], args...)
			cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.pkg, env, out, os.Stderr
			if err := cmd.Run(); ctx.Err() != nil {
				return nil, nil, ctx.Err()
			} else if err != nil {
				log.Printf("%s %s: %v", s.pkg, s.bench, err) // its goals say that nothing was measured
				failed = append(failed, s.pkg+" "+s.bench)
			}
		}
		for _, m := range wholePrograms {
			if !only.MatchString(m.name) {
				continue
			}
			for id, why := range m.measure(ctx, o, out, bin) {
				skipped[id] = why
			}
		}
	}
	fmt.Fprintf(out, "rounds: %d\n", rounds)
	return skipped, failed, out.Sync()
}

// buildTests makes the test programs, so that no compiler runs between two
// measurements.
func buildTests(ctx context.Context, dir string, suites []suite) (map[string]string, error) {
	programs := map[string]string{}
	for _, s := range suites {
		if programs[s.pkg] != "" {
			continue
		}
		path, err := filepath.Abs(filepath.Join(dir, strings.ReplaceAll(strings.TrimPrefix(s.pkg, "./"), "/", "-")+".test"))
		if err != nil {
			return nil, err
		}
		cmd := exec.CommandContext(ctx, "go", "test", "-c", "-tags=sqlite_fts5", "-o", path, s.pkg)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return nil, fmt.Errorf("build the benchmarks of %s: %w", s.pkg, err)
		}
		programs[s.pkg] = path
	}
	return programs, nil
}

// about writes what the numbers depend on, as benchstat's configuration lines.
func about(out *os.File, o options) {
	texts, real := workload.Texts()
	kind := "of the real transcripts"
	if !real {
		kind = "of the built-in samples, for the real transcripts are not here"
	}
	fmt.Fprintf(out, "history: %d MB\ntexts: %d strings %s\nmachine: %d cores, %s/%s, %s\n",
		o.mb, len(texts), kind, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	if o.only != "" {
		fmt.Fprintf(out, "only: %s; what this does not match is of an earlier run\n", o.only)
	}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		fmt.Fprintf(out, "load: %s before the run\n", strings.Fields(string(load))[0])
	}
}
