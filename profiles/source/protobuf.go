package source

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strconv"
)

// promProto is the delimited protobuf exposition, with native histograms.
var promProto = format{
	name:     "prometheus-protobuf",
	about:    "Prometheus delimited protobuf exposition, with native histograms",
	counters: true,
	sniff: func(head []byte) bool {
		// The length of a family, the tag of its name, the name.
		size, n := binary.Uvarint(head)
		if n <= 0 || size < 3 || len(head) < n+2 || head[n] != 0x0a {
			return false
		}
		length, m := binary.Uvarint(head[n+1:])
		from := n + 1 + m
		return m > 0 && length > 0 && length < 1024 && uint64(len(head)-from) >= length && isMetricName(head[from:from+int(length)])
	},
	read: func(in *input, q *Query) (*Observation, error) {
		p := &protoReader{in: in, families: newFamilies(in, q)}
		for {
			ok, err := p.family()
			if err != nil {
				return nil, err
			}
			if !ok {
				return p.families.observe()
			}
		}
	},
}

// largestMessage bounds one series of one metric; a family is read piece by
// piece.
const largestMessage = 4 << 20

// protoReader reads one family after another. Its "lines" are families.
type protoReader struct {
	in       *input
	families *families
	n        int // of the family
	buf      []byte
	kind     uint64
	at       sample
}

func (p *protoReader) bad(what string) error {
	return p.in.usagef(p.n, "the protobuf of this family is damaged: %s", what)
}

// family takes one MetricFamily; false at the end of the input.
func (p *protoReader) family() (bool, error) {
	size, err := binary.ReadUvarint(p.in.r)
	switch {
	case err == io.EOF:
		return false, nil
	case err != nil:
		return false, p.failed(err)
	}
	p.n++
	if size > 1<<40 {
		return false, p.bad("its length")
	}
	body := &io.LimitedReader{R: p.in.r, N: int64(size)}
	r := bufio.NewReaderSize(body, 4096)
	p.kind = 0
	var f *family
	var name []byte
	for {
		tag, err := binary.ReadUvarint(r)
		if err == io.EOF && body.N == 0 {
			return true, nil
		}
		if err != nil {
			return false, p.failed(err)
		}
		switch {
		case tag&7 == 0:
			v, err := binary.ReadUvarint(r)
			if err != nil {
				return false, p.failed(err)
			}
			if tag>>3 == 3 {
				p.kind = v
			}
		case tag&7 == 2:
			message, err := p.message(r)
			if err != nil {
				return false, err
			}
			switch tag >> 3 {
			case 1:
				name = append(name, message...)
			case 4:
				isOne := p.kind == 2 || p.kind == 4 || p.kind == 5 // summary, histogram, gauge histogram
				switch {
				case isOne && p.families.wanted(name):
					f = p.families.of(name)
				case isOne:
					p.families.pass(name)
				}
				if f != nil {
					if err := p.metric(f, message); err != nil {
						return false, err
					}
				}
			}
		default:
			return false, p.bad("a field of an unknown type")
		}
	}
}

func (p *protoReader) failed(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return p.in.usagef(p.n, "the protobuf is cut off")
	}
	return p.in.failed(err)
}

// message takes a length and that many bytes, valid until the next call.
func (p *protoReader) message(r *bufio.Reader) ([]byte, error) {
	size, err := binary.ReadUvarint(r)
	if err != nil {
		return nil, p.failed(err)
	}
	if size > largestMessage {
		return nil, p.bad("a message of " + strconv.FormatUint(size, 10) + " bytes")
	}
	if uint64(cap(p.buf)) < size {
		p.buf = make([]byte, size)
	}
	p.buf = p.buf[:size]
	if _, err := io.ReadFull(r, p.buf); err != nil {
		return nil, p.failed(err)
	}
	return p.buf, nil
}

