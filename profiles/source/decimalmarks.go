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
	return err.Hintf("decimal points only: tr , . where the comma is the decimal sign, tr -d , where it groups thousands")
}
