// Package fault carries an error together with what to type instead and with
// the exit class it belongs to.
package fault

import (
	"errors"
	"fmt"
)

// Class says which exit code an error deserves.
type Class int

const (
	// Usage is a bad flag or an invalid file: exit 2.
	Usage Class = iota
	// Tool is a failure of I/O, the network or a server: exit 1.
	Tool
	// NoData is an input that cannot say what is asked of it: exit 4.
	NoData
)

// Error is a message with an optional hint. Msg is lower case and names the
// file:line, the value and the limit where there are any.
type Error struct {
	Class Class
	Msg   string
	Hint  string
	Err   error
}

func (e *Error) Error() string { return e.Msg }

// Unwrap returns the cause, if any.
func (e *Error) Unwrap() error { return e.Err }

// Usagef is a usage error (exit 2) without a hint.
func Usagef(format string, args ...any) *Error { return newf(Usage, format, args...) }

// Toolf is a tool failure (exit 1) without a hint.
func Toolf(format string, args ...any) *Error { return newf(Tool, format, args...) }

// NoDataf is an answer that the input cannot give (exit 4), without a hint.
func NoDataf(format string, args ...any) *Error { return newf(NoData, format, args...) }

func newf(class Class, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Class: class, Msg: err.Error(), Err: errors.Unwrap(err)}
}

// Hintf adds what to type instead.
func (e *Error) Hintf(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// ClassOf is the class of the outermost *Error in err's chain; any other
// error is a failure of the tool.
func ClassOf(err error) Class {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Class
	}
	return Tool
}

// HintOf is the first hint in err's chain, or "".
func HintOf(err error) string {
	for err != nil {
		e, ok := errors.AsType[*Error](err)
		if !ok {
			return ""
		}
		if e.Hint != "" {
			return e.Hint
		}
		err = e.Err
	}
	return ""
}
