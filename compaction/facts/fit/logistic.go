package main

import (
	"math"

	"palimpsest/compaction/facts"
)

const (
	features = int(facts.Features)
	width    = features + 1 // and the base
	ridge    = 1.0          // λ of the penalty λ/2·Σβ² on weights of standardised features
	tooFew   = 5            // needs below which a session says nothing
)

type vector [width]float64

// problem is the penalised likelihood of a logistic model over standardised
// features. A session counts by the square root of its needs: a long one says
// more than a short one, but does not drown it.
type problem struct {
	rows   []vector
	needed []bool
	weight []float64
	mean   [features]float64
	spread [features]float64
}

// fit finds the weights. Features whose bit is set in without are left out.
func fit(sessions [][]example, without uint64) facts.Weights {
	p := newProblem(sessions)
	b := p.least(vector{features: -4}, without)
	return p.weights(&b)
}

// least finds the place of the smallest loss by Newton's method with step halving,
// from b on. Features whose bit is set in without are left out.
func (p *problem) least(b vector, without uint64) vector {
	for j := range features {
		if without&(1<<j) != 0 {
			b[j] = 0
		}
	}
	now := p.loss(&b)
	for range 50 {
		d := p.step(&b, without)
		next, l := b, now
		for size := 1.0; size > 1e-4; size /= 2 {
			for j := range next {
				next[j] = b[j] + size*d[j]
			}
			if l = p.loss(&next); l < now {
				break
			}
		}
		if now-l < 1e-9*now {
			break
		}
		b, now = next, l
	}
	return b
}

// weights are those of the features as they are.
func (p *problem) weights(b *vector) facts.Weights {
	w := facts.Weights{Base: b[features]}
	for j := range features {
		if p.spread[j] > 0 {
			w.Features[j] = b[j] / p.spread[j]
			w.Base -= w.Features[j] * p.mean[j]
		}
	}
	return w
}

func newProblem(sessions [][]example) *problem {
	p := &problem{}
	total := 0.0
	var raw []*facts.Evidence
	for _, list := range sessions {
		n := needs(list)
		if n < tooFew {
			continue
		}
		for i := range list {
			e := &list[i]
			w := e.weight / math.Sqrt(float64(n))
			raw, p.needed, p.weight = append(raw, &e.evidence), append(p.needed, e.needed), append(p.weight, w)
			total += w
			for j, v := range e.evidence {
				p.mean[j] += w * v
			}
		}
	}
	for j := range p.mean {
		p.mean[j] /= total
	}
	for i, e := range raw {
		for j, v := range e {
			p.spread[j] += p.weight[i] * (v - p.mean[j]) * (v - p.mean[j])
		}
	}
	for j := range p.spread {
		p.spread[j] = math.Sqrt(p.spread[j] / total)
	}
	p.rows = make([]vector, len(raw))
	for i, e := range raw {
		p.rows[i][features] = 1
		for j, v := range e {
			if p.spread[j] > 0 {
				p.rows[i][j] = (v - p.mean[j]) / p.spread[j]
			}
		}
	}
	return p
}

func dot(a, b *vector) (s float64) {
	for j := range a {
		s += a[j] * b[j]
	}
	return s
}

// loss is what is made smallest.
func (p *problem) loss(b *vector) float64 {
	l := 0.0
	for i := range p.rows {
		z := dot(b, &p.rows[i])
		if p.needed[i] {
			z = -z
		}
		l += p.weight[i] * (math.Max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))))
	}
	for j := range features {
		l += ridge / 2 * b[j] * b[j]
	}
	return l
}

// step is Newton's, along the features that are not left out.
func (p *problem) step(b *vector, without uint64) vector {
	h, g := p.slopes(b)
	for j := range features {
		if without&(1<<j) != 0 {
			h[j], g[j] = vector{}, 0
			for k := range width {
				h[k][j] = 0
			}
			h[j][j] = 1
		}
	}
	return solve(h, g)
}

// lacking returns for each feature where the loss would be smallest without it,
// estimated by the curvature at the smallest loss with all, b: exact if the loss were a
// parabola, close for a feature that weighs little.
func (p *problem) lacking(b *vector) (out [features]vector) {
	h, _ := p.slopes(b)
	for f := range features {
		var unit vector
		unit[f] = 1
		d := solve(h, unit)
		out[f] = *b
		for j := range d {
			out[f][j] -= d[j] * b[f] / d[f]
		}
		out[f][f] = 0
	}
	return out
}

// slopes are the second derivatives of the loss and the first, turned downhill.
func (p *problem) slopes(b *vector) (h [width]vector, g vector) {
	for i := range p.rows {
		r := &p.rows[i]
		chance := 1 / (1 + math.Exp(-dot(b, r)))
		miss := -chance
		if p.needed[i] {
			miss++
		}
		curve := p.weight[i] * chance * (1 - chance)
		for j := range r {
			g[j] += p.weight[i] * miss * r[j]
			c := curve * r[j]
			for k := 0; k <= j; k++ {
				h[j][k] += c * r[k]
			}
		}
	}
	for j := range width {
		if j < features {
			g[j] -= ridge * b[j]
			h[j][j] += ridge
		}
		for k := range j {
			h[k][j] = h[j][k]
		}
	}
	return h, g
}

// solve solves h·x = g for a symmetric positive definite h by Gauss's
// elimination, which then needs no pivots.
func solve(h [width]vector, g vector) (x vector) {
	for i := range width {
		for r := i + 1; r < width; r++ {
			f := h[r][i] / h[i][i]
			for c := i; c < width; c++ {
				h[r][c] -= f * h[i][c]
			}
			g[r] -= f * g[i]
		}
	}
	for i := width - 1; i >= 0; i-- {
		x[i] = g[i]
		for c := i + 1; c < width; c++ {
			x[i] -= h[i][c] * x[c]
		}
		x[i] /= h[i][i]
	}
	return x
}
