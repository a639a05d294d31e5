package show

import (
	"fyne.io/fyne/v2"

	"palimpsest/assets"
)

func Icon() fyne.Resource { return fyne.NewStaticResource("icon.png", assets.Icon) }
