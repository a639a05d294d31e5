module example.com/agent

go 1.26.0

require (
	github.com/sashabaranov/go-openai v1.43.0
	palimpsest v0.0.0
)

require (
	github.com/BurntSushi/toml v1.6.0 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace palimpsest => ../../..
