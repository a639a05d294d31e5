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

// The program's colours, by the names of the design. A widget reads them again
// whenever it is refreshed, so that a change of the theme repaints it.
const (
	ColorBackground fyne.ThemeColorName = "palimpsestBackground"    // behind panes
	ColorPanel      fyne.ThemeColorName = theme.ColorNameBackground // panes; a window is cleared to it
	ColorRaised     fyne.ThemeColorName = "palimpsestRaised"        // buttons, tags, segments not chosen
	ColorLine       fyne.ThemeColorName = "palimpsestLine"          // borders, grid
	ColorText       fyne.ThemeColorName = theme.ColorNameForeground
	ColorMuted      fyne.ThemeColorName = "palimpsestMuted"
	ColorFaint      fyne.ThemeColorName = "palimpsestFaint"
	ColorAccent     fyne.ThemeColorName = theme.ColorNamePrimary // the one interactive colour
	ColorOnAccent   fyne.ThemeColorName = theme.ColorNameForegroundOnPrimary
	ColorSelection  fyne.ThemeColorName = theme.ColorNameSelection
	ColorHover      fyne.ThemeColorName = theme.ColorNameHover
	ColorError      fyne.ThemeColorName = theme.ColorNameError
	ColorWarning    fyne.ThemeColorName = theme.ColorNameWarning
	ColorSuccess    fyne.ThemeColorName = theme.ColorNameSuccess

	ColorKept       fyne.ThemeColorName = "palimpsestKept"
	ColorPinned     fyne.ThemeColorName = "palimpsestPinned"
	ColorCleared    fyne.ThemeColorName = "palimpsestCleared"
	ColorSummarised fyne.ThemeColorName = "palimpsestSummarised"
	ColorDropped    fyne.ThemeColorName = "palimpsestDropped"
	ColorAdded      fyne.ThemeColorName = "palimpsestAdded"
)

// FateColor is the colour of a fate, given by its letter (K P C S D +); any
// other letter is faint.
func FateColor(letter string) fyne.ThemeColorName {
	switch letter {
	case "K":
		return ColorKept
	case "P":
		return ColorPinned
	case "C":
		return ColorCleared
	case "S":
		return ColorSummarised
	case "D":
		return ColorDropped
	case "+":
		return ColorAdded
	}
	return ColorFaint
}

// isLight reports whether the light values are in use.
func isLight() bool { return Color(ColorPanel) == palette[ColorPanel].light }

type pair struct{ dark, light color.NRGBA }

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}

func both(dark, light uint32) pair { return pair{rgb(dark), rgb(light)} }

// palette gives each name its two values. Fyne's own names are here too, so
// that its widgets (scroll bars, entries, file dialogs) agree with ours.
var palette = map[fyne.ThemeColorName]pair{
	ColorBackground: both(0x14171C, 0xEEF0F4),
	ColorPanel:      both(0x1A1E25, 0xFFFFFF),
	ColorRaised:     both(0x222833, 0xF3F5F8),
	ColorLine:       both(0x2C333F, 0xD6DCE5),
	ColorText:       both(0xE4E8EF, 0x1B2330),
	ColorMuted:      both(0x98A3B3, 0x566274),
	ColorFaint:      both(0x667081, 0x8B95A5),
	ColorAccent:     both(0x7B93F5, 0x3D5BD6),
	ColorOnAccent:   both(0x0E1220, 0xFFFFFF),
	ColorSelection:  both(0x26304A, 0xDFE6FB),
	ColorHover:      both(0x20262F, 0xF0F3F9),
	ColorError:      both(0xE0603A, 0xB8400F),
	ColorWarning:    both(0xE6A23C, 0xB87408),
	ColorSuccess:    both(0x2BB58D, 0x0B8A66),

	ColorKept:       both(0x2BB58D, 0x0B8A66),
	ColorPinned:     both(0x5AA9E6, 0x1F6FB2),
	ColorCleared:    both(0xE6A23C, 0xB87408),
	ColorSummarised: both(0xCE82B0, 0xA4558A),
	ColorDropped:    both(0xE0703A, 0xBE4E12),
	ColorAdded:      both(0x6CC3EE, 0x2389BD),

	theme.ColorNameInputBackground:     both(0x14171C, 0xEEF0F4),
	theme.ColorNameInputBorder:         both(0x2C333F, 0xD6DCE5),
	theme.ColorNameSeparator:           both(0x2C333F, 0xD6DCE5),
	theme.ColorNameButton:              both(0x222833, 0xF3F5F8),
	theme.ColorNameDisabledButton:      both(0x1A1E25, 0xFFFFFF),
	theme.ColorNameDisabled:            both(0x667081, 0x8B95A5),
	theme.ColorNamePlaceHolder:         both(0x667081, 0x8B95A5),
	theme.ColorNameMenuBackground:      both(0x222833, 0xFFFFFF),
	theme.ColorNameOverlayBackground:   both(0x1A1E25, 0xFFFFFF),
	theme.ColorNameHeaderBackground:    both(0x1A1E25, 0xFFFFFF),
	theme.ColorNameHyperlink:           both(0x7B93F5, 0x3D5BD6),
	theme.ColorNamePressed:             both(0x2C333F, 0xD6DCE5),
	theme.ColorNameScrollBar:           both(0x667081, 0x8B95A5),
	theme.ColorNameForegroundOnError:   both(0x0E1220, 0xFFFFFF),
	theme.ColorNameForegroundOnWarning: both(0x0E1220, 0xFFFFFF),
	theme.ColorNameForegroundOnSuccess: both(0x0E1220, 0xFFFFFF),

	theme.ColorNameFocus: {
		color.NRGBA{0x7B, 0x93, 0xF5, 0x40}, color.NRGBA{0x3D, 0x5B, 0xD6, 0x40},
	},
	theme.ColorNameShadow:              {},
	theme.ColorNameScrollBarBackground: {},
}
