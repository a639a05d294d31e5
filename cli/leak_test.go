package cli

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"palimpsest/compaction/summarize/remote/trial"
	"palimpsest/internal/until"
	"palimpsest/model"
	"palimpsest/model/program"
)

const (
	letters = "abcdefghijklmnopqrstuvwxyz"
	digits  = "0123456789"
	mixed   = letters + "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + digits
)

// secretKinds are the ways in which transcripts show secrets: § stands for the secret, which
// a letter before it describes (h: hexadecimal, a: letters and digits, b: base64, w: a
// password that a person chose), with its length.
var secretKinds = []struct{ name, like, text string }{
	{"azure key", "h32", "AZURE_OPENAI_API_KEY=§"}, {"azure header", "h32", "curl https://x.openai.azure.com -H 'api-key: §'"},
	{"azure storage", "b64", "DefaultEndpointsProtocol=https;AccountName=s;AccountKey=§;EndpointSuffix=core.windows.net"},
	{"service bus", "b32", "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=§"},
	{"google client", "GOCSPX-a28", "client_secret §"}, {"google refresh", "1//0a60", `"refresh_token": "§"`},
	{"aws session", "IQoJb3JpZ2luX2VjEa200", "export AWS_SESSION_TOKEN=§"}, {"aws csv", "a40", "alice,AKIAZ7QWX3RTY5UIOPLK,§"},
	{"linode", "h64", "LINODE_TOKEN=§"}, {"hetzner", "a64", "HCLOUD_TOKEN=§"}, {"cloudflare", "a40", "curl -H \"Authorization: Bearer §\" https://api.cloudflare.com"},
	{"fly", "fm2_a80", `FLY_API_TOKEN="FlyV1 §"`}, {"render", "rnd_a28", "key §"}, {"supabase", "sbp_h40", "supabase login --token §"},
	{"neon", "npg_a12", "postgresql://owner:§@ep-x.aws.neon.tech/db"}, {"mongo", "w12", "mongodb+srv://admin:§@cluster0.abcd.mongodb.net/db"},
	{"jdbc", "w12", "jdbc:mysql://h:3306/db?user=root&password=§"}, {"odbc", "w12", "Server=h;Database=d;User Id=sa;Password=§;TrustServerCertificate=True"},
	{"pgpass", "w12", "db.example.com:5432:*:bob:§"}, {"netrc", "w12", "machine api.example.com login bob password §"},
	{"mysql", "w12", "mysql -u root -p§ app"}, {"sshpass", "w12", "sshpass -p '§' ssh root@h"}, {"pg", "w12", "PGPASSWORD=§ psql -h h"},
	{"crypt", "$6$a16$a86", "root:§:19000:0:99999:7:::"}, {"bcrypt", "$2b$12$a53", `"hash": "§"`}, {"kube", "b120", "client-key-data: §"},
	{"wireguard", "b32", "[Interface]\nPrivateKey = §"}, {"ethereum", "0xh64", "PRIVATE_KEY=§"}, {"npm", "npm_a36", "_authToken=§"},
	{"vault", "hvs.CAESIa90", "VAULT_TOKEN=§"}, {"stripe", "whsec_a32", "STRIPE_WEBHOOK_SECRET=§"}, {"twilio", "h32", "TWILIO_AUTH_TOKEN=§"},
	{"discord", "a68", "https://discord.com/api/webhooks/123456789012345678/§"}, {"slack", "xoxd-a120", "d=§"}, {"eleven", "h32", "xi-api-key: §"},
	{"django", "django-insecure-a50", "SECRET_KEY = '§'"}, {"laravel", "base64:b32", "APP_KEY=§"}, {"ansible", "w12", "ansible_ssh_pass=§"},
	{"yaml", "w12", "db:\n  user: app\n  password: §"}, {"xml", "w12", "<server><username>b</username><password>§</password></server>"},
	{"putty", "b200", "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n§\nPrivate-MAC: 0"},
	{"pgp", "b300", "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n§\n-----END PGP PRIVATE KEY BLOCK-----"},
	{"net use", "w12", `net use \\srv\share § /user:dom\bob`}, {"powershell", "w12", `ConvertTo-SecureString "§" -AsPlainText -Force`},
	{"said", "w12", "the password for the staging box is §"}, {"sagt", "w12", "Das Passwort lautet: §"}, {"basic", "w12", "git clone https://bob:§@git.example.com/r.git"},
	{"path", "a40", "https://hooks.example.com/t/§/push"}, {"words", "w12", "we agreed on § for the box"},
}

