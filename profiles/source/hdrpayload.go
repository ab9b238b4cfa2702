package source

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"math/bits"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
)

// Cookies of the encodings, without the bits that hold the size of a word.
const (
	hdrV0       = 0x1c849308
	hdrV0Packed = 0x1c849309
	hdrV1       = 0x1c849301
	hdrV1Packed = 0x1c849302
	hdrV2       = 0x1c849303
	hdrV2Packed = 0x1c849304
)

// largestPayload is more than a histogram of five digits over 292 years takes.
const largestPayload = 256 << 20

// hdrPayload decodes compressed histograms, one after another.
type hdrPayload struct {
	inflate io.ReadCloser
	source  bytes.Reader
	plain   bytes.Buffer
}

// each adds the counts of one compressed histogram; it says what is wrong
// with it, or "".
func (p *hdrPayload) each(packed []byte, unit time.Duration, s *samples) string {
	if len(packed) < 8 {
		return "is cut off"
	}
	cookie := binary.BigEndian.Uint32(packed) &^ 0xf0
	size := binary.BigEndian.Uint32(packed[4:])
	if cookie != hdrV0Packed && cookie != hdrV1Packed && cookie != hdrV2Packed {
		return "is of an unknown version"
	}
	if int64(size) > int64(len(packed)-8) {
		return "is cut off"
	}
	p.source.Reset(packed[8 : 8+size])
	var err error
	if p.inflate == nil {
		p.inflate, err = zlib.NewReader(&p.source)
	} else {
		err = p.inflate.(zlib.Resetter).Reset(&p.source, nil)
	}
	if err != nil {
		p.inflate = nil
		return "is damaged"
	}
	p.plain.Reset()
	if n, err := p.plain.ReadFrom(io.LimitReader(p.inflate, largestPayload)); err != nil || n == largestPayload {
		return "is damaged"
	}
	return decodeHDR(p.plain.Bytes(), unit, s)
}

// hdrLayout turns the index of a count into the values it stands for.
type hdrLayout struct {
	unitMagnitude, halfMagnitude int
	unit                         time.Duration
}

func decodeHDR(b []byte, unit time.Duration, s *samples) string {
	if len(b) < 40 {
		return "is cut off"
	}
	whole := binary.BigEndian.Uint32(b)
	cookie, word := whole&^0xf0, int(whole>>4&0xe)
	var digits, lowest uint64
	var counts []byte
	switch cookie {
	case hdrV1, hdrV2:
		if size := uint64(binary.BigEndian.Uint32(b[4:])); size <= uint64(len(b)-40) {
			counts = b[40 : 40+size]
		} else {
			return "is cut off"
		}
		if binary.BigEndian.Uint32(b[8:]) != 0 {
			return "has shifted values"
		}
		digits = uint64(binary.BigEndian.Uint32(b[12:]))
		lowest = binary.BigEndian.Uint64(b[16:])
	case hdrV0:
		digits = uint64(binary.BigEndian.Uint32(b[4:]))
		lowest = binary.BigEndian.Uint64(b[8:])
		counts = b[32:]
	default:
		return "is of an unknown version"
	}
	if digits > 5 || lowest == 0 || lowest > 1<<40 {
		return "has an impossible precision"
	}
	resolution := uint64(2)
	for range digits {
		resolution *= 10
	}
	l := hdrLayout{unitMagnitude: bits.Len64(lowest) - 1, halfMagnitude: max(bits.Len64(resolution-1), 1) - 1, unit: unit}
	if cookie == hdrV2 {
		return l.packed(counts, s)
	}
	return l.words(counts, word, s)
}

// packed reads V2: zigzag LEB128, a negative number being a run of zeros.
func (l hdrLayout) packed(b []byte, s *samples) string {
	for at := uint64(0); len(b) > 0; {
		n, size := leb128(b)
		if size == 0 {
			return "is damaged"
		}
		b = b[size:]
		if n < 0 {
			if at += uint64(-n); at > 1<<32 {
				return "is damaged"
			}
			continue
		}
		if wrong := l.add(at, uint64(n), s); wrong != "" {
			return wrong
		}
		at++
	}
	return ""
}

// leb128 reads a zigzag number of at most nine bytes, the last of which has
// eight bits.
func leb128(b []byte) (n int64, size int) {
	var v uint64
	for i := 0; i < 9 && i < len(b); i++ {
		if i == 8 {
			v |= uint64(b[i]) << 56
			return unzigzag(v), 9
		}
		v |= uint64(b[i]&0x7f) << (7 * i)
		if b[i] < 0x80 {
			return unzigzag(v), i + 1
		}
	}
	return 0, 0
}

// words reads V0 and V1: big-endian counts of a fixed size.
func (l hdrLayout) words(b []byte, word int, s *samples) string {
	if word != 2 && word != 4 && word != 8 {
		return "has counts of an unknown size"
	}
	for at := uint64(0); len(b) >= word; at++ {
		var n uint64
		for _, c := range b[:word] {
			n = n<<8 | uint64(c)
		}
		b = b[word:]
		if wrong := l.add(at, n, s); wrong != "" {
			return wrong
		}
	}
	return ""
}

// add counts n samples at an index: values from the lowest to the highest
// that the histogram does not tell apart.
func (l hdrLayout) add(index, n uint64, s *samples) string {
	if n == 0 {
		return ""
	}
	half := uint64(1) << l.halfMagnitude
	bucket, sub := int64(index>>l.halfMagnitude)-1, index&(half-1)+half
	if bucket < 0 {
		bucket, sub = 0, sub-half
	}
	shift := uint(bucket) + uint(l.unitMagnitude)
	if n > exactCounts || shift+uint(bits.Len64(sub+1)) > 62 {
		return "is damaged"
	}
	low, high := sub<<shift, (sub+1)<<shift-1
	hi, ns := bits.Mul64(high, uint64(l.unit))
	if hi != 0 || ns >= uint64(dist.Inf) {
		return "has values that are too long in this unit"
	}
	s.b.AddRange(time.Duration(low)*l.unit, time.Duration(ns), n)
	s.n += int(n)
	return ""
}
