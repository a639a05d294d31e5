// Package words is the one place that the words of the program come from.
//
// A key names a sentence; the translations are in the assets, one file for each
// area and language (assets/lang/AREA.LANGUAGE.json, the format of go-i18n).
// [T] puts a key into words in the language that [Set] chose; it may be called
// from any goroutine. Arguments are named; the one called "count" chooses the
// plural. A key without a translation comes back as itself, which a test of
// this package turns into a failure for every key that the sources under gui
// name.
//
// The package also writes numbers: tokens, shares, times and sizes look the
// same everywhere because only this package spells them.
package words

import (
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"

	"encoding/json"

	"github.com/jeandeaual/go-locale"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"palimpsest/assets"
)

// The languages there are.
const (
	English = "en"
	Chinese = "zh-Hans"
)

// Languages lists the languages in the order in which they are offered.
var Languages = []string{English, Chinese}

// Name is what a language calls itself.
func Name(lang string) string {
	if lang == Chinese {
		return "简体中文"
	}
	return "English"
}

type chosen struct {
	lang string
	loc  func() *i18n.Localizer
}

var (
	english = sync.OnceValue(func() *i18n.Bundle { return load(English) }) // at the first word: a verb shows none
	both    = sync.OnceValue(func() *i18n.Bundle { return load(English, Chinese) })
	present atomic.Pointer[chosen]
)

// now is the language in use, English until one is chosen.
func now() *chosen {
	if c := present.Load(); c != nil {
		return c
	}
	present.CompareAndSwap(nil, choose(English))
	return present.Load()
}

func choose(lang string) *chosen {
	return &chosen{lang, sync.OnceValue(func() *i18n.Localizer {
		if lang == English {
			return i18n.NewLocalizer(english(), lang)
		}
		return i18n.NewLocalizer(both(), lang, English)
	})}
}

func load(languages ...string) *i18n.Bundle {
	b := i18n.NewBundle(language.English)
	b.RegisterUnmarshalFunc("json", json.Unmarshal)
	for _, lang := range languages {
		files, err := fs.Glob(assets.Lang, "lang/*."+lang+".json")
		if err != nil {
			panic(err) // the pattern is a constant
		}
		for _, f := range files {
			if _, err := b.LoadMessageFileFS(assets.Lang, f); err != nil {
				fmt.Fprintf(os.Stderr, "translation %s: %v\n", f, err)
			}
		}
	}
	return b
}

// Set chooses the language: one of Languages, or "" for the system's. Anything
// else is English. Its words are read in the background; who asks for one waits for that.
func Set(lang string) {
	if lang == "" {
		lang = system()
	}
	if lang != Chinese {
		lang = English
	}
	c := choose(lang)
	present.Store(c)
	go c.loc()
}

// Language is the language in use.
func Language() string { return now().lang }

// system is the language of the desktop, as far as we have it.
func system() string {
	all, err := locale.GetLocales()
	if err != nil {
		all = []string{os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG")}
	}
	for _, l := range all {
		l, _, _ = strings.Cut(l, ".")
		tag, err := language.Parse(strings.ReplaceAll(l, "_", "-"))
		if err != nil {
			continue
		}
		switch base, _ := tag.Base(); base.String() {
		case "zh": // traditional script too: there is nothing nearer
			return Chinese
		case "en":
			return English
		}
	}
	return English
}

// T is the sentence of a key. Arguments are pairs of a name and a value:
// T("ledger.skipped", "count", 2, "total", 9410). Whole numbers are written
// with separators.
func T(key string, args ...any) string {
	c := &i18n.LocalizeConfig{MessageID: key}
	if len(args) > 0 {
		data := make(map[string]any, len(args)/2)
		for i := 0; i+1 < len(args); i += 2 {
			name := fmt.Sprint(args[i])
			n, whole := integer(args[i+1])
			switch {
			case whole:
				data[name] = Int(n)
			default:
				data[name] = args[i+1]
			}
			if name == "count" {
				c.PluralCount = pluralCount(n, whole, args[i+1])
			}
		}
		c.TemplateData = data
	}
	s, err := now().loc().Localize(c)
	if s == "" && err != nil {
		return key
	}
	return s
}

// pluralCount is the number in a form that go-i18n takes; nil, which is many, where it is
// none.
func pluralCount(n int64, whole bool, v any) any {
	if whole {
		return n
	}
	if s := strings.ReplaceAll(fmt.Sprint(v), ",", ""); plain.MatchString(s) {
		return s
	}
	return nil
}

// plain is a number without a sign of any kind.
var plain = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)

func integer(v any) (int64, bool) {
	switch n := v.(type) {
	case int:
		return int64(n), true
	case int32:
		return int64(n), true
	case int64:
		return n, true
	case uint64:
		return int64(n), n < 1<<63
	}
	return 0, false
}
