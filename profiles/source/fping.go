package source

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// fpingTimeout is the longest that fping waits by default when it counts.
const fpingTimeout = 2 * time.Second

// fping is the output of fping -C (every reply, "-" for a lost one) or -c
// (minimum and maximum). Without -q it lists each reply too, and these lines
// alone go to the standard output.
var fping = format{
	name:  "fping",
	about: "fping -C or -c; --metric is the host",
	sniff: func(head []byte) bool {
		for line := range bytes.Lines(head) {
			_, isReplies := fpingReplies(line)
			_, isReply := fpingReply(line)
			if isReplies || isReply || bytes.Contains(line, []byte(" : xmt/rcv/%loss = ")) {
				return true
			}
		}
		return false
	},
	read: func(in *input, q *Query) (*Observation, error) {
		for _, m := range q.Match {
			if m.Label != "host" {
				return nil, fault.Usagef("%s: --match cannot look at %s", show(in.name), show(m.Label)).Hintf("host is the label of a reply to fping")
			}
		}
		hosts := make(map[string]*fpingReader)
		if err := in.each(func(line []byte, n int) (bool, error) {
			name, _, _ := bytes.Cut(line, []byte(" : "))
			name = bytes.TrimSpace(name)
			host := hosts[string(name)]
			if host == nil {
				host = &fpingReader{samples: samples{in: in}}
			}
			took, err := host.take(line, n)
			if took && len(hosts) < mostHosts {
				hosts[string(name)] = host
			}
			return took, err
		}); err != nil {
			return nil, err
		}
		all := &samples{in: in}
		names := sortedKeys(hosts)
		for _, name := range names {
			if q.Metric != "" && q.Metric != name || slices.ContainsFunc(q.Match, func(m Matcher) bool { return !m.Matches(name) }) {
				delete(hosts, name)
				continue
			}
			all.take(hosts[name])
		}
		switch chosen := q.Metric != "" || len(q.Match) > 0; {
		case chosen && len(hosts) == 0:
			return nil, fault.Usagef("%s: no replies are of that host", show(in.name)).Hintf("it has %s", list(names))
		case !chosen && len(hosts) > 1: // among ten the slow one is a tenth
			return nil, fault.Usagef("%s holds replies of several hosts", show(in.name)).
				Hintf("--metric with one of %s, or --match 'host=~\".*\"' for all", list(names))
		}
		return all.roundTrips(cmp.Or(q.Metric, "fping"), "ms", fpingTimeout)
	},
}

// mostHosts is how many hosts are told apart.
const mostHosts = 1000

// take adds the replies of one host.
func (s *samples) take(host *fpingReader) {
	host.merge(&host.listed)
	s.lost += host.lost + host.listed.lost
	s.merge(&host.samples)
	if s.line == 0 {
		s.line = host.line
	}
}

// fpingReader adds up the lines of one host.
type fpingReader struct {
	samples
	listed samples // replies whose host's line has not come
}

// take takes a reply, or the line of a host, which holds the replies that were
// listed.
func (s *fpingReader) take(line []byte, n int) (bool, error) {
	if text, ok := fpingReply(line); ok {
		if text == nil {
			s.listed.lost++
			return true, nil
		}
		down, up, ok := printed(text, time.Millisecond)
		if !ok {
			return false, s.in.usagef(n, "%s is not a time", show(text))
		}
		s.listed.add(down, up, n)
		return true, nil
	}
	took, err := s.host(line, n)
	if took {
		s.listed = samples{}
	}
	return took, err
}

func (s *samples) host(line []byte, n int) (bool, error) {
	if replies, ok := fpingReplies(line); ok {
		for _, reply := range replies {
			if string(reply) == "-" {
				s.lost++
				continue
			}
			down, up, _ := printed(reply, time.Millisecond)
			s.add(down, up, n)
		}
		return true, nil
	}
	_, rest, ok := bytes.Cut(line, []byte(" : xmt/rcv/%loss = "))
	if !ok {
		return false, nil
	}
	counts := bytes.SplitN(rest, []byte("/"), 3)
	if len(counts) < 3 {
		return false, s.in.usagef(n, "counts that cannot be read: %s", show(rest))
	}
	sent, ok1 := whole(counts[0])
	received, ok2 := whole(counts[1])
	if !ok1 || !ok2 || received > sent {
		return false, s.in.usagef(n, "counts that cannot be read: %s", show(rest))
	}
	s.lost += sent - received
	inMillis := func(text []byte) (down, up time.Duration, ok bool) { return printed(text, time.Millisecond) }
	if least, most, ok := pingSummary(line, inMillis); ok {
		return true, s.spread(received, least, most, n)
	}
	return true, nil
}

// fpingReplies cuts "host : 0.012 0.040 - 0.045".
func fpingReplies(line []byte) ([][]byte, bool) {
	host, rest, ok := bytes.Cut(line, []byte(" : "))
	if !ok || bytes.ContainsAny(bytes.TrimSpace(host), " \t{") {
		return nil, false
	}
	replies := bytes.Fields(rest)
	for _, reply := range replies {
		if _, _, ok := scaled(reply, time.Millisecond); !ok && string(reply) != "-" {
			return nil, false
		}
	}
	return replies, len(replies) > 0
}

// fpingReply cuts the time out of "host : [3], 64 bytes, 7.57 ms (…)"; it is
// nil for "host : [25], timed out (…)".
func fpingReply(line []byte) (text []byte, ok bool) {
	_, rest, ok := bytes.Cut(line, []byte(" : ["))
	number, rest, ok2 := bytes.Cut(rest, []byte("], "))
	if _, isNumber := whole(number); !ok || !ok2 || !isNumber {
		return nil, false
	}
	if bytes.HasPrefix(rest, []byte("timed out")) {
		return nil, true
	}
	_, rest, ok = bytes.Cut(rest, []byte(" bytes, "))
	text, _, ok2 = bytes.Cut(rest, []byte(" ms"))
	return text, ok && ok2 && len(text) > 0
}
