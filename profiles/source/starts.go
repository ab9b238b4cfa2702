package source

import (
	"bufio"
	"bytes"
	"io"
)

// mostSnapshot is how large a page of a difference may be: it is looked at
// twice.
const mostSnapshot = 256 << 20

// foresee takes the lines of a text page that say since when its counters
// count. They may stand behind the buckets that they are about, so a page that
// is one of two snapshots is looked through before it is read.
func (fs *families) foresee(in *input) error {
	page, err := io.ReadAll(io.LimitReader(in.r, mostSnapshot+1))
	if err != nil {
		return in.failed(err)
	}
	if len(page) > mostSnapshot {
		return in.usagef(0, "more than %d MB, too much for a difference of two snapshots", mostSnapshot>>20).
			Hintf("a range of the query API's JSON, or --prometheus")
	}
	in.r = bufio.NewReaderSize(bytes.NewReader(page), headSize)
	var s sample
	for line := range bytes.Lines(page) {
		line = bytes.TrimSpace(line)
		if !bytes.HasPrefix(line, []byte("process_start_time_seconds")) && !bytes.Contains(line, []byte("_created")) || line[0] == '#' || !s.cut(line) {
			continue
		}
		if value, _, ok := leadingNumber(s.rest); ok {
			fs.began(&s, value)
		}
	}
	return nil
}
