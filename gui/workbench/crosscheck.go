package workbench

import (
	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/words"
)

// checkWords are both numbers of a check and how far apart they are.
func checkWords(c session.CrossCheck, key string) string {
	off := words.PercentChange(c.Off())
	if c.Off() > 2 {
		off = words.T("check.times", "times", words.Decimal(c.Off()+1, 1))
	}
	return words.T(key, "estimated", words.Estimate(c.Estimated), "reported", words.Tokens(c.Reported), "off", off)
}

// checkCause is from where both differ, and the cause if one is known.
func checkCause(c session.CrossCheck) string {
	s := words.T("check.from", "n", c.From+1)
	if x := c.Cause; x.Code != "" {
		s += " " + words.T("check.cause."+string(x.Code), "n", x.At+1)
	}
	return s
}

// crossCheck is the check of the session under its parameters; nil without one.
func crossCheck(d *desk.Desk) *session.CrossCheck {
	s := d.Session()
	if s == nil {
		return nil
	}
	c := s.CrossCheck(d.Planning.Params().Fixed)
	return &c
}
