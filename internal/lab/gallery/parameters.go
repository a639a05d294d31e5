package main

import (
	"errors"
	"fmt"

	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
)

func row(name string, control fyne.CanvasObject, field fyne.CanvasObject) fyne.CanvasObject {
	items := []fyne.CanvasObject{kit.Sized(112, 0, kit.Label(name).Fit())}
	if control != nil {
		items = append(items, kit.Stretch(control))
	}
	if field != nil {
		items = append(items, kit.Sized(92, 24, field))
	}
	return kit.Row(8, append(items, kit.NewReset("Default", nil))...)
}

func parameters(w fyne.Window) fyne.CanvasObject {
	trigger := kit.NewSlider(0, 100, 1, 80)
	field := kit.NewNumberField("80 %", nil)
	under := kit.Caption("compacts at 160,000 tokens")
	trigger.OnChanged = func(v float64) {
		field.Set(fmt.Sprintf("%.0f %%", v))
		under.SetText(fmt.Sprintf("compacts at %.0f,000 tokens", v*2))
	}
	field.OnCommit = func(n kit.Number) error {
		if n.Unit != "%" || n.N > 100 {
			return errors.New("a share up to 100 %")
		}
		trigger.SetValue(n.N)
		field.Set(fmt.Sprintf("%.0f %%", n.N))
		return nil
	}
	field.OnStep = func(n int) { trigger.SetValue(trigger.Value() + float64(n)); trigger.OnChanged(trigger.Value()) }
	reserve := kit.NewSlider(0, 64, 1, 16)
	off := kit.NewSlider(0, 1, 0, 0)
	off.Disable()
	wrong := kit.NewNumberField("20,000 tok", nil)
	wrong.SetErr(errors.New("more than the window"))
	model := kit.NewMenuLink("sonnet-4.6", nil)
	form := kit.Column(7,
		row("Context window", model, kit.NewNumberField("200,000", nil)),
		row("Output reserve", reserve, kit.NewNumberField("16,000", nil)),
		row("Trigger", trigger, field), kit.Pad(-4, 0, 0, 120, under),
		row("Window", kit.NewSlider(0, 1, 0, .3), wrong), kit.Pad(-4, 0, 0, 120, kit.Caption("42 messages, 6 turns")),
		row("Batch", off, kit.NewNumberField("all", nil)),
		row("Tool results", kit.NewText("keep newest", kit.ColorMuted, 12).Fit(), kit.NewNumberField("5", nil)),
		row("Strategy", kit.NewSelect([]string{"Fact ledger, no model", "Extract", "Structured", "Model", "Drop"}, 0, nil), nil),
		row("Summary budget", kit.NewSlider(0, 1, 0, .4), kit.NewNumberField("3,200 tok", nil)),
		row("Pins", kit.NewText("system, user", kit.ColorMuted, 12).Fit(), kit.NewNumberField("2", nil)),
	)
	bar := kit.NewStackBar(10)
	bar.Set([]kit.BarPart{{Value: 14.2, Color: kit.ColorFaint}, {Value: 1.8, Color: kit.ColorPinned}, {Value: 3.1, Color: kit.ColorAdded},
		{Value: .9, Color: kit.ColorCleared}, {Value: 21.3, Color: kit.ColorKept}}, 158.9, "")
	var fates []fyne.CanvasObject
	for i, f := range []string{"K", "P", "C", "S", "D", "+"} {
		fates = append(fates, kit.Row(6, kit.NewBadge(f),
			kit.NewText([]string{"42", "2", "2", "166", "0", "1"}[i], kit.ColorText, 12)), kit.Spring())
	}
	kv := func(k, v string) fyne.CanvasObject {
		return kit.Row(0, kit.Sized(168, 0, kit.NewText(k, kit.ColorMuted, 12)), kit.NewText(v, kit.ColorText, 12))
	}
	result := kit.Column(6,
		kit.NewText("158.9K →", kit.ColorMuted, 12),
		kit.Row(0, kit.NewText("~41.3K", kit.ColorText, 22).Bold(), kit.Spring(), kit.NewText("−74 %", kit.ColorKept, 22).Bold()),
		bar, kit.Row(0, fates[:len(fates)-1]...),
		kv("Fires", "2 times, at 214 and 398"), kv("What survives", "61 % of 218 facts"), kv("Total input", "22.4M tokens"),
	)
	buttons := kit.Column(8,
		kit.Row(8, kit.NewButton("Why?", kit.Secondary, nil).Small(), kit.NewButton("Sweep…", kit.Secondary, nil).Small(),
			kit.NewButton("Compare…", kit.Secondary, nil).Small()),
		kit.Row(8, kit.Sized(140, 0, kit.NewButton("Preview…", kit.Secondary, func() { showDialog(w) }).Large()),
			kit.Stretch(kit.NewButton("Compact now", kit.Primary, nil).Large())),
	)
	head := kit.Row(8, kit.Label("Result at message 212").Bold(), kit.Spring(), kit.NewText("live · no model used", kit.ColorFaint, 12))
	return kit.NewPane("Parameters", kit.Column(0,
		kit.Pad(8, 8, 8, 12, form), kit.NewRule(), kit.Sized(0, 30, kit.Pad(0, 10, 0, 10, head)), kit.NewRule(),
		kit.Pad(8, 12, 8, 12, result), kit.Stretch(kit.Column(0)), kit.NewRule(), kit.Pad(8, 12, 10, 12, buttons)),
		kit.NewMenuLink("Balanced (modified)", nil))
}
