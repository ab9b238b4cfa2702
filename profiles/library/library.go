// Package library is what lockplan knows about real lock libraries: their
// keys and units, what they make of a value, how they renew, when they free a
// lock and when they tell its holder, one file each. A library reads a running
// configuration (check) and writes a planned one (emit).
package library

import (
	"slices"
	"time"

	"github.com/lockplan/lockplan/calc"
)

// Library is a lock library: a calc.Library that can also read and write its
// own configuration. A value of it carries the version asked for and, after
// Read, the configuration that its methods depend on (a tick, an election
// timeout, a lock delay).
type Library interface {
	calc.Library
	// Sheet is what `library show` and docs/libraries tell.
	Sheet() *Sheet
	// Read turns the values of run into a lease and its surroundings. It sets
	// run.Library to itself as configured.
	Read(run *Running)
	// Express writes what is asked in the library's keys, rounded to the safe
	// side. Its error is a *fault.Error when no value of a key can say it.
	Express(ask Ask) ([]Setting, error)
}

// Ask is what a plan wants of a library. Durations are not yet rounded to the
// library's units.
type Ask struct {
	In      calc.Inputs // resolved, with this library
	Lease   calc.Lease
	Wait    time.Duration // acquire wait; 0 is none given
	Attempt time.Duration // timeout of one attempt
	Given   Values        // settings the surroundings fix, such as a server's tickTime
	// Tight allows a renew call shorter than planned, where a recovery target
	// leaves no room for a longer lease.
	Tight bool
}

// Setting is one key as emitted.
type Setting struct {
	Key  string // the library's spelling
	Text string // the value in the key's unit
	Why  string // where the number comes from
}

// Unit is how a key spells a duration, or what else it holds.
type Unit string

// The units of keys.
const (
	Millis   Unit = "ms"       // whole milliseconds
	Seconds  Unit = "s"        // whole seconds
	Decimal  Unit = "seconds"  // decimal seconds, resolved to milliseconds
	GoText   Unit = "duration" // Go's text, such as 1m30s
	ISOText  Unit = "iso"      // ISO-8601 text, such as PT1.5S
	SimpleTx Unit = "text"     // ISO-8601, or a number with ms, s, m, h, d
	Count    Unit = "count"
	Factor   Unit = "ratio"
	Switch   Unit = "bool"
	Word     Unit = "word"
)

// Key is one setting of a library.
type Key struct {
	Name    string // exact spelling
	Unit    Unit
	Default string // as the library has it; "" is none
	Range   string // what is legal, in words and numbers
	Outside string // what the library does with the rest: "error", "clamps", "accepts"
	Round   string // to which side lockplan rounds: "up", "down"
	Doc     string
	Wait    bool     // ends the wait for the lock by itself
	Int     bool     // a Java int of milliseconds: what is longer does not load
	Signed  bool     // a negative value means something, such as "off"
	Other   []string // other spellings of the same setting: flags, struct fields
	Classes []string // ends of the library's class names that are the key's words
	Shared  bool     // of the object that keeps all locks of a program
	Found   bool     // check finds it in a file: nobody sets it
	App     bool     // kept by the application or another file, not by the library's own
	Flag    string   // of the library's own programs, without dashes
	Env     string   // variable that its users set; "" is the name in capitals
}

// Cover says what gives a property, or that nothing does.
type Cover string

// Sheet is a library as a page: the facts beside the numbers.
type Sheet struct {
	Name     string
	Title    string
	Language string
	Store    string // the service that keeps the lock
	Versions []string
	Keys     []Key
	Formats  []string          // that emit writes; the first is the default
	Code     map[string]string // templates of the source files among Formats
	OwnFile  string            // what the first of Formats is to the library, which loads it: foreign keys go into comments; "" is nothing
	Renewal  string            // schedule, and what a failed renewal does
	Call     string            // worst time of one call with the client's own retries
	Signal   string            // how and when the holder hears of a loss
	Fence    string            // the fencing token, or that there is none

	MutualExclusion, NoDeadlock, OwnerOnly, Atomic, Available Cover // E1
	Reentrant, Waiting, Fair                                  Cover // E2
	Crash, Outrun, JitterAtRelease, Failover, EnteredTwice    Cover // E3

	SkipsWait bool // never waits: what finds the lock taken is skipped
	Orders    bool // waiters are served in order
	// KEY=VALUE that chooses another lock object, one that gives a fencing
	// token or one that serves waiters in order; "" is none.
	Fenced, InOrder string
	Facts           []Fact
}

// Fact is a row of the research that a rule relies on, with the figure that a
// test against the real library gave.
type Fact struct {
	Says     string // the claim
	Measured string // "" until a test measures it
	Test     string // the test that measures it
}

// Key finds a key by its exact spelling.
func (s *Sheet) Key(name string) (Key, bool) {
	for _, k := range s.AllKeys() {
		if k.Name == name {
			return k, true
		}
	}
	return Key{}, false
}

// Settable are the library's keys without those that check alone finds.
func (s *Sheet) Settable() []Key {
	return slices.DeleteFunc(slices.Clone(s.Keys), func(k Key) bool { return k.Found })
}

// AllKeys are the library's keys and then those that the application keeps.
func (s *Sheet) AllKeys() []Key { return append(append([]Key(nil), s.Keys...), appKeys...) }

// appKeys are limits that no library keeps for the application.
var appKeys = []Key{
	{Name: "application.stopWork", Unit: GoText, Round: "down", App: true, Doc: "stop-work point (S): after this time since the last confirmed acquire or renewal was sent, start no side effect"},
	{Name: "application.maxHold", Unit: GoText, Round: "down", App: true, Doc: "maximum hold (H1): a hold longer than this is an exception: stop renewing"},
	{Name: "application.unlockRetry", Unit: GoText, Round: "up", App: true, Doc: "try a failed unlock again for so long: then the lease has ended by itself"},
	{Name: "application.acquireWait", Unit: GoText, Round: "down", App: true, Wait: true, Doc: "acquire wait (A): to pass to the acquire call"},
}
