package source

import "bytes"

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
		at := 0 // cells are short: a loop is faster than a call
		for at < len(line) && line[at] != delimiter {
			at++
		}
		if at == len(line) {
			return append(cells, line), true
		}
		cells = append(cells, line[:at])
		line = line[at+1:]
	}
	return cells, true
}

// allCells is more than any table has.
const allCells = 1 << 20

// nextRow is the next line that begins a row: lines inside a quoted cell that
// goes over several are passed over.
func (l *lines) nextRow() ([]byte, bool) {
	for l.inQuotes {
		line, ok := l.next()
		if !ok {
			return nil, false
		}
		l.inQuotes = bytes.Count(line, []byte{'"'})%2 == 0
	}
	line, ok := l.next()
	l.inQuotes = ok && bytes.Count(line, []byte{'"'})%2 == 1
	return line, ok
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
