package summarize

import (
	"slices"
	"strings"
)

// LineRole is what a line is in the text of a summary.
type LineRole uint8

// The roles.
const (
	RoleWords   LineRole = iota // it says something itself
	RoleFrame                   // the heading, or what the summary covers
	RoleEarlier                 // announces the lines of former summaries
	RoleTurn                    // a turn, or a run of turns or steps
	RoleLabel                   // announces what is below it, as a model writes it: "## Decisions"
)

// RoleOf returns the role of a line of a summary, one made here or by anything
// else. It looks at the line alone.
func RoleOf(l string) LineRole {
	l = strings.TrimSpace(l)
	if _, heading := StripHeading(l); heading {
		return RoleFrame
	}
	if _, cover := readCover(l); cover {
		return RoleFrame
	}
	switch {
	case l == english.earlier || l == chinese.earlier:
		return RoleEarlier
	case label.MatchString(l) && !slices.Contains(inTurn, l):
		return RoleLabel
	case bullet.MatchString(l):
		return RoleWords
	case turnName.MatchString(head(l, 60)) && !strings.HasPrefix(l, "|") && !strings.HasPrefix(l, "{"):
		return RoleTurn
	}
	return RoleWords
}

// inTurn are the lines that announce something within a turn.
var inTurn = []string{english.failed, english.last, chinese.failed, chinese.last}
