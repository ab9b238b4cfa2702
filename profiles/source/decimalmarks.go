package source

import (
	"bytes"

	"github.com/lockplan/lockplan/calc/fault"
)

// decimalMarks watches a column of a table that ; splits. The locales that
// write ; have decimal commas, but 1,234 may also be a thousand and more: only
// the rest of the column tells.
type decimalMarks struct {
	decimal bool   // a comma was there that groups no thousands
	comma   int    // line of the first comma
	point   int    // line of the first point
	unsure  int    // line of the first comma that may group thousands
	text    string // there
}

// pointed turns a decimal comma into a point.
func (m *decimalMarks) pointed(text []byte, line int) []byte {
	if m.point == 0 && bytes.IndexByte(text, '.') >= 0 {
		m.point = line
	}
	at := bytes.IndexByte(text, ',')
	if at <= 0 {
		return text
	}
	if m.comma == 0 {
		m.comma = line
	}
	end := at + 1
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	switch grouped := end-at == 4 && at <= 3 && text[0] != '0'; {
	case !grouped:
		m.decimal = true
	case m.unsure == 0:
		m.unsure, m.text = line, show(text)
	}
	return bytes.Replace(text, []byte(","), []byte("."), 1)
}

// judge is an error when the column can be read in two ways, a factor of 1000
// apart.
func (m *decimalMarks) judge(in *input) error {
	var err *fault.Error
	switch {
	case m.comma > 0 && m.point > 0:
		err = in.usagef(max(m.comma, m.point), "the column has commas and points (line %d): which one is the decimal sign?", min(m.comma, m.point))
	case m.unsure > 0 && !m.decimal:
		err = in.usagef(m.unsure, "%s may be a thousand and more, or a fraction: nothing in the column says which", m.text)
	default:
		return nil
	}
	return err.Hintf("decimal points only: %s", eitherComma)
}

// How commas are taken off a file in which they mean nothing else. Where the
// comma is the decimal sign, points group thousands.
const (
	decimalComma = "tr -d . | tr , ."
	groupsComma  = "tr -d ,"
	eitherComma  = decimalComma + " where the comma is the decimal sign, " + groupsComma + " where it groups thousands"
)

// commas is the error of a number with commas: what they mean is asked where
// it is not plain, because a wrong answer is a factor of 1000. alone says that
// commas mean nothing else in the input.
func commas(in *input, line int, text []byte, alone bool) *fault.Error {
	hint := func(err *fault.Error, how string) *fault.Error {
		if !alone {
			return err.Hintf("write the numbers with a decimal point, and nothing between thousands")
		}
		return err.Hintf("%s", how)
	}
	last, point := bytes.LastIndexByte(text, ','), bytes.LastIndexByte(text, '.')
	groups := bytes.Split(bytes.TrimRight(text, " smunhµ"), []byte(","))
	areThousands := len(groups[0]) <= 3 && groups[0][0] != '0'
	for _, g := range groups[1:] {
		areThousands = areThousands && len(g) == 3 && len(bytes.Trim(g, "0123456789")) == 0
	}
	switch {
	case point < 0 && areThousands && len(groups) == 2:
		return hint(in.usagef(line, "%s may be a thousand and more, or a fraction", show(text)), eitherComma)
	case point > last, point < 0 && areThousands:
		return hint(in.usagef(line, "%s is not a duration: its commas group thousands", show(text)), groupsComma)
	}
	return hint(in.usagef(line, "%s is not a duration: the decimal sign is a point", show(text)), decimalComma)
}
