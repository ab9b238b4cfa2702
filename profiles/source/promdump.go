package source

import (
	"bytes"
	"math"
)

// promDump is several scrapes of each series: promtool tsdb dump and
// dump-openmetrics, promtool query instant and range.
var promDump = format{
	name:  "prometheus-dump",
	about: "promtool query and promtool tsdb dump, also dump-openmetrics",
	sniff: func(head []byte) bool {
		var before []byte
		var s sample
		for line := range bytes.Lines(head) {
			line = bytes.TrimSpace(line)
			if len(line) == 0 || line[0] == '#' {
				continue
			}
			if bytes.HasPrefix(line, []byte("{__name__=")) || bytes.Contains(line, []byte("} => ")) || bytes.HasSuffix(line, []byte("} =>")) {
				return true
			}
			if !s.cut(line) || !isMetricName(s.name) {
				return false
			}
			_, time, ok := leadingNumber(s.rest)
			if _, more, ok2 := leadingNumber(bytes.TrimSpace(time)); !ok || !ok2 || len(more) > 0 {
				return false
			}
			series := line[:s.restFrom]
			if bytes.Equal(series, before) {
				return true
			}
			before = append(before[:0], series...)
		}
		return false
	},
	read: func(in *input, q *Query) (*Observation, error) {
		d := &dumpReader{lines: newLines(in), families: newFamilies(in, q)}
		d.tracks.families = d.families
		defer d.tracks.packed.close()
		return d.run()
	},
}

// dumpReader collects the scrapes of one series at a time.
type dumpReader struct {
	*lines
	families *families
	tracks   tracks

	at     sample
	series []byte // its labels as written, "" before the first
	fam    *family
	id     uint64
	le     []byte
	from   int // line
}

func (d *dumpReader) run() (*Observation, error) {
	for {
		line, ok := d.next()
		if !ok {
			break
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if err := d.line(line); err != nil {
			return nil, err
		}
	}
	if d.err != nil {
		return nil, d.err
	}
	if err := firstOf(d.keep(), d.tracks.resolve()); err != nil {
		return nil, err
	}
	o, err := d.families.observe()
	if err != nil {
		return nil, err
	}
	d.tracks.tellGaps(o)
	return o, nil
}

// line takes "series value time", "series => value @[time]", or a further
// "value @[time]" of the series above.
func (d *dumpReader) line(line []byte) error {
	rest := line
	if c := line[0]; c != '{' && (c < '0' || c > '9') && c != '-' && c != '+' && c != 'N' || !bytes.Contains(line, []byte(" @[")) {
		if !d.at.cut(line) {
			return d.in.usagef(d.n, "neither a series nor a value: %s", show(line))
		}
		rest = d.at.rest
		if series := line[:d.at.restFrom]; !bytes.Equal(series, d.series) {
			if err := d.keep(); err != nil {
				return err
			}
			d.begin(series)
		}
		rest = bytes.TrimLeft(bytes.TrimPrefix(rest, []byte("=>")), " ")
		if len(rest) == 0 {
			return nil // the values follow
		}
	}
	count, rest, ok := leadingNumber(rest)
	rest = bytes.TrimSpace(rest)
	seconds := bytes.HasPrefix(rest, []byte("@["))
	if seconds {
		rest = bytes.TrimSuffix(rest[2:], []byte("]"))
	}
	time, _, ok2 := leadingNumber(rest)
	if !ok || !ok2 || math.IsNaN(time) || math.Abs(time) > 1e15 {
		return d.in.usagef(d.n, "no value with a time: %s", show(line))
	}
	if seconds || time < 1e11 {
		time *= 1000
	}
	d.tracks.point(int64(math.Round(time)), count)
	return nil
}

func (d *dumpReader) begin(series []byte) {
	d.series = append(d.series[:0], series...)
	d.tracks.begin()
	d.fam, d.le, d.from = nil, nil, d.n
	s := &d.at
	if s.get("le") == nil || !bytes.HasSuffix(s.name, []byte("_bucket")) {
		return
	}
	if d.fam = d.families.selected(s); d.fam != nil {
		d.id = s.id()
		d.le = append([]byte(nil), s.get("le")...)
	}
}

// keep files the series that ends here. A single scrape counts from zero.
func (d *dumpReader) keep() error {
	if d.fam == nil {
		return d.aside()
	}
	if len(d.tracks.times) == 1 {
		if s := d.fam.start(d.id, d.from); s != nil {
			s.add(d.le, d.tracks.counts[0], d.from)
		}
		return nil
	}
	return d.tracks.keep(d.fam, d.id, d.le, d.from)
}

// aside files a series that has no le.
func (d *dumpReader) aside() error {
	var s sample
	if !s.cut(append(d.series, '0')) || len(d.tracks.times) == 0 {
		return nil // before the first, or stale all the time
	}
	f := d.families.selected(&s)
	once := len(d.tracks.times) == 1
	switch text := s.get("vmrange"); {
	case text != nil && f != nil && once:
		f.inRange(s.id(), text, d.tracks.counts[0], d.from)
	case text != nil && f != nil:
		return d.tracks.noRanges(d.from)
	case s.get("quantile") != nil && f != nil:
		f.claim(s.id(), s.get("quantile"), d.tracks.largest(), d.from)
	case once:
		d.families.aside(&s, d.tracks.counts[0], d.from)
	default:
		d.tracks.aside(&s, d.from)
	}
	return nil
}
