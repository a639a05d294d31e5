package main

import (
	"fmt"
	"strings"
)

// log is what the build tool prints: a line for each action, and the fault or
// the sum at the end.
func (b *buildRun) log(target, fault string) string {
	var s strings.Builder
	total := b.r.between(12, 24)
	fmt.Fprintf(&s, "gantry 1.9.2 (sandboxed, %d workers)\nLoading: %d packages, %d targets\n", b.r.between(8, 16), b.r.between(11, 19), b.r.between(58, 66))
	for i := 1; i <= total; i++ {
		m, u := pick(b.r, buildModules...), pick(b.r, buildUnits...)
		fmt.Fprintf(&s, "[%d/%d] %s //%s:%s.cc (%d.%02d s, %d.%d MB)\n", i, total, pick(b.r, "compile", "compile", "compile", "cached ", "archive"), m, u, b.r.n(9), b.r.n(100), b.r.between(18, 410), b.r.n(10))
		if b.r.chance(12) {
			fmt.Fprintf(&s, "%s/%s.cc:%d:%d: warning: unused parameter '%s' [-Wunused-parameter]\n", m, u, b.r.between(10, 700), b.r.between(4, 60), pick(b.r, "ctx", "flags", "len", "hint", "owner"))
		}
	}
	if fault != "" {
		fmt.Fprintf(&s, "%s\nFAILED %s: 1 of %d actions failed in %d.%d s\nexit status 1", fault, target, total, b.r.between(9, 88), b.r.n(10))
	} else {
		fmt.Fprintf(&s, "OK %s: %d actions, %d from cache, %d.%d s\nexit status 0", target, total, b.r.n(total), b.r.between(9, 88), b.r.n(10))
	}
	return s.String()
}

func (b *buildRun) status() string {
	var s strings.Builder
	for range b.r.between(5, 14) {
		fmt.Fprintf(&s, "%s %s/%s.%s\n", pick(b.r, " M", " D", "??", "A "), pick(b.r, buildModules...), pick(b.r, buildUnits...), pick(b.r, "cc", "h", "mk"))
	}
	return strings.TrimSuffix(s.String(), "\n")
}

func (b *buildRun) query() string {
	var s strings.Builder
	for range b.r.between(8, 15) {
		fmt.Fprintf(&s, "%s%s -> //%s:%s.h (%s)\n", strings.Repeat("  ", b.r.n(3)), pick(b.r, b.targets...), pick(b.r, buildModules...), pick(b.r, buildUnits...), b.r.hex(12))
	}
	return strings.TrimSuffix(s.String(), "\n")
}

// unit is a C++ file of the project.
func (b *buildRun) unit(mod, unit string) string {
	class := upper(unit)
	var s strings.Builder
	fmt.Fprintf(&s, "#include \"%s/%s.h\"\n\n#include <algorithm>\n#include <cstring>\n\n#include \"core/arena.h\"\n\nnamespace ternary::%s {\n", mod, unit, mod)
	for range b.r.between(2, 4) {
		verb := pick(b.r, "Append", "Drain", "Find", "Flush", "Grow", "Merge", "Seek", "Split", "Verify")
		what := pick(b.r, "Block", "Page", "Range", "Record", "Slot", "Span")
		size := 1 << b.r.between(6, 16)
		fmt.Fprintf(&s, "\n// %s%s %s one %s of at most %d bytes. Returns the bytes used.\n", verb, what, pick(b.r, "handles", "moves", "checks"), strings.ToLower(what), size)
		fmt.Fprintf(&s, "size_t %s::%s%s(const uint8_t* data, size_t len) {\n  if (len == 0 || len > %d) {\n    return 0;\n  }\n  auto* at = arena_->Reserve(len, alignof(%s));\n", class, verb, what, size, what)
		fmt.Fprintf(&s, "  std::memcpy(at, data, len);\n  for (size_t i = 0; i + %d <= len; i += %d) {\n    sum_ = Mix(sum_, Load64(at + i));\n  }\n  %s_.push_back({at, len, ++serial_});\n  return len;\n}\n", 8, 8, strings.ToLower(what)+"s")
	}
	fmt.Fprintf(&s, "\n}  // namespace ternary::%s", mod)
	return s.String()
}
