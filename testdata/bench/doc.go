// Package bench runs the readers of profiles/source beside the libraries that
// read the same formats, in one run on one core:
//
//	go test -bench . -cpu 1
//
// It is a module of its own so that lockplan does not carry its peers.
package bench
