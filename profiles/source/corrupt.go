package source

import (
	"compress/flate"
	"errors"

	"github.com/klauspost/compress/zstd"
)

// isCorrupt tells damaged compressed data from a failing disk or pipe.
func isCorrupt(err error) bool {
	if _, ok := errors.AsType[flate.CorruptInputError](err); ok {
		return true
	}
	for _, known := range []error{
		zstd.ErrReservedBlockType, zstd.ErrCompressedSizeTooBig, zstd.ErrBlockTooSmall, zstd.ErrUnexpectedBlockSize,
		zstd.ErrMagicMismatch, zstd.ErrWindowSizeExceeded, zstd.ErrWindowSizeTooSmall, zstd.ErrDecoderSizeExceeded,
		zstd.ErrUnknownDictionary, zstd.ErrFrameSizeExceeded, zstd.ErrFrameSizeMismatch, zstd.ErrCRCMismatch,
	} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}
