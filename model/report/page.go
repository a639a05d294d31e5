package report

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"palimpsest/model/visible"
)

// Page is a report of headings, sentences, tables and pictures, to be written as
// Markdown or as HTML. Either is one file that needs no other.
type Page struct {
	Title string
	Parts []Part
}

// Part is a piece of a page; what is empty is left out.
type Part struct {
	Head    string
	Text    string
	Picture string     // SVG
	Table   [][]string // its first row is the heads
}

// Markdown writes the page. Pictures are images that hold their data, as in [Markdown].
func (p *Page) Markdown(w io.Writer) error {
	out := bufio.NewWriter(visible.To(w))
	fmt.Fprintf(out, "# %s\n", line(p.Title))
	for _, x := range p.Parts {
		if x.Head != "" {
			fmt.Fprintf(out, "\n## %s\n", line(x.Head))
		}
		if x.Text != "" {
			fmt.Fprintf(out, "\n%s\n", line(x.Text))
		}
		if x.Picture != "" {
			fmt.Fprintf(out, "\n%s", image(x.Picture))
		}
		for i, row := range x.Table {
			if i == 0 {
				out.WriteByte('\n')
			}
			for _, c := range row {
				fmt.Fprintf(out, "| %s ", cell(c))
			}
			out.WriteString("|\n")
			if i == 0 {
				out.WriteString(strings.Repeat("|---", len(row)) + "|\n")
			}
		}
	}
	return out.Flush()
}

// pageStyle follows the reader's theme, and prints.
const pageStyle = `:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;` +
	`background:Canvas;color:CanvasText}table{border-collapse:collapse;margin:.8rem 0;font-variant-numeric:tabular-nums}` +
	`th,td{padding:.25rem .7rem;border-bottom:1px solid #8884;text-align:right;white-space:nowrap}.t{text-align:left;white-space:normal}` +
	`div{overflow-x:auto}svg{max-width:100%;height:auto}h2{margin-top:2rem}`

// HTML writes the page; it loads nothing and runs no script.
func (p *Page) HTML(w io.Writer) error {
	out := bufio.NewWriter(visible.To(w))
	title := html.EscapeString(p.Title)
	fmt.Fprintf(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title>"+
		"<style>%s</style></head><body>\n<h1>%s</h1>\n",
		title, pageStyle, title)
	for _, x := range p.Parts {
		if x.Head != "" {
			fmt.Fprintf(out, "<h2>%s</h2>\n", html.EscapeString(x.Head))
		}
		if x.Text != "" {
			fmt.Fprintf(out, "<p>%s</p>\n", html.EscapeString(x.Text))
		}
		out.WriteString(x.Picture)
		if len(x.Table) > 0 {
			out.WriteString("<div><table>\n")
			text := wordColumns(x.Table)
			for i, row := range x.Table {
				tag := "td"
				if i == 0 {
					tag = "th"
				}
				out.WriteString("<tr>")
				for k, c := range row {
					class := ""
					if text[k] {
						class = ` class="t"`
					}
					fmt.Fprintf(out, "<%s%s>%s</%s>", tag, class, html.EscapeString(c), tag)
				}
				out.WriteString("</tr>\n")
			}
			out.WriteString("</table></div>\n")
		}
	}
	out.WriteString("</body></html>\n")
	return out.Flush()
}

// wordColumns says which columns of a table hold words and no figures: the first, and
// those in which a cell below the head begins with a letter.
func wordColumns(table [][]string) []bool {
	out := make([]bool, len(table[0]))
	out[0] = true
	for _, row := range table[1:] {
		for k, c := range row {
			r, _ := utf8.DecodeRuneInString(c)
			out[k] = out[k] || unicode.IsLetter(r)
		}
	}
	return out
}
