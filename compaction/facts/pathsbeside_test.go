package facts

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"palimpsest/model"
)

// plainBeside is the rule of pathsBeside, from the beginning for each name.
func plainBeside(x *Index, at int, paths, names []ID, beside map[ID][]ID) (rest []ID) {
	for _, name := range names {
		end, _ := x.between(name, at, at+1)
		msgs := x.msgs[max(x.starts[name], end-min(end, seenIn)):end]
		weight, times := map[ID]float64{}, map[ID]int{}
		best := ID(-1)
		for _, m := range msgs {
			var held []ID
			for _, id := range x.In(int(m)) {
				if slices.Contains(paths, id) {
					held = append(held, id)
				}
			}
			for _, id := range held {
				weight[id] += 1 / float64(len(held))
				times[id]++
			}
		}
		for _, id := range paths {
			if weight[id] > 0 && (best < 0 || weight[id] > weight[best] || weight[id] == weight[best] && id < best) {
				best = id
			}
		}
		if best >= 0 && (times[best] >= 2 || times[best] == len(msgs)) && len(beside[best]) < mostBeside {
			beside[best] = append(beside[best], name)
			continue
		}
		rest = append(rest, name)
	}
	return rest
}

// Of ever shorter lists, names are beside the same paths as by the plain rule.
func TestPathsBeside(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	placed := 0
	for range 40 {
		n := 5 + r.IntN(40)
		x, err := Build(context.Background(), Standard, n, func(int) (Message, error) {
			var words []string
			for range r.IntN(12) {
				words = append(words, []string{fmt.Sprintf("src/file%d.go", r.IntN(9)), fmt.Sprintf("some_name_%d", r.IntN(40))}[r.IntN(2)])
			}
			return Message{Author: Agent, Parts: []model.Part{{Kind: model.PartText, Text: strings.Join(words, " ")}}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var paths, names []ID
		for _, id := range r.Perm(x.Len()) {
			if x.facts[id].Kind == Path {
				paths = append(paths, ID(id))
			} else {
				names = append(names, ID(id))
			}
		}
		at := r.IntN(n + 1)
		p := newPathsBeside(newNamesBeside(x, at), x.Lister(nil).table())
		for len(paths) > 0 {
			got, want := map[ID][]ID{}, map[ID][]ID{}
			a, b := p.split(paths, names), plainBeside(x, at, paths, names, want)
			for _, id := range paths {
				if list := p.beside(id); len(list) > 0 {
					got[id] = list
				}
			}
			if !slices.Equal(a, b) || !reflect.DeepEqual(got, want) {
				t.Fatalf("at %d of %d, paths %v, names %v:\n%v %v, by the plain rule\n%v %v", at, n, paths, names, got, a, want, b)
			}
			placed += len(got)
			paths, names = paths[:len(paths)-1], names[:max(0, len(names)-r.IntN(3))]
		}
	}
	if placed < 200 {
		t.Errorf("%d paths with names", placed)
	}
}
