package tokens

import "strings"

// Media estimates the tokens of a part that is not text, from its size in bytes
// as the source holds it (usually base64), its media type and, of an image, its
// area in pixels (0: not known). It is a rough number and never a count: which rule
// holds depends on provider, model and options.
//
//   - An image is area / 750, at most 1,600, as Anthropic states it; at least 255: what
//     OpenAI charges for the smallest one, and Google 258. Where the area is not known
//     it is 1,500: for a screen of 1280 × 720 to 1920 × 1080 providers charge about
//     1,100 to 2,800 (documentations of vision, read 2026-11).
//   - Audio is 32 a second (Google's documentation of tokens, 2026-11), taken at
//     64 kbit/s, that is 32 for every 8,000 bytes before base64.
//   - A PDF is 1,500 for every 75,000 bytes before base64, taken as a page; a page is
//     1,500 to 3,000 in Anthropic's documentation of PDF support (2026-11).
//   - Anything else is as an image.
func Media(bytes int, mime string, pixels int) int {
	if bytes <= 0 {
		return 0
	}
	raw := bytes / 4 * 3
	kind := strings.ToLower(mime)
	switch {
	case strings.HasPrefix(kind, "audio/"):
		return 32 * (raw/8_000 + 1)
	case strings.HasPrefix(kind, "application/pdf"):
		return 1_500 * (raw/75_000 + 1)
	}
	if pixels > 0 {
		return min(max(pixels/750, 255), 1_600)
	}
	return 1_500
}
