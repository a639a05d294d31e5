package cli

import (
	"cmp"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// overviewFlags say how several files are shown.
type overviewFlags struct {
	Long bool `short:"l" help:"Of several files print the page of each in place of one table."`
}

// overview is a table with a line for each thread of several files.
type overview struct {
	head  string // of the columns before the file's
	alone bool   // a single file has lines, too
	rows  []overviewRow
}

type overviewRow struct {
	file, cells string
	rank        float64 // the highest first; of equals in the order of the files
}

// part is the table without lines, for those of one file: files are read side by side.
func (o *overview) part() *overview {
	if o == nil {
		return nil
	}
	return &overview{head: o.head, alone: o.alone}
}

// join takes the lines of the next file.
func (o *overview) join(part *overview) {
	if part != nil {
		o.rows = append(o.rows, part.rows...)
	}
}

// add takes the cells of a thread of a file.
func (o *overview) add(file string, rank float64, cells ...string) {
	o.rows = append(o.rows, overviewRow{file: file, cells: row(cells...), rank: rank})
}

// overviewOf is the table that takes the place of pages where there are several files;
// nil: pages are printed.
func (f *overviewFlags) overviewOf(data bool, head ...string) *overview {
	if data || f.Long {
		return nil
	}
	return &overview{head: row(head...)}
}

// takes reports whether a line of the table replaces a page; several: there are several
// files.
func (o *overview) takes(several bool) bool { return o != nil && (several || o.alone) }

// print prints the table, if there is one. What the folders of all files begin with is
// printed once.
func (o *overview) print(out io.Writer, files []string) {
	if o == nil || len(o.rows) == 0 {
		return
	}
	slices.SortStableFunc(o.rows, func(x, y overviewRow) int { return cmp.Compare(y.rank, x.rank) })
	common := commonFolder(files)
	if common != "" {
		heading(out, common)
	}
	rows := []string{row(o.head, "file")}
	for _, r := range o.rows {
		rows = append(rows, row(r.cells, clean(titled(strings.TrimPrefix(r.file, common)), 300)))
	}
	tableFitting(out, strings.Count(rows[0], "\t"), rows...)
}

// commonFolder is the folder that all files are in, with a separator behind it; "" if that is
// no more than a step.
func commonFolder(files []string) string {
	common := ""
	for i, f := range files {
		dir := filepath.Dir(f) + string(filepath.Separator)
		if i == 0 {
			common = dir
		}
		for !strings.HasPrefix(dir, common) {
			common = common[:strings.LastIndexByte(common[:len(common)-1], filepath.Separator)+1]
			if common == "" {
				return ""
			}
		}
	}
	if strings.Count(common, string(filepath.Separator)) < 2 {
		return ""
	}
	return common
}
