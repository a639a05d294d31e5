package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Mode says which of the two palettes is in use.
type Mode string

// The modes a person can choose.
const (
	Auto  Mode = "auto" // as the desktop says
	Light Mode = "light"
	Dark  Mode = "dark"
)

// The bounds of the text scale a person can choose.
const (
	MinScale = 0.9
	MaxScale = 1.5
)

const baseText = 13

// Theme is the program's Fyne theme. It is an immutable value: another mode or
// scale is another Theme, handed to the app's settings by [Use].
type Theme struct {
	mode  Mode
	scale float32
	base  fyne.Theme
}

var _ fyne.Theme = (*Theme)(nil)

// NewTheme makes the theme of a mode and a text scale, which is held between
// MinScale and MaxScale.
func NewTheme(mode Mode, scale float32) *Theme {
	return &Theme{mode: mode, scale: clamp(scale, MinScale, MaxScale), base: theme.DefaultTheme()}
}

// Use makes a mode and a text scale the app's; everything shown is repainted.
func Use(a fyne.App, mode Mode, scale float32) { a.Settings().SetTheme(NewTheme(mode, scale)) }

// Color returns the named colour in the variant of the theme's mode.
func (t *Theme) Color(n fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	switch t.mode {
	case Light:
		v = theme.VariantLight
	case Dark:
		v = theme.VariantDark
	}
	if p, ok := palette[n]; ok {
		if v == theme.VariantLight {
			return p.light
		}
		return p.dark
	}
	return t.base.Color(n, v)
}

// Font returns the face that is asked first for a style. It holds only the
// characters that the built-in faces lack, so these still draw all Latin text.
func (t *Theme) Font(s fyne.TextStyle) fyne.Resource {
	switch {
	case s.Symbol:
		return t.base.Font(s)
	case s.Monospace:
		return cjkMono
	}
	return cjkProportional
}

// Icon returns Fyne's own icons.
func (t *Theme) Icon(n fyne.ThemeIconName) fyne.Resource { return t.base.Icon(n) }

// Size returns the named size at the theme's text scale.
func (t *Theme) Size(n fyne.ThemeSizeName) float32 {
	switch n {
	case theme.SizeNameSeparatorThickness, theme.SizeNameInputBorder:
		return 0 // lines and frames are drawn by the kit
	case theme.SizeNameInputRadius, theme.SizeNameButtonRadius, theme.SizeNameMenuRadius,
		theme.SizeNamePopupRadius, theme.SizeNameSelectionRadius, theme.SizeNameScrollBarRadius:
		return 4
	case theme.SizeNameSplitThickness:
		return 6
	case theme.SizeNameScrollBar:
		return 8
	case theme.SizeNameScrollBarSmall:
		return 3
	}
	if v, ok := sizes[n]; ok {
		return v * t.scale
	}
	return t.base.Size(n)
}

var sizes = map[fyne.ThemeSizeName]float32{
	theme.SizeNameText:           baseText,
	theme.SizeNameCaptionText:    11,
	theme.SizeNameHeadingText:    22,
	theme.SizeNameSubHeadingText: 16,
	theme.SizeNamePadding:        4,
	theme.SizeNameInnerPadding:   3,
	theme.SizeNameLineSpacing:    3,
	theme.SizeNameInlineIcon:     16,
}
