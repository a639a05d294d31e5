package store

// Sort names a column that a list of records is ordered by. Records that are
// equal in it stand in the order of their numbers.
type Sort string

const (
	SortTime     Sort = "time"
	SortSession  Sort = "session"
	SortCause    Sort = "cause"
	SortOutcome  Sort = "outcome"
	SortPreset   Sort = "preset"
	SortModel    Sort = "model"
	SortBefore   Sort = "before"
	SortAfter    Sort = "after"
	SortSaved    Sort = "saved" // the share of the tokens that went
	SortDuration Sort = "duration"
	SortLevels   Sort = "levels"
	SortSurvives Sort = "survives" // the share of the facts that stand afterwards
)

// sortColumns are spelled as in orderIndexes and listedColumns, which is what makes them quick.
var sortColumns = map[Sort]string{
	SortTime: "time", SortSession: "session", SortCause: "cause", SortOutcome: "outcome", SortPreset: "preset", SortModel: "model",
	SortBefore: "before_tokens", SortAfter: "after_tokens", SortSaved: "(" + savedShare + ")", SortDuration: "duration",
	SortLevels: "levels", SortSurvives: "(" + survivingShare + ")",
}

func (f *Filter) order() string {
	way := " DESC"
	if f.Ascending {
		way = ""
	}
	if column, ok := sortColumns[f.Sort]; ok {
		return column + way + ", num" + way
	}
	return "num" + way
}
