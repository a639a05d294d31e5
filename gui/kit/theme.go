package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"palimpsest/gui/kit/faces"
)

// Mode says which palette is in use.
type Mode string

// The modes a person can choose.
const (
	Auto          Mode = "auto" // light or dark, as the desktop says
	Light         Mode = "light"
	Dark          Mode = "dark"
	ContrastLight Mode = "contrastLight" // as Light and Dark, with a contrast of 7 and more
	ContrastDark  Mode = "contrastDark"
)

// Modes lists the modes in the order in which they are offered.
var Modes = []Mode{Auto, Light, Dark, ContrastLight, ContrastDark}

// Density says how much room rows of lists have.
type Density string

// The densities a person can choose.
const (
	Compact     Density = "compact"
	Comfortable Density = "comfortable"
)

// Densities lists the densities in the order in which they are offered.
var Densities = []Density{Compact, Comfortable}

// Look is how the program is drawn.
type Look struct {
	Mode    Mode
	Scale   float32 // of the text, between MinScale and MaxScale
	Density Density // "" is Compact
}

// The bounds of the text scale a person can choose.
const (
	MinScale = 0.9
	MaxScale = 1.5
)

const baseText = 13

// Theme is the program's Fyne theme. It is an immutable value: another look is
// another Theme, handed to the app's settings by [UseLook].
type Theme struct {
	look Look
	base fyne.Theme
}

var _ fyne.Theme = (*Theme)(nil)

// NewTheme makes the theme of a mode and a text scale, which is held between
// MinScale and MaxScale.
func NewTheme(mode Mode, scale float32) *Theme { return themeOf(Look{Mode: mode, Scale: scale}) }

func themeOf(l Look) *Theme {
	l.Scale = clamp(l.Scale, MinScale, MaxScale)
	return &Theme{look: l, base: theme.DefaultTheme()}
}

// Use is [UseLook] in the compact density.
func Use(a fyne.App, mode Mode, scale float32) { UseLook(a, Look{Mode: mode, Scale: scale}) }

// UseLook makes a look the app's. What is shown is repainted at once, and what is
// hidden when it is shown again. Rows take their room from another text scale or
// density when they are built anew.
func UseLook(a fyne.App, l Look) {
	if heard != a {
		heard = a
		a.Settings().AddListener(func(fyne.Settings) { stamp++ }) // the desktop changes it too
	}
	stamp++
	a.Settings().SetTheme(themeOf(l))
	useFaces()
}

// faced is the stamp of the look in which Fyne draws with our faces: with each change it
// forgets them, and then asks the window for its objects.
var faced uint64

func useFaces() {
	if faced == stamp {
		return
	}
	faced = stamp
	if _, ok := fyne.CurrentApp().Settings().Theme().(*Theme); ok { // in a test it may be another
		faces.Use()
	}
}

// heard is the app whose changes of the theme are counted in stamp.
var heard fyne.App

