package source

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/lockplan/lockplan/calc/fault"
)

// headSize is how much of an input is looked at to tell its format.
const headSize = 64 << 10

// input is a file being read: decompressed, without byte order mark.
type input struct {
	name string
	r    *bufio.Reader
	head []byte // its first headSize bytes, not consumed
	stop func() // ends what still works for it

	unread unread // of a transcript
}

// open takes the compression and the byte order mark off.
func open(name string, r io.Reader) (*input, error) {
	in := &input{name: name, r: bufio.NewReaderSize(r, headSize), stop: func() {}}
	if err := in.decompress(); err != nil {
		return nil, err
	}
	if err := in.look(); err != nil {
		in.stop()
		return nil, err
	}
	return in, nil
}

// look takes the byte order mark off and shows the start.
func (in *input) look() error {
	if start, _ := in.r.Peek(3); bytes.Equal(start, []byte("\xef\xbb\xbf")) {
		in.r.Discard(3)
	}
	head, err := in.r.Peek(headSize)
	if err != nil && err != io.EOF && !errors.Is(err, bufio.ErrBufferFull) {
		return in.failed(err)
	}
	in.head = head
	if len(bytes.TrimSpace(head)) == 0 {
		return fault.NoDataf("%s is empty", show(in.name))
	}
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return fault.Usagef("%s is UTF-16 text", show(in.name)).Hintf("iconv -f UTF-16 -t UTF-8")
	}
	return nil
}

func (in *input) decompress() error {
	start, _ := in.r.Peek(4)
	switch {
	case bytes.HasPrefix(start, []byte("\x1f\x8b")):
		plain, err := gzip.NewReader(in.r)
		if err != nil {
			return in.failed(err)
		}
		in.unpack(plain)
	case bytes.Equal(start, []byte("\x28\xb5\x2f\xfd")):
		plain, err := zstd.NewReader(in.r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(16<<20))
		if err != nil {
			return in.failed(err)
		}
		in.unpack(plain)
	}
	return nil
}

func (in *input) unpack(plain io.Reader) {
	a := newAhead(plain)
	in.r, in.stop = bufio.NewReaderSize(a, headSize), a.stop
}

// failed explains an error of the reader below.
func (in *input) failed(err error) error {
	if e, ok := errors.AsType[*fault.Error](err); ok {
		return e
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fault.Usagef("%s is cut off: its compressed data ends early", show(in.name))
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), isCorrupt(err):
		return fault.Usagef("%s: its compressed data is damaged", show(in.name))
	}
	return fault.Toolf("%s: cannot be read: %w", show(in.name), err)
}

// usagef is an error at a line of the input.
func (in *input) usagef(line int, format string, args ...any) *fault.Error {
	return fault.Usagef("%s:%d: "+format, append([]any{show(in.name), line}, args...)...)
}
