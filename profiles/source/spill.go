package source

import (
	"os"
	"slices"
)

// Variables, so that tests need no large input.
var (
	// inMemory is how many bytes of counters are held at a time; more wait in
	// a temporary file.
	inMemory = 8 << 20
	// spillBlock is how much is written to the file at a time.
	spillBlock = 1 << 20
)

// spill is a sequence of bytes that is written once and then read from any
// place. What its memory cannot hold it keeps in a temporary file, and where
// there is none to be had, in memory after all.
type spill struct {
	blocks  [][]byte // behind what is in the file, full but for the last
	file    *os.File
	written int64
	full    bool // the file takes no more
	left    bool // the file still has its name
	at      int64
}

func (s *spill) size() int64 {
	if len(s.blocks) == 0 {
		return s.written
	}
	return s.written + int64((len(s.blocks)-1)*spillBlock+len(s.blocks[len(s.blocks)-1]))
}

func (s *spill) append(p []byte) {
	for len(p) > 0 {
		last := len(s.blocks) - 1
		if last < 0 || len(s.blocks[last]) == spillBlock {
			if len(s.blocks)*spillBlock >= inMemory || s.file != nil {
				s.save()
			}
			s.blocks = append(s.blocks, make([]byte, 0, spillBlock))
			last = len(s.blocks) - 1
		}
		b := s.blocks[last]
		n := copy(b[len(b):spillBlock], p)
		s.blocks[last], p = b[:len(b)+n], p[n:]
	}
}

// save moves the blocks to the file.
func (s *spill) save() {
	if s.full {
		return
	}
	if s.file == nil {
		file, err := os.CreateTemp("", "lockplan-")
		if err != nil {
			s.full = true
			return
		}
		s.file = file
		s.left = os.Remove(file.Name()) != nil // the system does not let go of an open file
	}
	for len(s.blocks) > 0 {
		if _, err := s.file.WriteAt(s.blocks[0], s.written); err != nil {
			s.full = true
			return
		}
		s.written += int64(len(s.blocks[0]))
		s.blocks = slices.Delete(s.blocks, 0, 1)
	}
}

// Read goes on from at.
func (s *spill) Read(p []byte) (n int, err error) {
	if s.at < s.written {
		n, err = s.file.ReadAt(p[:min(int64(len(p)), s.written-s.at)], s.at)
	} else if at := int(s.at - s.written); at/spillBlock < len(s.blocks) {
		n = copy(p, s.blocks[at/spillBlock][at%spillBlock:])
	}
	s.at += int64(n)
	return n, err
}

func (s *spill) close() {
	if s.file != nil {
		s.file.Close()
		if s.left { // else another process may have the name by now
			os.Remove(s.file.Name())
		}
	}
}
