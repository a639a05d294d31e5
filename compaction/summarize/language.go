package summarize

// LanguageOf tells the language of one text as [Auto] tells that of a history:
// Chinese, or English for all others. [LangOf] also says when there is no word to
// tell it by.
func LanguageOf(text string) Lang { return detect([]Entry{{Former: text}}) }
