package facts

import "strings"

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// The closed lists of the rules. They are part of the extractor's version.
var (
	extensions = set(`go mod sum py pyi pyx ipynb js jsx mjs cjs ts tsx mts cts vue svelte astro java kt kts scala groovy gradle
		rs rb erb php c h cc cpp cxx hpp hh hxx cu m mm swift cs fs vb lua pl pm r R jl ex exs erl hrl hs ml mli clj cljs lisp el
		dart zig nim v sv vhd asm s S wasm wat sol proto thrift graphql gql sql sqlite db csv tsv parquet arrow feather
		json jsonl json5 jsonc ndjson yaml yml toml ini cfg conf config properties env lock xml xsd xsl html htm xhtml css scss sass less
		md mdx markdown rst adoc tex bib txt log out diff patch pdf doc docx xls xlsx ppt pptx odt
		png jpg jpeg gif svg webp ico bmp tiff tif mp3 mp4 wav avi mov webm ttf otf woff woff2
		zip tar gz tgz bz2 xz zst 7z rar jar war whl egg deb rpm dmg exe dll so dylib a o obj lib bin
		sh bash zsh fish ps1 bat cmd mk cmake ninja bazel bzl gni tf tfvars hcl nix dockerfile service
		pem crt key pub map snap golden tmpl tpl j2 hbs ejs po pot strings plist xib storyboard pb h5 hdf5 npy npz pkl pt pth onnx
		safetensors traj pyc class fasta fastq bam vcf gff bed`)
	bareFiles    = set("Makefile Dockerfile Gemfile Rakefile Jenkinsfile Procfile Justfile Vagrantfile Pipfile Brewfile")
	dotFiles     = set("gitignore gitattributes gitmodules gitkeep dockerignore env editorconfig npmignore npmrc nvmrc babelrc eslintrc eslintignore prettierrc prettierignore bashrc zshrc profile vimrc htaccess hgignore coveragerc pylintrc flake8 git github vscode claude cursor codex")
	roots        = set("tmp etc usr home var opt bin dev root srv mnt proc sys lib run data app src testbed workspace work repo Users Applications Library")
	folders      = set("src lib libs tests testdata specs docs pkg cmd internal bin apps dist node_modules vendor packages scripts assets examples configs components migrations fixtures site-packages .github .vscode .claude .git .venv venv")
	media        = set("application text image audio video multipart font message model chemical")
	branches     = set("origin upstream feature feat fix bugfix hotfix chore refs heads remotes")
	conjunctions = set("and or not yes no maybe he she it they in out on off to from if else true false none all any a the")
	products     = set(`JavaScript TypeScript CoffeeScript GitHub GitLab OpenAI ChatGPT YouTube LinkedIn PostgreSQL MySQL SQLite NumPy
		SciPy PyTorch TensorFlow MongoDB DynamoDB GraphQL WebSocket WebSockets DevOps macOS iOS iPhone iPad PowerShell LaTeX WordPress
		StackOverflow DuckDuckGo JetBrains ESLint PostCSS IntelliJ PyCharm PyPI DeepSeek HuggingFace WebAssembly MacBook PayPal
		Node.js Next.js Vue.js React.js Express.js Nuxt.js Three.js D3.js Ember.js Nest.js Chart.js Angular.js node.js next.js vue.js Inc.com U.S U.K e.g i.e a.m p.m`)
	notCounted = set(`does goes was has this its his hers yes uses needs gets makes takes says runs shows gives means works keeps returns
		contains includes requires becomes remains looks seems always perhaps besides unless whereas towards equals exists fails passes
		follows corresponds refers describes represents applies`)
	units = set(`B kB KB MB GB TB PB KiB MiB GiB TiB bit bits byte bytes kb mb gb Kb Mb Gb Mbps Gbps kbps
		ns us ms s sec secs second seconds min mins minute minutes h hr hrs hour hours day days d week weeks month months year years
		px pt em rem vh vw dpi fps Hz kHz MHz GHz V mV A mA W kW MW kWh J kJ K C F Pa kPa bar mol mM nM
		m mm cm km nm um ft inch inches mile miles mi yd kg g mg ug lb lbs oz l ml L mL
		k M x X bp nt USD EUR GBP CNY JPY KRW RMB dollars euros percent pct degrees
		token tokens word words char chars character characters line lines row rows column columns page pages file files folder folders
		test tests case cases error errors warning warnings failure failures issue issues commit commits match matches hit hits item items
		step steps time times turn turns message messages call calls request requests query queries thread threads core cores worker workers
		processes classes bug bugs point points user users people core cores CPU CPUs GPU GPUs node nodes retries attempts`)
	wideUnits = strings.Fields(`毫秒 微秒 秒钟 秒 分钟 分 小时 个小时 天 周 个月 星期 元 美元 块 万元 万 亿 个 件 条 次 行 页 人 处 项 种 倍 字节 字符 字 像素 公里 海里 千米 厘米 毫米 米 度 公斤 千克 克 升 毫升 台 张 位 份 轮 步 处 家 名 辆 本 套 组 章 节 篇
		ミリ秒 時間 日間 週間 か月 ヶ月 年間 円 個 件 回 行 頁 ページ 人 項目 言語 種類 倍 文字 箇所 か所 台 枚 冊 本 匹 名 つ バイト ピクセル
		밀리초 초 분 시간 일간 주 개월 년간 원 개 건 번 회 줄 페이지 명 배 글자 항목 가지 장 대 마리 킬로미터 미터 리터 바이트
		µs μs µm μm µg μg °C °F Ω ° ‰`)
)
