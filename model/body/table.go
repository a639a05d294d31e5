package body

import "strings"

// The measures of a table, in ems.
const (
	cellGap  = 1.6
	leastCol = 4
)

// table lays out a table: its columns as wide as their cells where there is room
// for that, else wrapped.
func (l *layer) table(i int, b *Block, x float32) {
	rows := cellsOf(b.Text)
	cols := 0
	for _, r := range rows {
		cols = max(cols, len(r))
	}
	if cols == 0 {
		return
	}
	widths := l.columns(b, rows, cols, l.p.Width-x-l.right(b)-cellGap*l.em*float32(cols-1))
	for line, r := range rows {
		l.tableRow(i, x, line, r, widths)
	}
}

// cellsOf are the ranges of the cells of each row.
func cellsOf(text string) (rows [][][2]int) {
	at := 0
	for line := range strings.SplitSeq(text, "\n") {
		var row [][2]int
		for cell := range strings.SplitSeq(line, "\t") {
			row = append(row, [2]int{at, at + len(cell)})
			at += len(cell) + 1
		}
		rows = append(rows, row)
	}
	return rows
}

// columns are the widths of the columns.
func (l *layer) columns(b *Block, rows [][][2]int, cols int, room float32) []float32 {
	widths := make([]float32, cols)
	w := wrapper{l: l, b: b, scale: 1}
	for _, r := range rows {
		for c, cell := range r {
			w.seek(cell[0])
			sum := float32(0)
			for k, ch := range b.Text[cell[0]:cell[1]] {
				sum += w.width(cell[0]+k, ch)
			}
			widths[c] = max(widths[c], sum+1)
		}
	}
	total := float32(0)
	for _, v := range widths {
		total += v
	}
	// What is wider than its share gives way, the widest first.
	for over := total - room; over > 0; {
		widest, second := 0, float32(leastCol*l.em)
		for c, v := range widths {
			if v > widths[widest] {
				widest = c
			}
		}
		for c, v := range widths {
			if c != widest {
				second = max(second, v)
			}
		}
		if widths[widest] <= leastCol*l.em {
			break
		}
		cut := min(over, max(widths[widest]-second, (widths[widest]-leastCol*l.em)/4, 1))
		widths[widest] -= cut
		over -= cut
	}
	return widths
}

// tableRow lays out one row of a table.
func (l *layer) tableRow(i int, x float32, line int, cells [][2]int, widths []float32) {
	b := &l.out.Doc.Blocks[i]
	list := make([]Cell, len(cells))
	at := x
	for c, cell := range cells {
		list[c] = Cell{From: int32(cell[0]), To: int32(cell[1]), X: at, Width: widths[c]}
		if c < len(b.Align) {
			list[c].Align = b.Align[c]
		}
		at += widths[c] + cellGap*l.em
	}
	l.cellRows(i, line, x, list, wrapper{l: l, b: b, scale: 1})
}

// cellRows lays out texts beside each other, as many rows high as the highest of them.
func (l *layer) cellRows(i, line int, x float32, cells []Cell, w wrapper) {
	text := w.b.Text
	for more, head := true, true; more || head; head = false {
		var list []Cell
		more = false
		for c := range cells {
			rest := &cells[c] // what of it is still to come
			if rest.From >= rest.To && !head {
				continue
			}
			k := *rest
			w.seek(int(k.From))
			if k.From < k.To {
				k.To = int32(w.fit(int(k.From), int(k.To), k.Width))
			}
			list = append(list, k)
			for rest.From = k.To; rest.From < rest.To && text[rest.From] == ' '; rest.From++ {
			}
			more = more || rest.From < rest.To
		}
		if len(list) == 0 {
			return
		}
		l.out.Cells = append(l.out.Cells, list)
		l.row(Row{Block: int32(i), From: list[0].From, To: list[len(list)-1].To, Line: int32(line), Head: head, X: x,
			Cells: int32(len(l.out.Cells))})
	}
}
