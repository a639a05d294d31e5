package kit

import (
	"bytes"
	"fmt"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
)

// cmapOf reads the character map of a font file and nothing else of it: to parse
// a whole font takes longer than anything else at the start.
func cmapOf(file []byte) (font.Cmap, error) {
	l, err := opentype.NewLoader(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("open font: %w", err)
	}
	raw, err := l.RawTable(opentype.MustNewTag("cmap"))
	if err != nil {
		return nil, fmt.Errorf("find the font's character map: %w", err)
	}
	table, _, err := tables.ParseCmap(raw)
	if err != nil {
		return nil, fmt.Errorf("read the font's character map: %w", err)
	}
	m, _, err := font.ProcessCmap(table, tables.FPNone)
	if err != nil {
		return nil, fmt.Errorf("read the font's character map: %w", err)
	}
	return m, nil
}