// Color returns the named colour in the variant of the theme's mode.
func (t *Theme) Color(n fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	from := palette
	switch t.look.Mode {
	case Light, ContrastLight:
		v = theme.VariantLight
	case Dark, ContrastDark:
		v = theme.VariantDark
	}
	if t.look.Mode == ContrastLight || t.look.Mode == ContrastDark {
		if _, ok := highContrast[n]; ok {
			from = highContrast
		}
	}
	if p, ok := from[n]; ok {
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
	if s.Symbol {
		return t.base.Font(s)
	}
	return faces.Of(s)
}

// Icon returns Fyne's own icons.
func (t *Theme) Icon(n fyne.ThemeIconName) fyne.Resource { return t.base.Icon(n) }

// Size returns the named size at the theme's text scale.
func (t *Theme) Size(n fyne.ThemeSizeName) float32 {
	switch n {
	case theme.SizeNameSeparatorThickness:
		return 0 // lines and frames are drawn by the kit
	case theme.SizeNameInputBorder:
		return float32(int(t.look.Scale + .5)) // the width of a caret; see RestingCaret for the frame
	case theme.SizeNameInputRadius, theme.SizeNameButtonRadius, theme.SizeNameMenuRadius,
		theme.SizeNamePopupRadius, theme.SizeNameSelectionRadius, theme.SizeNameScrollBarRadius:
		return 4
	case theme.SizeNameSplitThickness:
		return 6
	case theme.SizeNameScrollBar:
		return 8
	case theme.SizeNameScrollBarSmall:
		return 3
	case sizeRow:
		if t.look.Density == Comfortable {
			return 6 * t.look.Scale
		}
		return 0
	}
	if v, ok := sizes[n]; ok {
		return v * t.look.Scale
	}
	return t.base.Size(n)
}

// sizeRow is by how much a row of a list is higher than in the compact density.
const sizeRow fyne.ThemeSizeName = "palimpsestRow"

// RowPx is the height of a row of a list that has a height of the design in the
// compact density.
func RowPx(h float32) float32 { return Px(h) + theme.Size(sizeRow) }

// stamp counts the looks that were used. A widget that is drawn under another
// one than it was painted for paints itself again: see renderer.Objects.
var stamp uint64 = 1

// Stale reports once after every change of the look that what it belongs to has
// to be painted again. A renderer asks it whenever its objects are asked for, so
// that a screen which was hidden during the change is drawn right when it is
// shown.
type Stale struct{ seen uint64 }

// begin notes the look in which what it belongs to was painted first, which may be long
// before it is shown.
func (s *Stale) begin() {
	if s.seen == 0 {
		s.seen = stamp
	}
}

// Due reports whether the look changed since it was asked last.
func (s *Stale) Due() bool {
	due := s.seen != 0 && s.seen != stamp
	s.seen = stamp
	return due
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

// isLight reports whether light values are in use.
func isLight() bool {
	return Color(ColorPanel) == palette[ColorPanel].light || Color(ColorPanel) == highContrast[ColorPanel].light
}

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
	ColorMuted:      both(0xABB4C1, 0x4B5565),
	ColorFaint:      both(0x919AA8, 0x5C6677),
	ColorAccent:     both(0x7C94F5, 0x3C5AD6),
	ColorOnAccent:   both(0x0E1220, 0xFFFFFF),
	ColorSelection:  both(0x26304A, 0xDFE6FB),
	ColorHover:      both(0x20262F, 0xF0F3F9),
	ColorError:      both(0xE67C5D, 0xB43F0F),
	ColorWarning:    both(0xE6A23C, 0x8E5A06),
	ColorSuccess:    both(0x2BB58D, 0x097455),

	ColorKept:       both(0x2BB58D, 0x097455),
	ColorPinned:     both(0x5AA9E6, 0x1D69A8),
	ColorCleared:    both(0xE6A23C, 0x8E5A06),
	ColorSummarised: both(0xCE82B0, 0x954D7D),
	ColorDropped:    both(0xE37F4F, 0xAB4610),
	ColorAdded:      both(0x6CC3EE, 0x1C6C95),

	theme.ColorNameInputBackground:     both(0x14171C, 0xEEF0F4),
	theme.ColorNameInputBorder:         both(0x2C333F, 0xD6DCE5),
	theme.ColorNameSeparator:           both(0x2C333F, 0xD6DCE5),
	theme.ColorNameButton:              both(0x222833, 0xF3F5F8),
	theme.ColorNameDisabledButton:      both(0x1A1E25, 0xFFFFFF),
	theme.ColorNameDisabled:            both(0x919AA8, 0x5C6677),
	theme.ColorNamePlaceHolder:         both(0x919AA8, 0x5C6677),
	theme.ColorNameMenuBackground:      both(0x222833, 0xFFFFFF),
	theme.ColorNameOverlayBackground:   both(0x1A1E25, 0xFFFFFF),
	theme.ColorNameHeaderBackground:    both(0x1A1E25, 0xFFFFFF),
	theme.ColorNameHyperlink:           both(0x7C94F5, 0x3C5AD6),
	theme.ColorNamePressed:             both(0x2C333F, 0xD6DCE5),
	theme.ColorNameScrollBar:           both(0x667081, 0x8B95A5),
	theme.ColorNameForegroundOnError:   both(0x0E1220, 0xFFFFFF),
	theme.ColorNameForegroundOnWarning: both(0x0E1220, 0xFFFFFF),
	theme.ColorNameForegroundOnSuccess: both(0x0E1220, 0xFFFFFF),

	theme.ColorNameFocus: {
		color.NRGBA{0x7C, 0x94, 0xF5, 0x40}, color.NRGBA{0x3C, 0x5A, 0xD6, 0x40},
	},
	theme.ColorNameShadow:              {},
	theme.ColorNameScrollBarBackground: {},
}

// highContrast is what differs from the palette where every text has a contrast
// of 7 or more, and every line one of 3.
var highContrast = map[fyne.ThemeColorName]pair{
	ColorBackground: both(0x000000, 0xE4E7EC),
	ColorPanel:      both(0x05070A, 0xFFFFFF),
	ColorRaised:     both(0x14181F, 0xF4F6F9),
	ColorLine:       both(0x7C8798, 0x6B7482),
	ColorText:       both(0xFFFFFF, 0x000000),
	ColorMuted:      both(0xE3E8EF, 0x1E2630),
	ColorFaint:      both(0xC3CBD6, 0x2E3744),
	ColorAccent:     both(0xA9BAFF, 0x1F37A0),
	ColorOnAccent:   both(0x000000, 0xFFFFFF),
	ColorSelection:  both(0x17305F, 0xD3DFFF),
	ColorHover:      both(0x171C24, 0xEDF1F8),
	ColorError:      both(0xFFA68C, 0x7F2500),
	ColorWarning:    both(0xFFC465, 0x613C00),
	ColorSuccess:    both(0x5FE0B7, 0x004D36),

	ColorKept:       both(0x5FE0B7, 0x004D36),
	ColorPinned:     both(0x8FCBFF, 0x0B457A),
	ColorCleared:    both(0xFFC465, 0x613C00),
	ColorSummarised: both(0xF0AED6, 0x6E2A58),
	ColorDropped:    both(0xFFA273, 0x7F2F00),
	ColorAdded:      both(0x8EDCFF, 0x07486A),

	theme.ColorNameInputBackground: both(0x000000, 0xE4E7EC),
	theme.ColorNameInputBorder:     both(0x7C8798, 0x6B7482),
	theme.ColorNameSeparator:       both(0x7C8798, 0x6B7482),
	theme.ColorNameButton:          both(0x14181F, 0xF4F6F9),
	theme.ColorNameDisabled:        both(0xC3CBD6, 0x2E3744),
	theme.ColorNamePlaceHolder:     both(0xC3CBD6, 0x2E3744),
	theme.ColorNameMenuBackground:  both(0x14181F, 0xFFFFFF),
	theme.ColorNameHyperlink:       both(0xA9BAFF, 0x1F37A0),
	theme.ColorNameScrollBar:       both(0xAAB4C2, 0x4E5866),
}
