package main

import (
	"slices"
	"strings"
)

func names(format string, kinds ...string) (out []string) {
	for _, k := range kinds {
		out = append(out, strings.ReplaceAll(format, "*", k))
	}
	return out
}

const (
	count    = "model/tokens:Count/"
	runs     = "model/tokens:Run/"
	read     = "model/transcript:Read/"
	load     = "compaction/session:Load/"
	plan     = "compaction:Plan/messages="
	replayed = "compaction/replay:Replay/messages="
	sweep    = "compaction/replay:Sweep/"
	stored   = "model/store:"
	node     = "peers:Node/"
	window   = "window:"
)

// goals in the order of the table. Pairs are of one run; times are CPU time
// where two programs do the same on one thread, else time on the clock.
var goals = slices.Concat(countingGoals, loadingGoals, planningGoals, screenGoals)

// longRuns are those of a, _ and space, which Go spells as _ in names.
var longRuns = names(runs+"*", `"a"×100000`, `"_"×100000`, `"_"×100000#01`)

var countingGoals = []goal{
	{id: "T1", name: "exact counts: real strings that differ from pkoukk/tiktoken-go, both encodings", unit: "strings",
		num: []string{"model/tokens:Differences differences"}},
	{id: "T1", name: "… strings compared", limit: 20_000, least: true, num: []string{"model/tokens:Differences strings"}},
	{id: "T2", name: "faster than tiktoken-go/tokenizer: English, code, JSON, real strings (the worst)", limit: 10, least: true, unit: "×",
		num: names(count+"*/tiktoken-go", "English", "code", "JSON", "real"), den: names(count+"*/o200k", "English", "code", "JSON", "real")},
	{id: "T2", name: "… CJK", limit: 5, least: true, unit: "×", num: []string{count + "CJK/tiktoken-go"}, den: []string{count + "CJK/o200k"}},
	{id: "T3", name: "faster than the best npm counter: English, code, JSON (the worst)", limit: 8, least: true, unit: "×",
		num: names(node+"best/*", "English", "code", "JSON"), den: names(count+"*/o200k", "English", "code", "JSON")},
	{id: "T3", name: "… CJK", limit: 2, least: true, unit: "×", num: []string{node + "best/CJK"}, den: []string{count + "CJK/o200k"}},
	{id: "T3", name: "… than npm tiktoken, real strings", limit: 10, least: true, unit: "×", num: []string{node + "tiktoken/real"}, den: []string{count + "real/o200k"}},
	{id: "T4", name: "counting over the splitter alone: English, code, JSON (the worst)", limit: 3, unit: "×",
		num: names(count+"*/o200k", "English", "code", "JSON"), den: names(count+"*/split", "English", "code", "JSON")},
	{id: "T4", name: "… real strings", limit: 4, unit: "×", num: []string{count + "real/o200k"}, den: []string{count + "real/split"}},
	{id: "T5", name: "100,000 × one character (the worst of a, _, space)", limit: 20, unit: "ms", scale: 1e6,
		num: longRuns},
	{id: "T5", name: "… over tiktoken-go", limit: 1, unit: "×", num: longRuns, den: names(runs+"*", `"a"×100000/tiktoken-go`, `"_"×100000/tiktoken-go`, `"_"×100000/tiktoken-go#01`)},
	{id: "T5", name: "… 200,000 over 100,000", limit: 2.3, unit: "×", num: names(runs+"*", `"a"×200000`, `"_"×200000`, `"_"×200000#01`), den: longRuns},
	{id: "T6", name: "two workers over one", limit: 1.7, least: true, unit: "×",
		num: []string{"model/tokens:Workers/1 ns/op"}, den: []string{"model/tokens:Workers/2 ns/op"}, missed: "needs two free cores"},
	{id: "T7", name: "vocabulary ready over tiktoken-go's", limit: 1.3, unit: "×",
		num: []string{"model/tokens:Load/o200k_base"}, den: []string{"model/tokens:Load/tiktoken-go"},
		missed: "unpacking the columns, and the trie that is built from them"},
	{id: "T7", name: "both vocabularies in the binary", limit: 3, unit: "MB", num: []string{"window:Binary MB-vocabularies"}},
}

// jqOverParse is what goal L1 says of jq, which took 2.64 times as long as node's
// JSON.parse, than which reading is to be 1.8 times as fast.
const jqOverParse = 1.8 * 2.64

