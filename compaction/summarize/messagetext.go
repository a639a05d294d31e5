package summarize

import (
	"cmp"
	"fmt"
	"strings"

	"palimpsest/model"
)

const (
	wordsLimit = 300 // code points of a person's words and of an agent's closing text
	nameLimit  = 60
)

// ownText is what the message says in words: its text parts, but for those
// after a great deal of text.
func ownText(parts []model.Part) string {
	var texts []string
	size := 0
	for i := range parts {
		if parts[i].Kind == model.PartText && parts[i].Text != "" && size < phaseBytes {
			texts = append(texts, parts[i].Text)
			size += len(parts[i].Text)
		}
	}
	return strings.Join(texts, "\n")
}

// mediaNames lists what a message carries apart from text, "[image, 12 KB]". Opaque
// parts are named only where there is nothing else.
func mediaNames(w *words, parts []model.Part) []string {
	var out, opaque []string
	said := false
	for i := range parts {
		p := &parts[i]
		switch p.Kind {
		case model.PartMedia:
			out = append(out, "["+w.media(p)+"]")
		case model.PartOpaque:
			opaque = append(opaque, "["+w.media(p)+"]")
		default:
			said = true
		}
		if len(out) >= 4 || len(opaque) >= 4 {
			break
		}
	}
	if len(out) == 0 && !said {
		return opaque
	}
	return out
}

func (w *words) media(p *model.Part) string {
	kind, _, _ := strings.Cut(p.Name, "/")
	kind = line(kind, 30)
	if w.lang == Chinese {
		kind = cmp.Or(map[string]string{"image": "图片", "audio": "音频", "video": "视频"}[kind], kind)
	}
	kind = cmp.Or(kind, p.Kind.String())
	switch {
	case p.Bytes <= 0:
		return kind
	case p.Bytes < 1024:
		return fmt.Sprintf("%s, %d B", kind, p.Bytes)
	case p.Bytes < 1<<20:
		return fmt.Sprintf("%s, %d KB", kind, (p.Bytes+512)>>10)
	}
	return fmt.Sprintf("%s, %.1f MB", kind, float64(p.Bytes)/(1<<20))
}