// drawSecret makes a secret of a kind's description.
func drawSecret(r *rand.Rand, like string) string {
	draw := func(from string, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = from[r.IntN(len(from))]
		}
		return string(b)
	}
	at := strings.LastIndexAny(like, "habw")
	var n int
	if _, err := fmt.Sscan(like[at+1:], &n); err != nil {
		panic(like)
	}
	before := like[:at]
	if at := strings.Index(before, "$a16"); at >= 0 {
		before = before[:at+1] + draw(mixed, 16) + before[at+len("$a16"):]
	}
	switch like[at] {
	case 'h':
		return before + draw(digits+"abcdef", n)
	case 'b':
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return before + base64.StdEncoding.EncodeToString(b)
	case 'w':
		return "Kx9" + draw(mixed+"!#%^*", n-5) + "q7"
	}
	return before + draw(mixed, n)
}

// A compaction unmasks nothing: a secret that passes a redacted export of a compacted
// history, or goes to a model with it, passes the export of the original, too.
func TestACompactionUnmasksNoSecret(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 53))
	secrets := map[string]string{} // secret → kind
	lines := []string{`{"role":"user","content":"Set up the deployment."}`}
	for i, k := range secretKinds {
		for range 3 {
			s := drawSecret(r, k.like)
			secrets[s] = k.name
			call, err := model.PlainJSON("line one\n" + strings.Replace(k.text, "§", s, 1) + "\nline three")
			if err != nil {
				t.Fatal(err)
			}
			if i%3 == 0 { // in an agent's words, too
				lines = append(lines, fmt.Sprintf(`{"role":"assistant","content":%s}`, call))
			}
			lines = append(lines, fmt.Sprintf(`{"role":"assistant","content":"","tool_calls":[{"id":"c%d","type":"function","function":{"name":"bash","arguments":"{\"command\":\"cat file%d\"}"}}]}`, len(lines), i),
				fmt.Sprintf(`{"role":"tool","tool_call_id":"c%d","content":%s}`, len(lines), call))
		}
	}
	lines = append(lines, `{"role":"assistant","content":"done"}`)
	b := newBench(t)
	in := b.path("in.json")
	if err := os.WriteFile(in, []byte(`{"messages":[`+strings.Join(lines, ",")+`]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	clean := ""
	leaks := func(text string) (kinds []string) {
		text = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\u0026`, "&", `\u003c`, "<", `\u003e`, ">").Replace(text)
		for s, kind := range secrets {
			if strings.Contains(text, s) || clean != "" && holdsPiece(text, s, clean) {
				kinds = append(kinds, kind)
			}
		}
		slices.Sort(kinds)
		return kinds
	}
	b.run("export", in, "--redact", "-o", b.path("redacted.json")).ends(exitDone)
	known := leaks(string(fileBytes(t, b.path("redacted.json"))))
	if want := []string{"path", "path", "path", "words", "words", "words"}; !slices.Equal(known, want) {
		t.Errorf("of the original %q pass, and not only those that nothing shows", known)
	}
	allowed := slices.Compact(slices.Clone(known))
	clean = string(fileBytes(t, b.path("redacted.json")))
	within := func(door, text string) {
		t.Helper()
		for _, kind := range leaks(text) {
			if !slices.Contains(allowed, kind) {
				t.Errorf("%s: %s passes", door, kind)
			}
		}
	}
	server := trialServer(t)
	policy := []string{"--trigger", "3msgs", "--window", "2msgs", "--model-limit", "200000", "--min-gain", "0", "--max-summary", "4000"}
	for _, strategy := range []string{"note", "extract", "structured", "table"} {
		out, again := b.path(strategy+".json"), b.path(strategy+"-redacted.json")
		b.run(append([]string{"compact", in, "--strategy", strategy, "-o", out}, policy...)...).ends(exitDone)
		b.run("export", out, "--redact", "-o", again).ends(exitDone)
		within("export after "+strategy, string(fileBytes(t, again)))
		b.run(append([]string{"compact", out, "--strategy", "model", "--endpoint", server.URL(), "--model", "good", "--no-keep-first-user", "--window", "1msgs",
			"--accept-flaws", "-o", b.path(strategy + "-model.json")}, policy...)...)
	}
	if len(server.Requests()) == 0 {
		t.Fatal("no model was asked: nothing was proved")
	}
	for _, q := range server.Requests() {
		within("model", q.User)
	}
	b.leakAtOtherDoors(in, within)
}

// holdsPiece reports whether a text holds a piece of a secret of 20 characters that the redacted
// original does not hold.
func holdsPiece(text, secret, clean string) bool {
	const size = 20
	for at := 0; at+size <= len(secret); at += 2 {
		if piece := secret[at : at+size]; strings.Contains(text, piece) && !strings.Contains(clean, piece) {
			return true
		}
	}
	return false
}

