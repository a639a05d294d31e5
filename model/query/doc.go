// Package query is the language in which messages are searched, in the window and
// by the verb find. It is pure: what a message is comes as a [Subject], and it reads
// nothing.
//
//	text ──Parse──▶ Query ──Compile──▶ Matcher ──Match(Subject)──▶ Hit: places in parts
//	  ▲               │                   └── Needles: what the bytes of every hit hold
//	  └────String─────┘
//
// A query is a list of terms with spaces between them; a message has to meet all.
//
//	words          every word occurs in the message, in any of its parts
//	"exact words"  these words in a row; \" is a quotation mark
//	/regexp/       a regular expression (RE2, with the case it has); /regexp/i ignores case
//	-term          the message does not meet the term
//	key:a,b        one of the values
//	key>n key>=n key<n key<=n key:n key:a..b   for numbers; 2k is 2,000, 1.5m is 1,500,000
//
// match:case, match:word and match:regexp ask nothing of a message: they say how the
// words of the query are compared.
//
// The keys, with the words that Chinese has for them, are one table: [Keys].
//
// Words ignore case by Unicode's simple folding, so that Straße is not STRASSE, and
// what is looked for may lie within a word. A character of a script that is written
// without spaces is one like any other.
package query
