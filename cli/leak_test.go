package cli

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"palimpsest/model"
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
	leaks := func(text string) (kinds []string) {
		text = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\u0026`, "&", `\u003c`, "<", `\u003e`, ">").Replace(text)
		for s, kind := range secrets {
			if strings.Contains(text, s) {
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
	for _, form := range []string{"csv", "markdown"} {
		b.run("records", "export", "-f", form, "--redact", "-o", b.path("records."+form)).ends(exitDone)
		within("records as "+form, string(fileBytes(t, b.path("records."+form))))
	}
	if len(server.Requests()) == 0 {
		t.Fatal("no model was asked: nothing was proved")
	}
	for _, q := range server.Requests() {
		within("model", q.User)
	}
}