var loadingGoals = []goal{
	{id: "L1", name: "fastjson alone over parse and extract, same file (the worse shape)", limit: 0.9, least: true, unit: "×",
		num: []string{read + "claude-code/fastjson", read + "codex/fastjson"}, den: []string{read + "claude-code/open", read + "codex/open"},
		missed: "reading validates, hashes, cuts into spans and builds threads"},
	{id: "L1", name: "… node's JSON.parse of each line", limit: 1.8, least: true, unit: "×", num: []string{node + "parse"}, den: []string{read + "claude-code/open"},
		missed: "reading validates, hashes, cuts into spans and builds threads"},
	{id: "L1", name: "… node's JSON.parse of each line, both on the clock, two cores", limit: 3, least: true, unit: "×",
		num: []string{node + "parse ns/op"}, den: []string{read + "claude-code/open ns/op"},
		missed: "reading validates, hashes, cuts into spans and builds threads; making the messages is on one core"},
	{id: "L1", name: "… the whole program jq -c .type, on the clock", limit: jqOverParse, least: true, unit: "×",
		num: []string{"peers:JQ/claude-code ns/op"}, den: []string{read + "claude-code/open ns/op"},
		missed: "reading validates, hashes, cuts into spans and builds threads; making the messages is on one core"},
	{id: "L2", name: "open with exact counts, all cores (200 MB in 2.5 s)", limit: 80, least: true, unit: "MB/s",
		num: []string{load + "claude-code/counted MB/s", load + "codex/counted MB/s"}},
	{id: "L2", name: "… faster a byte than node with its fastest counter", limit: 10, least: true, unit: "×",
		num: []string{load + "claude-code/counted MB/s"}, den: []string{node + "load MB/s"}},
	{id: "L3", name: "until the first rows can be shown, over wc -l", limit: 6, unit: "×",
		num: []string{load + "claude-code/first ns/op", load + "codex/first ns/op"}, den: []string{"peers:Lines/claude-code ns/op", "peers:Lines/codex ns/op"}},
	{id: "L3", name: "… all rows", limit: 6, unit: "×",
		num: []string{load + "claude-code/rows ns/op", load + "codex/rows ns/op"}, den: []string{"peers:Lines/claude-code ns/op", "peers:Lines/codex ns/op"},
		missed: "wc looks for line ends; all rows are there when every line is hashed, validated and read"},
	{id: "L4", name: "unedited export: bytes that differ", unit: "bytes", num: []string{"compaction/session:Unedited bytes-different"}},
	{id: "M1", name: "heap of an open history over its size", limit: 1.6, unit: "×", num: []string{"model/transcript:Index heap/input"}},
	{id: "M1", name: "… a message of index", limit: 64, unit: "B", num: []string{"model/transcript:Index B/message"},
		missed: "a row shows ids and first words without reading the file"},
	{id: "M1", name: "… 4 GB, read by its spans", limit: 1.6, unit: "×", num: []string{"model/transcript:HugeFile heap/input"}},
	{id: "M1", name: "… after closing, over before", limit: 1.2, unit: "×", num: []string{"model/transcript:Index closed/idle"}},
	{id: "D1", name: "100,000 rows through the store over a prepared statement", limit: 1.4, unit: "×", num: []string{stored + "Rows/store"}, den: []string{stored + "Rows/sql"}},
	{id: "D1", name: "… bodies of 20 MB, packed, on the clock", limit: 1.3, unit: "×", num: []string{stored + "Bodies/store ns/op"}, den: []string{stored + "Bodies/sql ns/op"}},
	{id: "D1", name: "… bodies of 20 MB, packed, CPU time", limit: 1.3, unit: "×", num: []string{stored + "Bodies/store"}, den: []string{stored + "Bodies/sql"},
		missed: "the store reads, packs and writes on several goroutines, which ends sooner and costs more"},
	{id: "D2", name: "a page of 50 of 100,000 records over database/sql", limit: 2.2, unit: "×", num: []string{stored + "Reads/page"}, den: []string{stored + "Reads/sql"}},
	{id: "D2", name: "… page", limit: 1, unit: "ms", scale: 1e6, num: []string{stored + "Reads/page ns/op"}},
	{id: "D2", name: "… a text of 1 MB over database/sql", limit: 1.2, unit: "×", num: []string{stored + "Body/store"}, den: []string{stored + "Body/sql"},
		missed: "every block is held to its hash, and the whole to its own"},
	{id: "D2", name: "… a search for a rare word in 100,000 records", limit: 10, unit: "ms", scale: 1e6, num: []string{stored + "Reads/search ns/op"},
		missed: "the different names (session, path, agent) are walked, which are not in the index of words"},
	{id: "D3", name: "second opening of a counted history over the first", limit: 0.2, unit: "×",
		num: []string{load + "claude-code/again ns/op", load + "codex/again ns/op"}, den: []string{load + "claude-code/counted ns/op", load + "codex/counted ns/op"},
		missed: "what is left is reading the file anew; the counting that it saves has become a smaller part of the first opening"},
}

