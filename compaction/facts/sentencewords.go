package facts

// Words by which sentences are told; part of the extractor's version. English
// ones stand between spaces, in small letters.
var (
	// openers may stand before the verb that makes a sentence an imperative.
	openers = set("also then and now next but so first second finally yes no ok okay please just always never lets let's do don't great good thanks alright well")

	imperatives = set(`add adapt adjust allow analyse analyze answer append apply ask assume avoid begin build bump call change check choose clean
		clear close combine commit compare compile complete compute configure consider continue convert copy correct count cover create cut debug
		define delete deploy describe design disable discuss display do document don't download draw drop edit enable ensure evaluate examine exclude
		execute explain explore export expose extend extract fetch figure file fill filter find finish fix focus follow format generate get give go
		group handle help hide highlight identify ignore implement import improve include increase initialize inline insert inspect install
		integrate investigate keep launch leave let limit link lint list load log look lower make mark measure merge migrate mock modify monitor move name
		note omit open optimize organize output parse pass paste pick plan plot point post prefer prepare preserve print process propose provide publish pull push
		put re-run read reduce refactor refer reformat regenerate release remember remove rename render reorder repeat replace report reproduce request rerun
		research reset resolve respond restart restore restrict restructure return reuse revert review rewrite round run save scan search see select send separate
		set share show simplify skip sort specify split start stop store submit suggest summarise summarize support switch sync take tell
		test touch track translate trim try turn undo uninstall update upgrade upload use validate verify view wait watch work wrap write`)

	askWords = []string{" please ", " please,", " must ", " never ", " always ", " don't ", " do not ", " only use ", " make sure ", " ensure that ",
		" should ", " shouldn't ", " need to ", " needs to ", " have to ", " can you ", " could you ", " can we ", " could we ", " would you ", " i want ", " i'd like ", " i would like ", " we need ", " i need ",
		" let's ", " lets ", " instead of ", " rather than ", " no longer ", " not allowed ", " forbidden ", " mustn't ", " avoid ", " required to ", " rules for ", " no new "}

	askWide = []string{"请", "請", "不要", "别", "必须", "必須", "务必", "禁止", "不得", "不能", "只能", "应该", "应当", "需要", "确保", "一定", "不许", "帮我", "帮忙", "麻烦", "记得", "希望", "换成", "改到", "想要", "我要", "我想", "改成", "改为",
		"ください", "下さい", "てほしい", "て欲しい", "したい", "たいです", "べき", "必要", "ないで", "注意", "お願い", "こと。", "しろ", "せよ",
		"주세요", "하세요", "해야", "마세요", "하지 마", "바랍니다", "싶", "부탁", "해줘", "해 줘", "말 것"}

	decideWords = []string{" decided ", " decision:", " we decide ", " i chose ", " i've chosen ", " i choose ", " opted for ", " opting for ", " settled on ", " going with ", " i'll go with ", " go with ",
		" was selected ", " is selected ", " i selected ", " was chosen ", " the best approach ", " the right approach ", " the cleanest ", " the simplest ",
		" i'll use ", " i will use ", " we'll use ", " we will use ", " let's use ", " i'm going to use ", " i'll keep ", " i won't ", " i will not ", " we won't ", " so i'll ", " so i will ", " so we'll ",
		" it's better to ", " better to ", " i'll avoid ", " i'll stick ", " stick with ", " stick to ", " agreed:", " i prefer ", " i recommend ", " recommended approach "}

	// lastingWords are in instructions that hold for good.
	lastingWords = []string{" must ", " never ", " always ", " don't ", " do not ", " only ", " not allowed ", " forbidden ", " mustn't ", " avoid ", " no new ", " rules for "}
	lastingWide  = []string{"不要", "别", "必须", "必須", "务必", "禁止", "不得", "只能", "不许", "一定", "ないで", "べき", "絶対", "마세요", "하지 마", "반드시", "말 것"}

	// waitWords tell that nothing is settled: somebody waits.
	waitWords = []string{" keep waiting", " keep watching", " keep monitoring", " still working", " still waiting"}

	willWords   = []string{" i'll ", " i will ", " we'll ", " we will ", " i'm going to ", " i'm using ", " i should ", " we should "}
	reasonWords = []string{" instead", " rather than ", " because ", " since ", " so that ", " mostly ", " myself ", " directly ", " on top ", " only ", " handle ", " as the ", " to keep ", " to avoid "}

	decideWide = []string{"决定", "決定", "采用", "採用", "改用", "选用", "选择", "選択", "保留", "统一为", "不再", "建议", "方案", "就用", "ことにする", "ことにします", "提案します", "に決め", "方針",
		"하기로", "결정", "제안", "선택", "대신"}
)
