package transcript

import (
	"bytes"
	"encoding/csv"
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
				case model.FormatOpenAI, model.FormatAnthropic, model.FormatShareGPT:
					checkReadBack(t, target.Format, b, lost, w)
				case FormatJSON:
					var list []json.RawMessage
					if err := json.Unmarshal(b, &list); err != nil || len(list) != len(x.Items) {
						t.Errorf("json: %d messages of %d, %v", len(list), len(x.Items), err)
					}
				case FormatCSV:
					rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
					if err != nil || len(rows) != len(x.Items)+1 {
						t.Errorf("csv: %d rows for %d messages, %v", len(rows), len(x.Items), err)
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
	messages, calls, results int
	unnamed                  int // results that don't say which call they answer
	ran                      int // calls without an id: the source's own tool ran them
}

// wanted counts what a model sees of a live list.
func wanted(t *testing.T, d *model.Document, x Cross) (w want) {
	t.Helper()
	for _, it := range x.Items {
		m := &x.Thread.Messages[it.Msg]
		if m.Kind == model.KindBoundary || m.Kind == model.KindOther && m.Role != model.RoleOther {
			continue
		}
		w.messages++
		if m.Kind == model.KindResult {
			w.results++
			if m.Answers == "" {
				w.unnamed++
			}
		}
		parts, err := d.Parts(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			if p.Kind == model.PartCall && m.Role == model.RoleAssistant {
				w.calls++
				if p.CallID == "" {
					w.ran++
				}
			}
		}
	}
	return w
}

// checkReadBack holds what our own reader makes of an export against what went
// in. OpenAI's form holds a message for each; Anthropic's joins neighbours of one
// side; ShareGPT writes the calls of a message by themselves. A result whose call the model no longer
// sees has no place in Anthropic's form: it is counted among the roles lost.
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
	switch f {
	case model.FormatOpenAI:
		if n.Messages != w.messages+w.ran || n.Results != w.results-w.unnamed+w.ran {
			t.Errorf("openai: %d messages of %d, %d results of %d, and %d calls that a tool ran itself", n.Messages, w.messages, n.Results, w.results, w.ran)
		}
	case model.FormatAnthropic:
		if n.Messages == 0 || n.Messages > w.messages || n.Results > w.results || n.Results+lost[LossRoles] < w.results-w.unnamed {
			t.Errorf("anthropic: %d messages of %d, %d results of %d, lost %v", n.Messages, w.messages, n.Results, w.results, lost)
		}
	case model.FormatShareGPT:
		if got := bytes.Count(b, []byte("\n{\"from\":\"observation\"")); got != w.results {
			t.Errorf("sharegpt: %d observations for %d results", got, w.results)
		}
		if got := bytes.Count(b, []byte("\n{\"from\":")); got < w.messages || got > w.messages+w.calls {
			t.Errorf("sharegpt: %d sayings for %d messages and %d calls", got, w.messages, w.calls)
		}
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
