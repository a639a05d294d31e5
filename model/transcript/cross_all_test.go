package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"golang.org/x/net/html"
	"io"
	"regexp"
	"strings"
	"testing"

	"palimpsest/model"
)

// Every real file in every form that a history can be written in: what the form
// keeps is there when it is read again, counted message by message.
func TestEveryFileInEveryForm(t *testing.T) {
	if testing.Short() {
		t.Skip("many real files, one after the other")
	}
	files, written := 0, 0
	for _, s := range samples(t) {
		d, err := Open(t.Context(), s.Path, Options{})
		var p *model.Problem
		if errors.As(err, &p) {
			continue // holds no history; the table of formats lists them
		}
		if err != nil {
			t.Fatal(err)
		}
		files++
		t.Run(s.File, func(t *testing.T) {
			for _, target := range Targets() {
				b, lost, x := crossed(t, d, target.Format)
				w := wanted(t, d, x)
				switch target.Format {
				case model.FormatOpenAI, model.FormatAnthropic:
					checkReadBack(t, target.Format, b, lost, w)
				case FormatJSON:
					var list []json.RawMessage
					if err := json.Unmarshal(b, &list); err != nil || len(list) != len(x.Items) {
						t.Errorf("json: %d messages of %d, %v", len(list), len(x.Items), err)
					}
				case FormatHTML:
					checkPage(t, b, len(x.Items))
				case FormatMarkdown:
					if !strings.Contains(string(b), "## ") && w.messages > 0 {
						t.Error("markdown: no heading")
					}
				}
				written++
			}
		})
	}
	t.Logf("%d files, %d exports", files, written)
}

// want is what must come back of a live list.
type want struct {
	messages, calls int
	results         int // that have a call
	words           int // results without a call, or of one that has a result: words of the user
	held            int // results that answers hold: of tools that the provider ran
	open            int // calls of the last message: their results are still to come
	before          int // 1: an answer comes first, and a user's message is put before it
}

// wanted counts what a model sees of a live list.
func wanted(t *testing.T, d *model.Document, x Cross) (w want) {
	t.Helper()
	called, answered, begun := map[string]int{}, map[string]int{}, false
	for _, it := range x.Items {
		m := &x.Thread.Messages[it.Msg]
		if m.Kind == model.KindBoundary || m.Kind == model.KindOther && m.Role != model.RoleOther {
			continue
		}
		if m.Kind == model.KindResult {
			answered[m.Answers]++
		} else {
			w.open = 0
		}
		parts, err := d.Parts(m)
		if err != nil {
			t.Fatal(err)
		}
		sealed := 0
		for _, p := range parts {
			if p.Kind == model.PartOpaque {
				sealed++
			}
		}
		if sealed > 0 && sealed == len(parts) {
			continue // nothing of it can be read
		}
		if !begun && m.Kind != model.KindSystem {
			begun = true
			if m.Role == model.RoleAssistant && m.Kind == model.KindAssistant {
				w.before = 1
			}
		}
		w.messages++
		for _, p := range parts {
			if p.Kind == model.PartCall && m.Role == model.RoleAssistant {
				w.calls++
				w.open++
				called[p.CallID]++
			}
			if p.Kind == model.PartResult && m.Kind != model.KindResult {
				answered[p.CallID]++
				w.held++
			}
		}
	}
	for id, n := range answered {
		w.results += min(n, called[id])
		w.words += max(0, n-called[id])
	}
	return w
}

// checkReadBack holds what our own reader makes of an export against what went
// in. OpenAI's form holds a message for each; Anthropic's joins neighbours of one
// side. Each call has one result after it, a note where the source has none; a result without a call is the user's words.
func checkReadBack(t *testing.T, f model.Format, b []byte, lost Losses, w want) {
	t.Helper()
	back, err := Read(t.Context(), "", bytes.NewReader(b), int64(len(b)), Options{Format: f})
	if err != nil {
		// nothing was live, or nothing but a system prompt that is beside the list
		if !json.Valid(b) || w.messages > 1 || f != model.FormatAnthropic && w.messages > 0 {
			t.Errorf("%s: %d messages, %v", f, w.messages, err)
		}
		return
	}
	n := count(back)
	if n.Calls != w.calls {
		t.Errorf("%s: %d calls instead of %d", f, n.Calls, w.calls)
	}
	made := lost[LossResults]
	if missing := w.calls - w.results - made; missing < 0 || missing > w.open {
		t.Errorf("%s: %d calls, %d results and %d notes", f, w.calls, w.results, made)
	}
	results, most := n.Results, w.messages+made+2*w.held
	switch f {
	case model.FormatOpenAI:
		if n.Messages > most || w.held == 0 && n.Messages != most {
			t.Errorf("openai: %d messages of %d", n.Messages, most)
		}
	case model.FormatAnthropic:
		if n.Messages == 0 || n.Messages > most+w.before {
			t.Errorf("anthropic: %d messages of %d", n.Messages, most)
		}
	}
	if results != w.results+made {
		t.Errorf("%s: %d results instead of %d and %d notes", f, results, w.results, made)
	}
}

var addresses = regexp.MustCompile(`(?i)(https?:)?//|url\(|@import`)

// checkPage parses a report as a browser does: one article a message, nothing that
// runs, nothing that is fetched.
func checkPage(t *testing.T, b []byte, messages int) {
	t.Helper()
	z := html.NewTokenizer(bytes.NewReader(b))
	articles, open := 0, []string{}
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			if z.Err() != io.EOF {
				t.Fatal(z.Err())
			}
			break
		}
		tok := z.Token()
		switch kind {
		case html.StartTagToken:
			switch tok.Data {
			case "script", "img", "iframe", "link", "object", "embed", "form", "base", "video", "audio":
				t.Errorf("html: <%s>", tok.Data)
			case "article":
				articles++
			}
			for _, a := range tok.Attr {
				if addresses.MatchString(a.Val) || strings.HasPrefix(a.Key, "on") {
					t.Errorf("html: <%s %s=%q>", tok.Data, a.Key, a.Val)
				}
			}
			if tok.Data != "meta" && tok.Data != "br" && tok.Data != "hr" {
				open = append(open, tok.Data)
			}
		case html.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != tok.Data {
				t.Fatalf("html: </%s> closes %v", tok.Data, open)
			}
			open = open[:len(open)-1]
		case html.TextToken:
			if len(open) > 0 && open[len(open)-1] == "style" && addresses.MatchString(tok.Data) {
				t.Error("html: the style fetches something")
			}
		}
	}
	if articles != messages || len(open) > 0 {
		t.Errorf("html: %d articles for %d messages, %v left open", articles, messages, open)
	}
}
