package source

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/bits"
)

// cutCells splits a line of CSV into its first most cells without copying;
// quotes around a cell are taken off. It is false when a quote does not end.
func cutCells(line []byte, delimiter byte, cells [][]byte, most int) ([][]byte, bool) {
	cells = cells[:0]
	for len(cells) < most {
		if len(line) > 0 && line[0] == '"' {
			end := 1
			for {
				at := bytes.IndexByte(line[end:], '"')
				if at < 0 {
					return cells, false
				}
				end += at
				if end+1 < len(line) && line[end+1] == '"' {
					end += 2
					continue
				}
				break
			}
			cells = append(cells, line[1:end])
			line = line[end+1:]
			if len(line) == 0 {
				return cells, true
			}
			if line[0] != delimiter {
				return cells, false
			}
			line = line[1:]
			continue
		}
		at := indexNear(line, delimiter)
		if at < 0 {
			return append(cells, line), true
		}
		cells = append(cells, line[:at])
		line = line[at+1:]
	}
	return cells, true
}

// isLastCell says that nothing follows a cell in its line.
func isLastCell(line, cell []byte) bool {
	end := line[len(line)-1]
	return len(cell) > 0 && &cell[len(cell)-1] == &line[len(line)-1] || end == '"' && len(cell)+2 <= len(line) && len(cell) > 0 && &cell[len(cell)-1] == &line[len(line)-2]
}

// indexNear is bytes.IndexByte for cells, which are short: it looks at eight
// bytes at a time.
func indexNear(line []byte, c byte) int {
	const ones = 0x0101010101010101
	at := 0
	for ; len(line)-at >= 8; at += 8 {
		w := binary.LittleEndian.Uint64(line[at:]) ^ ones*uint64(c)
		if zeros := (w - ones) &^ w & (ones << 7); zeros != 0 {
			return at + bits.TrailingZeros64(zeros)/8
		}
	}
	for ; at < len(line); at++ {
		if line[at] == c {
			return at
		}
	}
	return -1
}

// allCells is more than any table has.
const allCells = 1 << 20

// nextRow is the next row and the line on which it begins: a quoted cell may go
// over several lines. A quote that never ends is an error: all rows below it
// would be part of one cell.
func (l *lines) nextRow() (row []byte, n int, ok bool) {
	delimiter := cmp.Or(l.delimiter, ',')
	row, ok = l.next()
	if n = l.n; !ok || bytes.IndexByte(row, '"') < 0 {
		return row, n, ok
	}
	if !l.quotes(row, delimiter) {
		return nil, n, false
	}
	if !l.inQuotes {
		return row, n, true
	}
	l.row = append(l.row[:0], row...)
	for l.inQuotes {
		line, ok := l.next()
		switch {
		case !ok:
			l.err = firstOf(l.err, l.in.usagef(l.opened, "a quote that does not end"))
		case len(l.row)+len(line) >= longestLine:
			l.err = l.in.usagef(l.opened, "a quote that does not end within %d bytes", longestLine)
		case l.quotes(line, delimiter):
			l.row = append(append(l.row, '\n'), line...)
			continue
		}
		return nil, n, false
	}
	return l.row, n, true
}

// quotes follows the quoted cells of a line to its end. As in RFC 4180 a quote
// opens one only where a cell begins (5" disk has none), and what closes it
// ends the cell; anything else is an error.
func (l *lines) quotes(line []byte, delimiter byte) bool {
	for {
		if !l.inQuotes && (len(line) == 0 || line[0] != '"') {
			at := bytes.IndexByte(line, delimiter)
			if at < 0 {
				return true
			}
			line = line[at+1:]
			continue
		}
		if !l.inQuotes {
			l.inQuotes, l.opened, line = true, l.n, line[1:]
		}
		at := bytes.IndexByte(line, '"')
		if at < 0 {
			return true
		}
		line = line[at+1:]
		if len(line) > 0 && line[0] == '"' { // doubled: part of the cell
			line = line[1:]
			continue
		}
		l.inQuotes = false
		switch {
		case len(line) == 0:
			return true
		case line[0] != delimiter:
			l.err = l.in.usagef(l.n, "text behind the quote that ends a cell: %s", show(line)).Hintf(`a quote inside a quoted cell is written twice: "5"" disk"`)
			return false
		}
		line = line[1:]
	}
}

// delimiterOf is the mark that splits a header, 0 when there is none.
func delimiterOf(header []byte) byte {
	best, most := byte(0), 0
	for _, c := range []byte(",;\t|") {
		if n := bytes.Count(header, []byte{c}); n > most {
			best, most = c, n
		}
	}
	return best
}