// metric takes one series of a family.
func (p *protoReader) metric(f *family, message []byte) error {
	p.at = sample{labels: p.at.labels[:0], decoded: true}
	var histogram, summary []byte
	if !fields(message, func(number int, v field) bool {
		switch number {
		case 1:
			var l label
			ok := fields(v.bytes, func(number int, v field) bool {
				switch number {
				case 1:
					l.name = v.bytes
				case 2:
					l.value = v.bytes
				}
				return true
			})
			p.at.labels = append(p.at.labels, l)
			return ok
		case 4:
			summary = v.bytes
		case 7:
			histogram = v.bytes
		}
		return true
	}) {
		return p.bad("a series")
	}
	if !p.at.matches(p.families.q.Match) {
		return nil
	}
	ok := true
	switch {
	case histogram != nil && p.kind == 5:
		f.kind = "gaugehistogram"
		f.line = p.n
	case histogram != nil:
		ok = p.histogram(f, histogram)
	case summary != nil:
		ok = p.summary(f, summary)
	}
	if !ok {
		return p.bad("a histogram or summary")
	}
	return nil
}

func (p *protoReader) summary(f *family, message []byte) bool {
	return fields(message, func(number int, v field) bool {
		if number != 3 {
			return true
		}
		var q, value float64
		ok := fields(v.bytes, func(number int, v field) bool {
			switch number {
			case 1:
				q = v.float()
			case 2:
				value = v.float()
			}
			return true
		})
		return ok && f.claim(p.at.id(), strconv.AppendFloat(nil, q, 'g', -1, 64), value, p.n)
	})
}

// protoHistogram is a Histogram message; the native part in its sparse form.
type protoHistogram struct {
	count, sum        float64
	bounds, counts    []float64
	schema            int64
	zero, zeroes      float64
	negative          bool
	spans             [][2]int64
	deltas            []int64
	floats            []float64
	isNative, isClass bool
}

func (p *protoReader) histogram(f *family, message []byte) bool {
	var h protoHistogram
	if !fields(message, h.field) {
		return false
	}
	id := p.at.id()
	if h.isClass || !h.isNative {
		s := f.start(id, p.n)
		if s == nil {
			return true
		}
		open := false
		for i, bound := range h.bounds {
			text := strconv.AppendFloat(nil, bound, 'g', -1, 64)
			open = open || math.IsInf(bound, 1)
			s.add(text, h.counts[i], p.n)
		}
		if !open {
			s.add([]byte("+Inf"), h.count, p.n)
		}
		s.count, s.hasCount, s.sum, s.hasSum = h.count, true, h.sum, true
	}
	if h.isNative {
		n, wrong := h.native()
		if wrong == "" {
			wrong = n.parse()
		}
		if wrong != "" {
			f.breaks(p.n, "a native histogram %s", wrong)
			return true
		}
		f.addNative(n, id, p.n)
	}
	return true
}

func (h *protoHistogram) field(number int, v field) bool {
	switch number {
	case 1:
		h.count = float64(v.number)
	case 2:
		h.sum = v.float()
	case 3:
		var bound, count float64
		ok := fields(v.bytes, func(number int, v field) bool {
			switch number {
			case 1:
				count = float64(v.number)
			case 2:
				bound = v.float()
			case 4:
				count = v.float()
			}
			return true
		})
		h.isClass = true
		h.bounds, h.counts = append(h.bounds, bound), append(h.counts, count)
		return ok && len(h.bounds) < 1<<16
	case 4:
		h.count = v.float()
	case 5:
		h.schema, h.isNative = unzigzag(v.number), true
	case 6:
		h.zero, h.isNative = v.float(), true
	case 7:
		h.zeroes = float64(v.number)
	case 8:
		h.zeroes = v.float()
	case 9:
		h.negative = true
	case 12:
		h.isNative = true
		var span [2]int64
		ok := fields(v.bytes, func(number int, v field) bool {
			switch number {
			case 1:
				span[0] = unzigzag(v.number)
			case 2:
				span[1] = int64(v.number)
			}
			return true
		})
		h.spans = append(h.spans, span)
		return ok
	case 13:
		return v.each(func(n uint64) { h.deltas = append(h.deltas, unzigzag(n)) })
	case 14:
		return v.eachFixed(func(n uint64) { h.floats = append(h.floats, math.Float64frombits(n)) })
	}
	return true
}

