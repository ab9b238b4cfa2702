package source

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"io"
	"math"
)

// track is one bucket over time.
type track struct {
	le     []byte
	line   int
	times  []int64
	packed []byte
	whole  bool // packed holds whole counts
	growth float64
	falls  bool // somewhere: growth is not what it grew
}

// The bits of a packed track's flags.
const (
	wholeCounts = 1 << iota
	fallingCounts
	ownTimes // unlike those of the histogram's first track
)

// hash tells lists of times apart. Its seed is of this run: no input can be
// made to collide.
func (t *tracks) hash(times []int64) uint64 {
	if t.seed == (maphash.Seed{}) {
		t.seed = maphash.MakeSeed()
	}
	return maphash.Bytes(t.seed, packWhole(nil, times))
}

// pack appends the points just read as a track of the n-th group: the group,
// the length of the rest, and the rest.
func (t *tracks) pack(n int, le []byte, line int) {
	g := &t.groups[n]
	flags := byte(wholeCounts)
	for i, c := range t.counts {
		if !isWhole(c) {
			flags &^= wholeCounts
		}
		if i > 0 && c < t.counts[i-1] {
			flags |= fallingCounts
		}
	}
	if g.tracks == 0 || g.times != t.knownHash {
		flags |= ownTimes
	}
	b := append(t.record[:0], flags)
	b = binary.AppendUvarint(b, uint64(line))
	b = packFractions(b, []float64{t.counts[len(t.counts)-1] - t.counts[0]})
	b = append(binary.AppendUvarint(b, uint64(len(le))), le...)
	if flags&ownTimes != 0 {
		times := packWhole(nil, t.times)
		b = append(binary.AppendUvarint(b, uint64(len(times))), times...)
		g.moments += len(t.times)
	}
	if flags&wholeCounts != 0 {
		b = packWhole(b, t.counts)
	} else {
		b = packFractions(b, t.counts)
	}
	t.record = b
	if g.tracks == 0 {
		g.times = t.knownHash
	}
	g.tracks++
	g.packed += len(b)
	var head [2 * binary.MaxVarintLen64]byte
	t.packed.append(binary.AppendUvarint(binary.AppendUvarint(head[:0], uint64(n)), uint64(len(b))))
	t.packed.append(b)
}

// unpack takes the tracks of some groups out, in the order in which they came.
func (t *tracks) unpack(from, to int) ([][]track, error) {
	size, left := 0, 0
	for _, g := range t.groups[from:to] {
		size, left = size+g.packed, left+g.tracks
	}
	memory, all := make([]byte, size), make([]track, left)
	groups := make([][]track, to-from)
	for i, g := range t.groups[from:to] {
		groups[i], all = all[:0:g.tracks], all[g.tracks:]
	}
	t.packed.at = t.groups[from].start
	r := bufio.NewReaderSize(&t.packed, spillBlock/4)
	var u unpacker
	for left > 0 {
		head, err := r.Peek(2 * binary.MaxVarintLen64)
		if len(head) == 0 {
			return nil, err
		}
		n, width := binary.Uvarint(head)
		size, width2 := binary.Uvarint(head[width:])
		r.Discard(width + width2)
		if n < uint64(from) || n >= uint64(to) {
			if _, err := r.Discard(int(size)); err != nil {
				return nil, err
			}
			continue
		}
		if _, err := io.ReadFull(r, memory[:size]); err != nil {
			return nil, err
		}
		g := &groups[n-uint64(from)]
		*g = append(*g, u.track(memory[:size:size], *g))
		memory = memory[size:]
		left--
	}
	return groups, nil
}

// unpacker remembers the times that it unpacked last, since most are the same.
type unpacker struct {
	packed []byte
	times  []int64
}

// track is what pack left in b; before are those of the same histogram.
func (u *unpacker) track(b []byte, before []track) track {
	flags := b[0]
	line, width := binary.Uvarint(b[1:])
	b = b[1+width:]
	tr := track{line: int(line), whole: flags&wholeCounts != 0, falls: flags&fallingCounts != 0}
	tr.growth = math.Float64frombits(binary.LittleEndian.Uint64(b))
	tr.le, b = prefixed(b[8:])
	if flags&ownTimes != 0 {
		var packed []byte
		packed, b = prefixed(b)
		if !bytes.Equal(packed, u.packed) {
			u.packed, u.times = packed, unpackWhole[int64](nil, packed)
		}
		tr.times = u.times
	} else {
		tr.times = before[0].times
	}
	tr.packed = b
	return tr
}

// prefixed splits off what its length stands before.
func prefixed(b []byte) (text, rest []byte) {
	n, width := binary.Uvarint(b)
	return b[width : width+int(n)], b[width+int(n):]
}

// at unpacks the counts at some of the track's times.
func (tr track) at(times []int64) []float64 {
	all := make([]float64, 0, len(tr.times))
	if tr.whole {
		all = unpackWhole(all, tr.packed)
	} else {
		all = unpackFractions(all, tr.packed)
	}
	if len(times) == len(tr.times) {
		return all
	}
	some := all[:0]
	i := 0
	for _, ms := range times {
		for tr.times[i] < ms {
			i++
		}
		some = append(some, all[i])
	}
	return some
}
