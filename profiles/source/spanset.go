package source

import "hash/fnv"

// mostSpans is how many spans are remembered in each of two generations: what
// comes again comes with the next page or export.
const mostSpans = 1 << 16

// spanSet remembers spans by 64 bits of a hash; the chance that two of a
// million unlike ones share them is 3e-8.
type spanSet struct{ young, old map[uint64]struct{} }

// add is false for a span that is in the set.
func (s *spanSet) add(trace, id string) bool {
	h := fnv.New64a()
	h.Write([]byte(trace))
	h.Write([]byte{0})
	h.Write([]byte(id))
	key := h.Sum64()
	_, young := s.young[key]
	_, old := s.old[key]
	if young || old {
		return false
	}
	if len(s.young) >= mostSpans {
		s.old, s.young = s.young, nil
	}
	if s.young == nil {
		s.young = make(map[uint64]struct{})
	}
	s.young[key] = struct{}{}
	return true
}
