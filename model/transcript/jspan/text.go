package jspan

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// Text is the decoded string. Invalid UTF-8 and lone surrogate escapes become
// U+FFFD: it is for looking at and counting, never for writing back. Values
// that are not strings give "".
func (v Value) Text() string { return v.TextN(-1) }

// TextN decodes at least the first n code points, stopping soon after; n < 0
// decodes all. The cost is bounded by n, however long the string is; therefore
// it may give fewer where many bytes in a row are no UTF-8, which all become
// one U+FFFD.
func (v Value) TextN(n int) string {
	if v.Kind != String {
		return ""
	}
	s := v.Buf[v.Off+1 : v.End-1]
	if len(s) <= longestWord {
		if w, ok := words[string(s)]; ok { // which allocates nothing
			return w
		}
	}
	if n >= 0 {
		s = head(s, n)
	}
	if bytes.IndexByte(s, '\\') < 0 {
		return validText(s)
	}
	buf := decoded.Get().(*[]byte)
	defer decoded.Put(buf)
	out := appendUnquoted((*buf)[:0], s)
	if cap(out) <= mostKept {
		*buf = out
	}
	return validText(out)
}

// RawText is the value as spelled; bytes that are no UTF-8 become U+FFFD.
func (v Value) RawText() string { return validText(v.Raw()) }

// validText is the text of bytes, which are copied.
func validText(b []byte) string {
	if !utf8.Valid(b) {
		b = bytes.ToValidUTF8(b, replacement)
	}
	return string(b)
}

// decoded are buffers in which texts are decoded before they are copied once; longer
// ones than mostKept are not kept.
var decoded = sync.Pool{New: func() any { b := make([]byte, 0, 64<<10); return &b }}

const mostKept = 1 << 20

// Bytes is [Value.Text] as bytes, which are those of the buffer where the string
// is spelled as it reads. They must not be changed.
func (v Value) Bytes() []byte {
	if v.Kind != String {
		return nil
	}
	return unquote(v.Buf[v.Off+1 : v.End-1])
}

// AppendText appends the decoded string to a buffer that is used again.
func (v Value) AppendText(b []byte) []byte { return v.AppendTextN(b, -1) }

// AppendTextN is AppendText for as much of the string as [Value.TextN] decodes.
func (v Value) AppendTextN(b []byte, n int) []byte {
	if v.Kind != String {
		return b
	}
	s := v.Buf[v.Off+1 : v.End-1]
	if n >= 0 {
		s = head(s, n)
	}
	if bytes.IndexByte(s, '\\') < 0 {
		return appendValid(b, s)
	}
	from := len(b)
	b = appendUnquoted(b, s)
	if utf8.Valid(b[from:]) {
		return b
	}
	return append(b[:from], bytes.ToValidUTF8(b[from:], replacement)...)
}

// head is as much of a spelling as n code points can take, cut where it may be.
func head(s []byte, n int) []byte {
	most := 12*n + 12 // \ud83d\ude00 is the longest spelling of one code point
	if near := 2*n + 2; len(s) > near && plain(s[:near]) {
		most = near
	}
	if len(s) <= most {
		return s
	}
	return s[:cutEscape(s[:most])]
}