// native expands the spans into buckets.
func (h *protoHistogram) native() (*native, string) {
	n := &native{count: h.count, sum: h.sum}
	if h.negative {
		return nil, "with negative durations"
	}
	if h.schema < -4 || h.schema > 8 {
		return nil, "of schema " + strconv.FormatInt(h.schema, 10)
	}
	if h.zeroes > 0 {
		n.buckets = append(n.buckets, nativeBucket{left: "0", right: boundText(math.Max(h.zero, math.SmallestNonzeroFloat64)), count: h.zeroes})
	}
	at, used, count := int64(0), 0, int64(0)
	for _, span := range h.spans {
		at += span[0]
		if span[1] < 0 || span[1] > 1<<16 || at < -1<<20 || at > 1<<20 {
			return nil, "with impossible spans"
		}
		for range span[1] {
			b := nativeBucket{left: boundText(edge(h.schema, at-1)), right: boundText(edge(h.schema, at))}
			switch {
			case used < len(h.floats):
				b.count = h.floats[used]
			case used < len(h.deltas):
				count += h.deltas[used]
				b.count = float64(count)
			default:
				return nil, "with fewer buckets than its spans"
			}
			n.buckets = append(n.buckets, b)
			used++
			at++
		}
	}
	return n, ""
}

// edge is the upper bound of bucket i of a schema: 2^(i * 2^-schema).
func edge(schema, i int64) float64 { return math.Exp2(float64(i) * math.Exp2(-float64(schema))) }

func boundText(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// field is one field of a protobuf message.
type field struct {
	kind   int
	number uint64 // varint, or the bits of a fixed64 or fixed32
	bytes  []byte
}

func (v field) float() float64 { return math.Float64frombits(v.number) }

// each calls f with the varints of a packed or single field.
func (v field) each(f func(uint64)) bool {
	if v.kind != 2 {
		f(v.number)
		return true
	}
	for b := v.bytes; len(b) > 0; {
		n, size := binary.Uvarint(b)
		if size <= 0 {
			return false
		}
		f(n)
		b = b[size:]
	}
	return true
}

// eachFixed is each for fixed64.
func (v field) eachFixed(f func(uint64)) bool {
	if v.kind != 2 {
		f(v.number)
		return true
	}
	for b := v.bytes; len(b) > 0; b = b[8:] {
		if len(b) < 8 {
			return false
		}
		f(binary.LittleEndian.Uint64(b))
	}
	return true
}

func unzigzag(n uint64) int64 { return int64(n>>1) ^ -int64(n&1) }

// fields calls each with every field of a message; false when it is damaged
// or each says so.
func fields(message []byte, each func(number int, v field) bool) bool {
	for len(message) > 0 {
		tag, n := binary.Uvarint(message)
		if n <= 0 || tag>>3 > 1<<20 {
			return false
		}
		message = message[n:]
		v := field{kind: int(tag & 7)}
		switch v.kind {
		case 0:
			v.number, n = binary.Uvarint(message)
			if n <= 0 {
				return false
			}
			message = message[n:]
		case 1:
			if len(message) < 8 {
				return false
			}
			v.number = binary.LittleEndian.Uint64(message)
			message = message[8:]
		case 2:
			size, n := binary.Uvarint(message)
			if n <= 0 || size > uint64(len(message)-n) {
				return false
			}
			v.bytes = message[n : n+int(size)]
			message = message[n+int(size):]
		case 5:
			if len(message) < 4 {
				return false
			}
			message = message[4:]
		default:
			return false
		}
		if !each(int(tag>>3), v) {
			return false
		}
	}
	return true
}
