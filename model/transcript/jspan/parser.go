package jspan

import "math"

// Parser parses values and keeps an index of them: where each of their keys and
// values begins and ends. Looking a member up then costs the number of members
// and not the length of the texts before it.
//
// A value, and all that is taken from it, is good until the parser is Reset. The
// zero Parser is ready. It must not be copied. One goroutine at a time may parse
// with it; any number may look into what was parsed.
type Parser struct {
	nodes []node
	opens [MaxDepth]int32 // nodes of the open containers
	full  bool            // there is no more room, or there is to be no index
}

// Reset makes room for other values. Those parsed before are no longer good.
func (p *Parser) Reset() { p.nodes = p.nodes[:0] }

// node is a key or value of the index. Those inside a container follow it: in an
// object each key comes before its value.
type node struct {
	off, end uint32
	next     int32 // the node after this one and all inside it
	kind     Kind
}

// maxNodes bounds the index to 16 MB, whatever a line of many million numbers
// would ask for. A value for which there is no room is looked into without one.
const maxNodes = 1 << 20

// Parse is the function [Parse] with an index.
func (p *Parser) Parse(b []byte, i int) (Value, error) {
	first := len(p.nodes)
	p.full = first >= maxNodes || len(b) > math.MaxUint32
	v, err := p.parse(b, i)
	if v.index == nil {
		p.nodes = p.nodes[:first]
	}
	v.node = int32(first)
	return v, err
}

func (p *Parser) open(off int, c byte, depth int) {
	if !p.full {
		p.opens[depth] = int32(len(p.nodes))
		p.add(node{off: uint32(off), kind: kindOf(c)})
	}
}

func (p *Parser) close(end, depth int) {
	if !p.full {
		n := &p.nodes[p.opens[depth]]
		n.end, n.next = uint32(end), int32(len(p.nodes))
	}
}

func (p *Parser) leaf(off, end int, kind Kind) {
	if !p.full {
		p.add(node{off: uint32(off), end: uint32(end), next: int32(len(p.nodes) + 1), kind: kind})
	}
}

func (p *Parser) add(n node) {
	p.nodes = append(p.nodes, n)
	p.full = len(p.nodes) == maxNodes
}

// root is the value that was parsed, with the index if it is whole.
func (p *Parser) root(b []byte, off, end int) Value {
	v := Value{Buf: b, Off: off, End: end, Kind: kindOf(b[off])}
	if !p.full {
		v.index = p
	}
	return v
}

// value returns the value of a node.
func (p *Parser) value(b []byte, k int32) Value {
	n := &p.nodes[k]
	return Value{Buf: b, Off: int(n.off), End: int(n.end), Kind: n.kind, node: k, index: p}
}

// each is [Value.Each] by the index.
func (p *Parser) each(v Value, f func(key []byte, val Value) bool) {
	for k, end := v.node+1, p.nodes[v.node].next; k < end; k = p.nodes[k+1].next {
		if n := &p.nodes[k]; !f(v.Buf[n.off+1:n.end-1], p.value(v.Buf, k+1)) {
			return
		}
	}
}

// items is [Value.Items] by the index.
func (p *Parser) items(v Value, f func(i int, val Value) bool) {
	i := 0
	for k, end := v.node+1, p.nodes[v.node].next; k < end; k = p.nodes[k].next {
		if !f(i, p.value(v.Buf, k)) {
			return
		}
		i++
	}
}

// member is the first member of that name of the object of a node, or Missing.
// Its arguments fit into registers; a Value beside a key would not.
func (p *Parser) member(b []byte, object int32, key string) Value {
	nodes, size := p.nodes, uint32(len(key)+len(`""`))
	for k, end := object+1, nodes[object].next; k < end; k = nodes[k+1].next {
		if n := &nodes[k]; n.end-n.off == size && string(b[n.off+1:n.end-1]) == key { // few other keys are as long
			return p.value(b, k+1)
		}
	}
	return Value{}
}
