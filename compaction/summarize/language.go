package summarize

// LanguageOf tells the language of one text as [Auto] tells that of a history:
// Chinese, or English for all others.
func LanguageOf(text string) Lang { return detect([]Entry{{Former: text}}) }
