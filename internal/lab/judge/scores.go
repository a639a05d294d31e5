package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

var questions = []string{"goal", "state", "next", "orders", "beliefs"}

// item is a text of a cut, as the key and the readers' files name it.
type item struct{ cut, letter string }

// rows reads a table with tabs between, without its first line.
func rows(path string) ([][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all [][]string
	lines := bufio.NewScanner(f) // a reader's remark may begin with a quotation mark
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) != "" {
			all = append(all, strings.Split(lines.Text(), "\t"))
		}
	}
	if err := lines.Err(); err != nil || len(all) == 0 {
		return nil, fmt.Errorf("%s: no rows (%w)", path, err)
	}
	return all[1:], nil
}

// given is the scores of one reader: five for each text.
func given(path string) (map[item][]float64, error) {
	all, err := rows(path)
	if err != nil {
		return nil, err
	}
	out := map[item][]float64{}
	for _, row := range all {
		if len(row) < 2+len(questions) {
			return nil, fmt.Errorf("%s: a row of %d columns: %v", path, len(row), row)
		}
		of := item{strings.TrimSpace(row[0]), strings.TrimSpace(row[1])}
		for _, cell := range row[2 : 2+len(questions)] {
			n, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
			if err != nil || n < 0 || n > 3 {
				return nil, fmt.Errorf("%s: %v has the score %q", path, of, cell)
			}
			out[of] = append(out[of], n)
		}
	}
	return out, nil
}

// scores prints what the readers of a round gave: by text and question, how far the readers
// agree, and how often one text was better than another at the same cut.
func scores(folder string) error {
	key, err := rows(filepath.Join(filepath.Dir(folder), "key-"+filepath.Base(folder)+".tsv"))
	if err != nil {
		return err
	}
	files, _ := filepath.Glob(filepath.Join(folder, "scores-*.tsv"))
	if len(files) == 0 {
		return fmt.Errorf("%s holds no scores-NAME.tsv", folder)
	}
	var readers []map[item][]float64
	for _, f := range files {
		r, err := given(f)
		if err != nil {
			return err
		}
		readers = append(readers, r)
	}
	var kinds []string
	mean := map[string]map[string]float64{} // kind, cut: mean of the readers
	asked := map[string][]float64{}
	for _, row := range key {
		of, kind := item{row[0], row[1]}, row[2]
		var total, n float64
		for _, r := range readers {
			for q, score := range r[of] {
				total += score
				if asked[kind] == nil {
					kinds, asked[kind], mean[kind] = append(kinds, kind), make([]float64, 2*len(questions)), map[string]float64{}
				}
				asked[kind][q] += score
				asked[kind][len(questions)+q]++
			}
			if r[of] != nil {
				n++
			}
		}
		if n > 0 {
			mean[kind][row[0]] = total / n
		}
	}
	sort.Strings(kinds)
	fmt.Printf("| text | cuts | of 15 | %s |\n|---|---|---|---|---|---|---|---|\n", strings.Join(questions, " | "))
	for _, kind := range kinds {
		var all []float64
		for _, v := range mean[kind] {
			all = append(all, v)
		}
		fmt.Printf("| %s | %d | %.1f |", kind, len(all), average(all))
		for q := range questions {
			fmt.Printf(" %.2f |", asked[kind][q]/asked[kind][len(questions)+q])
		}
		fmt.Println()
	}
	agreement(files, readers)
	fmt.Println()
	for _, a := range kinds {
		for _, b := range kinds {
			if a < b {
				compare(a, b, mean[a], mean[b])
			}
		}
	}
	return nil
}

func average(all []float64) float64 {
	var sum float64
	for _, v := range all {
		sum += v
	}
	return sum / float64(len(all))
}

// agreement prints for each two readers how their totals go together.
func agreement(files []string, readers []map[item][]float64) {
	for i := range readers {
		for j := i + 1; j < len(readers); j++ {
			var x, y []float64
			for of, a := range readers[i] {
				if b := readers[j][of]; b != nil {
					x, y = append(x, 5*average(a)), append(y, 5*average(b))
				}
			}
			var xy, xx, yy, apart float64
			for k := range x {
				dx, dy := x[k]-average(x), y[k]-average(y)
				xy, xx, yy = xy+dx*dy, xx+dx*dx, yy+dy*dy
				apart += math.Abs(x[k] - y[k])
			}
			fmt.Printf("\n%s, %s: %d texts of both, r = %.2f, %.1f of 15 apart in the mean\n", filepath.Base(files[i]),
				filepath.Base(files[j]), len(x), xy/math.Sqrt(xx*yy), apart/float64(len(x)))
		}
	}
}

func compare(a, b string, of, other map[string]float64) {
	var better, equal, worse int
	var apart float64
	for cut, v := range of {
		w, both := other[cut]
		switch {
		case !both:
			continue
		case v > w:
			better++
		case v < w:
			worse++
		default:
			equal++
		}
		apart += v - w
	}
	if n := better + equal + worse; n > 0 {
		fmt.Printf("%s against %s: %+.1f, better at %d, equal at %d, worse at %d of %d cuts\n", a, b, apart/float64(n), better,
			equal, worse, n)
	}
}
