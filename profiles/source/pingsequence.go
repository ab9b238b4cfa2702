package source

import "bytes"

// sequenceSize is where ping's 16-bit sequence numbers begin anew.
const sequenceSize = 1 << 16

// pingSequence counts the replies that a transcript skips, for one that was
// cut off before its counts.
type pingSequence struct {
	next    uint64 // after the highest reply; numbers go on past a wrap
	top     uint64 // after the highest number that any line names
	missing uint64
	begun   bool
}

// reply takes the number of a reply. One that comes late fills a gap.
func (s *pingSequence) reply(line []byte) {
	n, ok := sequenceNumber(line)
	if !ok || bytes.Contains(line, []byte("DUP!")) {
		return
	}
	n = s.unwrap(n)
	switch {
	case !s.begun:
		s.begun, s.next = true, n+1
	case n >= s.next:
		s.missing += n - s.next
		s.next = n + 1
	case s.missing > 0:
		s.missing--
	}
	s.top = max(s.top, s.next)
}

// noReply takes the number that a line about a lost request names.
func (s *pingSequence) noReply(line []byte) bool {
	n, ok := sequenceNumber(line)
	if ok {
		n = s.unwrap(n)
		if !s.begun {
			s.begun, s.next = true, n
		}
		s.top = max(s.top, n+1)
	}
	return ok
}

// unwrap continues the count where a number is far below the last.
func (s *pingSequence) unwrap(n uint64) uint64 {
	for s.begun && n+sequenceSize/2 < s.next {
		n += sequenceSize
	}
	return n
}

func (s *pingSequence) lost() uint64 { return s.missing + s.top - s.next }

// sequenceNumber is icmp_seq=7, "icmp_seq 7" (macOS) or seq=7 (BusyBox).
func sequenceNumber(line []byte) (uint64, bool) {
	_, rest, ok := bytes.Cut(line, []byte("seq"))
	if !ok || len(rest) < 2 || rest[0] != '=' && rest[0] != ' ' {
		return 0, false
	}
	end := 1
	for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
		end++
	}
	n, ok := whole(rest[1:end])
	return n, ok && n < sequenceSize
}
