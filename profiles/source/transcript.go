package source

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lockplan/lockplan/calc/finding"
)

// mostUnread is how many bytes of the lines that a reader passed over are
// kept.
const mostUnread = headSize

// unread are the lines of a transcript that its reader passed over: people
// put the outputs of several tools into one file.
type unread struct {
	blocks []stretch
	size   int
}

// stretch is such lines in a row, blank ones left out.
type stretch struct {
	from, to int
	text     []byte
}

// each hands every line to take, which says whether it read it.
func (in *input) each(take func(line []byte, n int) (took bool, err error)) error {
	l := newLines(in)
	for {
		line, ok := l.next()
		if !ok {
			return l.err
		}
		took, err := take(line, l.n)
		if err != nil {
			return err
		}
		if !took {
			in.unread.add(line, l.n)
		}
	}
}

// add keeps a line that was passed over.
func (u *unread) add(line []byte, n int) {
	if len(bytes.TrimSpace(line)) == 0 || bytes.HasPrefix(line, []byte("$ ")) || u.size > mostUnread {
		return
	}
	last := len(u.blocks) - 1
	if last < 0 || u.blocks[last].to+2 < n { // one blank line may stand between
		u.blocks = append(u.blocks, stretch{from: n})
		last++
	}
	b := &u.blocks[last]
	b.to = n
	b.text = append(append(b.text, line...), '\n')
	u.size += len(line) + 1
}

// join adds those of the lines that follow.
func (u *unread) join(more unread) {
	for _, b := range more.blocks {
		if u.size > mostUnread {
			return
		}
		u.size += len(b.text)
		if last := len(u.blocks) - 1; last >= 0 && u.blocks[last].to+2 >= b.from {
			u.blocks[last].to, u.blocks[last].text = b.to, append(u.blocks[last].text, b.text...)
		} else {
			u.blocks = append(u.blocks, b)
		}
	}
}

// anyText are formats that ordinary lines may look like.
var anyText = []string{"durations", "csv", "ndjson", "prometheus", "prometheus-dump", "prometheus-protobuf"}

// tell is LP208 for lines that are of another format: what they say is not
// part of the observation. asked says that the user chose the format.
func (u *unread) tell(o *Observation, own string, asked bool) {
	var parts []string
	from := 0
	for _, b := range u.blocks {
		var names []string
		for _, f := range formats {
			if f.name != own && !slices.Contains(anyText, f.name) && f.sniff(b.text) {
				names = append(names, f.name)
			}
		}
		if len(names) > 0 {
			from = cmp.Or(from, b.from)
			at := fmt.Sprintf("line %d is ", b.from)
			if b.to > b.from {
				at = fmt.Sprintf("lines %d to %d are ", b.from, b.to)
			}
			parts = append(parts, at+strings.Join(names, " and "))
		}
	}
	severity := finding.Warning
	if asked {
		severity = finding.Info
	}
	if len(parts) > 0 {
		o.add("LP208", severity, from, "the file holds the output of several tools, and only that of "+own+" was read: "+strings.Join(parts, "; "), "a file for each tool's output")
	}
}
