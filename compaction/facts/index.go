package facts

// Index says where each fact of a history occurs. It is immutable. Memory grows
// with the facts and their occurrences, not with the text: a string once per
// fact and about ten bytes per occurrence.
type Index struct {
	facts  []Fact
	starts []uint32 // occurrences of fact f are msgs[starts[f]:starts[f+1]]
	msgs   []uint32
	wheres []Where

	from  []uint32 // facts of message m are ids[from[m]:from[m+1]]
	ids   []ID
	marks []Where

	authors []Author
	blocks  []uint32 // content blocks before message m, len messages+1
}