// plain reports whether every code point is spelled in one byte, or two with a
// backslash.
func plain(s []byte) bool {
	for _, c := range s {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return !bytes.Contains(s, []byte(`\u`))
}

// Is reports whether the value is a string that reads s.
func (v Value) Is(s string) bool {
	if v.Kind != String {
		return false
	}
	if v.Len() == len(s)+2 && string(v.Buf[v.Off+1:v.End-1]) == s && strings.IndexByte(s, '\\') < 0 {
		return utf8.ValidString(s) // as it is spelled, or it would read otherwise
	}
	return string(v.Bytes()) == s
}

// words are what transcripts say in nearly every record. Read from this table
// they cost no memory; any other text is decoded.
var words = func() map[string]string {
	m := map[string]string{}
	for _, w := range strings.Fields(`user assistant system developer tool model human gpt function ai
		text thinking reasoning message tool_use tool_result image image_url input_text output_text input_image summary_text
		function_call function_call_output custom_tool_call custom_tool_call_output local_shell_call web_search_call
		response_item event_msg turn_context session_meta compacted token_count agent_message agent_reasoning user_message
		mcp_tool_call_end task_started task_complete exec_command_end
		progress attachment file-history-snapshot queue-operation summary external end_turn stop tool_calls
		action observation agent environment completed success in_progress main`) {
		m[w] = w
	}
	return m
}()

// longestWord is the length of the longest of the words.
var longestWord = func() (n int) {
	for w := range words {
		n = max(n, len(w))
	}
	return n
}()

// cutEscape is the length of s without a half escape, half surrogate pair or
// half code point at its end.
func cutEscape(s []byte) int {
	n := len(s)
	if k := lastEscape(s, n); k >= 0 && (n-k < 2 || s[k+1] == 'u' && n-k < 6) {
		n = k
	}
	if k := lastEscape(s, n); k >= 0 && n-k == 6 && hex4(s[k+2:])&0xfc00 == 0xd800 {
		n = k // its other half may follow
	}
	for i := 1; i <= utf8.UTFMax && i <= n; i++ {
		if utf8.RuneStart(s[n-i]) {
			if !utf8.FullRune(s[n-i : n]) {
				n -= i
			}
			break
		}
	}
	return n
}

// lastEscape is where the last escape among the six bytes before n opens, -1 if
// none does.
func lastEscape(s []byte, n int) int {
	from := max(0, n-6)
	k := bytes.LastIndexByte(s[from:n], '\\')
	if k < 0 {
		return -1
	}
	k += from
	first := k
	for first > 0 && s[first-1] == '\\' {
		first--
	}
	if (k-first)%2 == 0 {
		return k
	}
	return k - 1
}

var replacement = []byte("\uFFFD")

func unquote(s []byte) []byte {
	if bytes.IndexByte(s, '\\') < 0 {
		if utf8.Valid(s) {
			return s
		}
		return bytes.ToValidUTF8(s, replacement)
	}
	out := appendUnquoted(make([]byte, 0, len(s)), s)
	if utf8.Valid(out) {
		return out
	}
	return bytes.ToValidUTF8(out, replacement)
}

func appendValid(b, s []byte) []byte {
	if utf8.Valid(s) {
		return append(b, s...)
	}
	return append(b, bytes.ToValidUTF8(s, replacement)...)
}

// appendUnquoted appends what the escapes of a validated spelling mean;
// bytes that are no UTF-8 stay.
func appendUnquoted(out, s []byte) []byte {
	out = slices.Grow(out, len(s))
	for len(s) > 0 {
		e := bytes.IndexByte(s, '\\')
		if e < 0 {
			return append(out, s...)
		}
		out, s = append(out, s[:e]...), s[e:]
		for len(s) > 0 && s[0] == '\\' { // often several follow each other
			if c := s[1]; c != 'u' {
				out, s = append(out, meant[c]), s[2:]
				continue
			}
			r := hex4(s[2:])
			s = s[6:]
			if utf16.IsSurrogate(r) && len(s) >= 6 && s[0] == '\\' && s[1] == 'u' {
				if p := utf16.DecodeRune(r, hex4(s[2:])); p != utf8.RuneError {
					r, s = p, s[6:]
				}
			}
			out = utf8.AppendRune(out, r) // a lone surrogate becomes U+FFFD
		}
	}
	return out
}

// meant are the characters that a backslash and a letter spell.
var meant = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func hex4(s []byte) rune {
	n, err := strconv.ParseUint(string(s[:4]), 16, 32)
	if err != nil {
		return utf8.RuneError
	}
	return rune(n)
}

// AppendQuote appends s as a JSON string. With ascii set everything beyond
// ASCII is escaped, as Python's default does; HTML characters never are.
func AppendQuote(b []byte, s string, ascii bool) []byte {
	const hexDigits = "0123456789abcdef"
	u4 := func(r rune) {
		b = append(b, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
	}
	b = append(b, '"')
	for _, r := range s { // invalid UTF-8 comes out as U+FFFD
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r == '\r':
			b = append(b, '\\', 'r')
		case r == '\t':
			b = append(b, '\\', 't')
		case r < 0x20 || r == 0x7f && ascii:
			u4(r)
		case r < utf8.RuneSelf:
			b = append(b, byte(r))
		case !ascii:
			b = utf8.AppendRune(b, r)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			u4(hi)
			u4(lo)
		default:
			u4(r)
		}
	}
	return append(b, '"')
}
