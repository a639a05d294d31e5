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

// tableRow lays out one row, as many lines high as its highest cell.
func (l *layer) tableRow(i int, x float32, line int, cells [][2]int, widths []float32) {
	b := &l.out.Doc.Blocks[i]
	w := wrapper{l: l, b: b, scale: 1}
	rest := make([]int, len(cells))
	for c := range cells {
		rest[c] = cells[c][0]
	}
	for more, head := true, true; more || head; head = false {
		var list []Cell
		more = false
		at := x
		for c, cell := range cells {
			from := rest[c]
			if from < cell[1] || head {
				w.seek(from)
				end := from
				if from < cell[1] {
					end = w.fit(from, cell[1], widths[c])
				}
				k := Cell{From: int32(from), To: int32(end), X: at, Width: widths[c]}
				if c < len(b.Align) {
					k.Align = b.Align[c]
				}
				list = append(list, k)
				for rest[c] = end; rest[c] < cell[1] && b.Text[rest[c]] == ' '; rest[c]++ {
				}
				more = more || rest[c] < cell[1]
			}
			at += widths[c] + cellGap*l.em
		}
		if len(list) == 0 {
			return
		}
		l.out.Cells = append(l.out.Cells, list)
		l.row(Row{Block: int32(i), From: list[0].From, To: list[len(list)-1].To, Line: int32(line), Head: head, X: x,
			Cells: int32(len(l.out.Cells))})
	}
}