// leakAtOtherDoors tries what is handed out elsewhere: to probes, agents and their hooks, logs,
// crash reports.
func (b *bench) leakAtOtherDoors(in string, within func(door, text string)) {
	b.Helper()
	server := trialServer(b.T)
	compacted := b.path("note.json")
	for _, file := range []string{in, compacted} {
		b.run("probe", file, "--endpoint", server.URL(), "--model", "good", "--model-window", "200000", "-q", "--presets", "balanced")
	}
	asked := len(server.Requests())
	client := b.client((&app{ctx: b.Context(), db: b.db}).world(&readFlags{}))
	for _, file := range []string{in, compacted} {
		for _, tool := range []string{"facts", "compress_context", "preview"} {
			var said json.RawMessage
			if failed := client.call(tool, map[string]any{"file": file, "tokens": 20000}, &said); failed != "" {
				client.call(tool, map[string]any{"file": file}, &said)
			}
			within(tool+" of "+filepath.Base(file), string(said))
		}
	}
	read := 0
	for i := range 2 * len(secretKinds) {
		var said struct{ Text string }
		client.call("original", map[string]any{"record": "R-0001", "message": i + 1}, &said)
		within("original", said.Text)
		read += len(said.Text)
	}
	var found json.RawMessage
	client.call("recall", map[string]any{"query": "line one"}, &found)
	within("recall", string(found))
	if read == 0 || len(found) < 100 || asked == 0 {
		b.Fatalf("%d bytes were read, %d found, %d calls: nothing was proved", read, len(found), asked)
	}

	h := b.hooks(&readFlags{})
	var given bytes.Buffer
	h.Tokens = 20_000
	must(b.T, h.Answer(event(b.T, "hook_event_name", "PreCompact", "session_id", "s", "transcript_path", in, "trigger", "manual"), &given))
	state, err := filepath.Glob(filepath.Join(h.Dir, "*.json"))
	must(b.T, err)
	equal(b.T, 1, len(state))
	within("the state of a hook", string(fileBytes(b.T, state[0])))
	must(b.T, h.Answer(event(b.T, "hook_event_name", "SessionStart", "source", "compact", "session_id", "s", "transcript_path", in), &given))
	if given.Len() < 1000 {
		b.Fatalf("a hook gives %q", given.String())
	}
	within("hook", given.String())

	var history struct{ Messages []any }
	must(b.T, json.Unmarshal(fileBytes(b.T, in), &history))
	said := b.throughGateway(server, history.Messages)
	within("log of the gateway", said)
	if len(server.Requests()) == asked {
		b.Fatal("the gateway asked no model: " + said)
	}
	for _, q := range server.Requests() {
		within("probe and gateway", q.User)
	}

	b.Setenv("XDG_DATA_HOME", b.path("home"))
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: hideInLog(nil)}))
	var all []string
	for _, m := range history.Messages {
		text, _ := m.(map[string]any)["content"].(string)
		all = append(all, text)
		logger.Warn("a call was not written down", "why", errors.New(text))
	}
	within("log", log.String())
	program.Crashes().Recovered(errors.New(strings.Join(all, "\n")), debug.Stack())
	reports, _ := filepath.Glob(b.path("home/palimpsest/crashes/*"))
	equal(b.T, 1, len(reports))
	within("crash report", string(fileBytes(b.T, reports[0])))
}

// throughGateway sends a history through a gateway that has a model write summaries, and returns
// what the gateway said.
func (b *bench) throughGateway(server *trial.Server, messages []any) string {
	b.Helper()
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, `{"id":"c","model":"m","choices":[{"message":{"role":"assistant","content":"ok"}}]}`)
	}))
	defer up.Close()
	var out, errOut syncBuffer
	ctx, cancel := context.WithCancel(b.Context())
	var running sync.WaitGroup
	running.Go(func() {
		Run(ctx, []string{"--db", b.db, "serve", "--upstream", up.URL, "--listen", "127.0.0.1:0", "--dir", b.path("gateway"), "--mode", "model", "--endpoint", server.URL(),
			"--model", "good", "--threshold", "3msgs", "--window", "2msgs", "--model-limit", "200000", "--min-gain", "0", "--accept-flaws"}, &out, &errOut, Doors{})
	})
	address := ""
	until.True(b.T, "an address is said", func() bool {
		address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(out.String())
		return address != ""
	})
	body, err := model.PlainJSON(map[string]any{"model": "m", "messages": messages[:len(messages)-1], "tools": []any{map[string]any{"name": "bash"}}})
	must(b.T, err)
	resp, err := http.Post(address+"/v1/chat/completions", "application/json", bytes.NewReader(body))
	must(b.T, err)
	_, _ = io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	cancel()
	running.Wait()
	return out.String() + errOut.String()
}
