package source

import (
	"encoding/binary"
	"math"
)

// isWhole says that a count is a whole number that a float holds exactly.
func isWhole(c float64) bool {
	return c == float64(int64(c)) && c <= exactCounts && c >= -exactCounts
}

// packWhole appends whole numbers as their differences, of which most are
// small and many repeat. A difference stands as a varint whose lowest bit says
// that the number of its repeats follows; 0 there marks one that is negative.
func packWhole[T int64 | float64](b []byte, values []T) []byte {
	prev, delta, repeats := int64(0), int64(0), uint64(0)
	for i, v := range values {
		n := int64(v)
		if i > 0 && n-prev == delta {
			repeats++
		} else {
			if i > 0 {
				b = appendDelta(b, delta, repeats)
			}
			delta, repeats = n-prev, 0
		}
		prev = n
	}
	return appendDelta(b, delta, repeats)
}

func appendDelta(b []byte, delta int64, repeats uint64) []byte {
	switch {
	case delta < 0:
		for range repeats + 1 {
			b = append(binary.AppendUvarint(b, uint64(-delta)<<1|1), 0)
		}
		return b
	case repeats == 0:
		return binary.AppendUvarint(b, uint64(delta)<<1)
	}
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(delta)<<1|1), repeats)
}

// unpackWhole appends to values what packWhole packed.
func unpackWhole[T int64 | float64](values []T, packed []byte) []T {
	sum := int64(0)
	for len(packed) > 0 {
		token, size := binary.Uvarint(packed)
		packed = packed[size:]
		delta, times := int64(token>>1), uint64(1)
		if token&1 != 0 {
			repeats, size := binary.Uvarint(packed)
			packed = packed[size:]
			times += repeats
			if repeats == 0 {
				delta = -delta
			}
		}
		for range times {
			sum += delta
			values = append(values, T(sum))
		}
	}
	return values
}

// packFractions appends counts as they are.
func packFractions(b []byte, counts []float64) []byte {
	for _, c := range counts {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(c))
	}
	return b
}

func unpackFractions(counts []float64, packed []byte) []float64 {
	for ; len(packed) > 0; packed = packed[8:] {
		counts = append(counts, math.Float64frombits(binary.LittleEndian.Uint64(packed)))
	}
	return counts
}
