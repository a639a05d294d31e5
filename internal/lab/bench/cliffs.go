package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// picture shows what each byte of a history costs as it grows.
const picture = "docs/screenshots/cliffs.svg"

// work is a verb whose price is measured.
type work struct {
	verb string
	args func(path, out string) []string
}

var works = []work{
	{"inspect", func(path, _ string) []string { return []string{"inspect", path} }},
	{"preview", func(path, _ string) []string { return []string{"preview", path} }},
	{"replay", func(path, _ string) []string { return []string{"replay", path} }},
	{"compact", func(path, out string) []string { return []string{"compact", path, "--threshold", "30%", "-o", out} }},
	{"export", func(path, out string) []string { return []string{"export", path, "-f", "markdown", "-o", out} }},
	{"find", func(path, _ string) []string { return []string{"find", "tokens>0 a-word-that-is-nowhere", path} }},
}

// spot is what a verb took for a history of one size.
type spot struct{ mb, cpu, memory float64 } // CPU milliseconds and MB of memory a MB

// curve is what a verb takes for a shape as histories grow.
type curve struct {
	verb, format string
	spots        []spot
}

// knee is how much more a byte of twice the history may take.
const knee = 1.3

// cliffs measures every verb on every shape at sizes of 1 MB, 2 MB, … and draws the picture.
func cliffs(ctx context.Context, l *lab, most int) error {
	var all []curve
	for i := range shapes {
		list := make([]curve, len(works))
		for k, w := range works {
			list[k] = curve{verb: w.verb, format: shapes[i].format}
		}
		for mb := 1; mb <= most; mb *= 2 {
			path, err := l.made(ctx, &shapes[i], mb)
			if err != nil {
				return err
			}
			log.Printf("%s, %d MB", shapes[i].format, mb)
			for k, w := range works {
				s, err := l.spot(ctx, path, w)
				if err != nil {
					return fmt.Errorf("%s of %d MB: %s: %w", shapes[i].format, mb, w.verb, err)
				}
				list[k].spots = append(list[k].spots, s)
			}
			if err := os.Remove(path); err != nil {
				return err
			}
		}
		all = append(all, list...)
	}
	for _, c := range all {
		for i, s := range c.spots {
			fmt.Printf("%s\t%s\t%.1f MB\t%.0f ms/MB\t%.1f MB/MB", c.verb, c.format, s.mb, s.cpu, s.memory)
			if i > 0 && s.cpu > knee*c.spots[i-1].cpu {
				fmt.Print("\tknee")
			}
			fmt.Println()
		}
	}
	return os.WriteFile(picture, []byte(drawn(all)), 0o644)
}

// made writes a history by another process: the memory that this one once took would
// count for each program that it starts.
func (l *lab) made(ctx context.Context, s *shape, mb int) (string, error) {
	path := filepath.Join(l.dir, fmt.Sprintf("%s-%d.json", s.format, mb))
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if text, err := exec.CommandContext(ctx, self, "-write", fmt.Sprint(s.format, ",", mb), "-to", path).CombinedOutput(); err != nil {
		return "", fmt.Errorf("write %s: %w: %s", s.format, err, text)
	}
	text, err := exec.CommandContext(ctx, l.verbs, "inspect", path, "--json", "--db", filepath.Join(l.dir, "read.db")).Output()
	var read struct{ Format string }
	if err = cmp.Or(err, json.Unmarshal(text, &read)); err == nil && read.Format != s.format {
		err = fmt.Errorf("a history of %s is read as %s", s.format, read.Format)
	}
	return path, err
}

// writeHistory writes one history: "claude-code,16" is its shape and size in MB.
func writeHistory(what, path string) error {
	format, size, _ := strings.Cut(what, ",")
	i := slices.IndexFunc(shapes, func(s shape) bool { return s.format == format })
	var mb int64
	if _, err := fmt.Sscan(size, &mb); err != nil || i < 0 {
		return fmt.Errorf("%q is no shape and size", what)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(shapes[i].write(f, mb*1e6), f.Close())
}

// spot runs a verb once.
func (l *lab) spot(ctx context.Context, path string, w work) (spot, error) {
	out := filepath.Join(l.dir, "out")
	_ = os.Remove(out) // the first time it is not there
	bytes, err := sizeOf(path)
	if err != nil {
		return spot{}, err
	}
	u, err := l.verb(ctx, w.args(path, out)...)
	var status *exec.ExitError
	if errors.As(err, &status) && w.verb == "find" && status.ExitCode() == 1 {
		err = nil // nothing was found
	}
	mb := bytes / 1e6
	return spot{mb, milliseconds(u.cpu) / mb, u.memory / mb}, err
}

// peakOf is the most memory that a program took, in MB.
func peakOf(p *os.ProcessState) float64 {
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		return float64(u.Maxrss) / 1024
	}
	return 0
}

// Measures of the picture, in pixels.
const (
	paneWide, paneHigh = 300, 170
	edge               = 46
)

// drawn is the picture: a pane for each verb, above CPU time a MB, below memory.
func drawn(all []curve) string {
	var b strings.Builder
	wide, high := len(works)*(paneWide+edge)+edge, 2*(paneHigh+edge)+edge+20*((len(shapes)+5)/6)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`, wide, high)
	b.WriteString("\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n")
	for k, w := range works {
		for row, measure := range []struct {
			name string
			of   func(spot) float64
		}{
			{"CPU ms a MB", func(s spot) float64 { return s.cpu }}, {"memory, MB a MB", func(s spot) float64 { return s.memory }},
		} {
			x, y := edge+k*(paneWide+edge), edge/2+row*(paneHigh+edge)
			fmt.Fprintf(&b, `<text x="%d" y="%d" font-weight="bold">%s: %s</text>`+"\n", x, y-6, w.verb, measure.name)
			pane(&b, x, y, slices.DeleteFunc(slices.Clone(all), func(c curve) bool { return c.verb != w.verb }), measure.of)
		}
	}
	for i, s := range shapes {
		x, y := edge+(i%6)*(paneWide+edge), high-20*((len(shapes)+5)/6)+20*(i/6)
		fmt.Fprintf(&b, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="%s" stroke-width="3"/><text x="%d" y="%d">%s</text>`+"\n",
			x, y, x+24, y, colour(i), x+32, y+4, s.format)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// pane draws the curves of one verb: sizes double to the right.
func pane(b *strings.Builder, x, y int, curves []curve, of func(spot) float64) {
	top, steps := 1e-9, max(1, len(curves[0].spots)-1)
	for _, c := range curves {
		for _, s := range c.spots {
			top = max(top, of(s))
		}
	}
	fmt.Fprintf(b, `<path d="M%d %dv%dh%d" fill="none" stroke="gray"/>`+"\n", x, y, paneHigh, paneWide)
	foot := y + paneHigh + 14
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="end">%s</text><text x="%d" y="%d">1 MB</text>`, x-4, y+10, number(top), x, foot)
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="end">%d MB</text>`+"\n", x+paneWide, foot, 1<<steps)
	for i, c := range curves {
		var points []string
		for k, s := range c.spots {
			points = append(points, fmt.Sprintf("%d,%.0f", x+k*paneWide/steps, float64(y)+paneHigh*(1-of(s)/top)))
		}
		fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"/>`+"\n", strings.Join(points, " "), colour(i))
	}
}

func colour(i int) string { return fmt.Sprintf("hsl(%d,70%%,%d%%)", i*360/len(shapes), 38+14*(i%2)) }