var planningGoals = []goal{
	{id: "P1", name: "one plan, 100,000 messages", limit: 1, unit: "ms", scale: 1e6, num: []string{plan + "100000/batch=0", plan + "100000/batch=30"}},
	{id: "P1", name: "… 99th percentile", limit: 4, unit: "ms", scale: 1e6, num: []string{"compaction:PlanSlowest p99-ns"}},
	{id: "P1", name: "… over the floor program", limit: 3, unit: "×", num: []string{plan + "100000/batch=0"}, den: []string{plan + "100000/floor"}},
	{id: "P1", name: "… 100,000 over 10,000 messages", limit: 11, unit: "×", num: []string{plan + "100000/batch=0"}, den: []string{plan + "10000/batch=0"}},
	{id: "P1", name: "… allocations", unit: "", num: []string{plan + "100000/batch=0 allocs/op"}},
	{id: "P1", name: "… that others may keep: a value of its own", limit: 1, unit: "ms", scale: 1e6, num: []string{plan + "100000/kept"},
		missed: "its runs, up to one a message, are memory that is new each time"},
	{id: "P2", name: "faster than trimMessages, one plan, 10,000 messages", limit: 1000, least: true, unit: "×", num: []string{node + "trimMessages"}, den: []string{plan + "10000/batch=0"}},
	{id: "P2", name: "… than Mastra's TokenLimiterProcessor, 10,000", limit: 500, least: true, unit: "×", num: []string{node + "mastra"}, den: []string{plan + "10000/batch=0"}},
	{id: "P2", name: "… than pruneMessages, 100,000", limit: 50, least: true, unit: "×", num: []string{node + "pruneMessages"}, den: []string{plan + "100000/batch=0"}},
	{id: "P3", name: "replay of 100,000 messages (the slowest strategy)", limit: 5, unit: "ms", scale: 1e6,
		num:    names(replayed+"100000/*", "balanced", "careful", "cheap", "tools-only", "sliding-adaptive", "sliding-fixed", "message-count", "token-share"),
		missed: "a policy that clears results looks at what is old before each call, and takes what it clears into a list of its own"},
	{id: "P3", name: "… 100,000 over 50,000 messages", limit: 2.2, unit: "×", num: []string{replayed + "100000/balanced"}, den: []string{replayed + "50000/balanced"}},
	{id: "P3", name: "… faster than replaying with trimMessages, 2,000", limit: 10_000, least: true, unit: "×", num: []string{node + "trimReplay"}, den: []string{replayed + "2000/balanced"}},
	{id: "P4", name: "sweep of 63 sets × 100,000 messages, one worker, over the floor program", limit: 3, unit: "×", num: []string{sweep + "workers=1"}, den: []string{sweep + "floor"},
		missed: "at a firing legal cuts, minimum gain, former summaries and the prompt cache are looked at; the floor does one search"},
	{id: "P4", name: "… two workers over one", limit: 1.6, least: true, unit: "×", num: []string{sweep + "workers=1 ns/op"}, den: []string{sweep + "workers=2 ns/op"}, missed: "needs two free cores"},
}

var screenGoals = []goal{
	{id: "U1", name: "slider to new plan on the screen, 10,000 messages, median", limit: 16.7, unit: "ms", num: []string{window + "Drag/10000 ms-median"},
		missed: "the whole window is painted for each change, here in software"},
	{id: "U1", name: "… 100,000 messages, counts coming in", limit: 33.4, unit: "ms", num: []string{window + "Drag/100000 ms-median"},
		missed: "the same, while counting has both cores"},
	{id: "U1", name: "… a bare window with a slider and a label", beside: true, unit: "ms", num: []string{window + "Drag/bare ms-median"}},
	{id: "S1", name: "first frame over a bare window with a list of 100,000 rows", limit: 1.4, unit: "×", num: []string{window + "Start/palimpsest ns/op"}, den: []string{window + "Start/bare ns/op"},
		missed: "the panes, each built whole, and two faces with Chinese, Japanese and Korean"},
	{id: "S1", name: "… memory when idle", limit: 1.6, unit: "×", num: []string{window + "Start/palimpsest MB-resident"}, den: []string{window + "Start/bare MB-resident"},
		missed: "the same two faces, and a texture for each piece of text"},
}
