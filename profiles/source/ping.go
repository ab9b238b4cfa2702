package source

import (
	"bytes"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/finding"
)

// pingTimeout is how long iputils and BSD ping wait for a reply at most.
const pingTimeout = 10 * time.Second

// ping is a transcript of ping, or several of them: iputils, BusyBox, macOS
// or Windows, in any language. Where the replies are not listed (-q) the
// summary's minimum and maximum stand for them.
var ping = format{
	name:  "ping",
	about: "a transcript of ping",
	sniff: func(head []byte) bool {
		for line := range bytes.Lines(head) {
			if _, _, ok := pingReply(line); ok {
				return true
			}
			if _, _, ok := pingEnd(line); ok {
				return true
			}
		}
		return false
	},
	read: func(in *input, q *Query) (*Observation, error) {
		p := pingReader{samples: samples{in: in}}
		if err := firstOf(in.each(p.take), p.finish()); err != nil {
			return nil, err
		}
		o, err := p.roundTrips("ping", "ms", pingTimeout)
		if err == nil && p.unknown > 0 {
			o.add("LP208", finding.Warning, p.unknown, "how many replies were lost is unknown: the counts of packets at the end are missing or cannot be read", "keep ping's last lines; LC_ALL=C ping")
		}
		return o, err
	},
}

// pingReader adds up transcripts.
type pingReader struct {
	samples
	run       pingRun
	statistic bool // the line before announced the counts
	unknown   int  // line of the first transcript that does not tell its loss
}

// pingRun is one transcript.
type pingRun struct {
	line           int // of its first reply or figure
	listed         uint64
	timedOut       uint64 // lines that say so
	sequence       pingSequence
	sent, received uint64
	counted        bool
	windows        bool
	least, most    [2]time.Duration
	summary        int // line
}

func (p *pingReader) take(line []byte, n int) (bool, error) {
	announced := p.statistic
	p.statistic = bytes.HasPrefix(line, []byte("--- "))
	if bytes.HasPrefix(line, []byte("PING ")) || bytes.HasPrefix(line, []byte("Pinging ")) {
		return true, p.finish()
	}
	if down, up, ok := pingReply(line); ok {
		err := p.begin(n, p.run.counted || p.run.summary > 0)
		p.run.listed++
		p.run.sequence.reply(line)
		p.add(down, up, n)
		return true, err
	}
	if sent, received, windows, ok := pingCounts(line, announced); ok {
		err := p.begin(n, p.run.counted || p.run.summary > 0)
		p.run.sent, p.run.received, p.run.counted, p.run.windows = sent, received, true, windows
		return true, err
	}
	if lo, hi, ok := pingEnd(line); ok {
		err := p.begin(n, p.run.summary > 0)
		p.run.least, p.run.most, p.run.summary = lo, hi, n
		return true, err
	}
	if bytes.HasPrefix(line, []byte("Request timed out")) {
		p.begin(n, false)
		p.run.timedOut++
	}
	return p.run.sequence.noReply(line), nil
}

// begin notes where a transcript begins; ended says that the last one has its
// end.
func (p *pingReader) begin(line int, ended bool) (err error) {
	if ended {
		err = p.finish()
	}
	if p.run.line == 0 {
		p.run.line = line
	}
	return err
}

// finish adds up what a transcript says beside the replies that it lists.
func (p *pingReader) finish() error {
	r := p.run
	p.run = pingRun{}
	if r.line == 0 {
		return nil
	}
	if !r.counted {
		p.lost += max(r.timedOut, r.sequence.lost())
		if p.unknown == 0 {
			p.unknown = r.line
		}
		if r.listed == 0 && r.summary > 0 {
			return p.spread(1, r.least, r.most, r.summary) // one at least
		}
		return nil
	}
	if r.sent > r.received {
		p.lost += r.sent - r.received
	}
	unlisted := r.received - min(r.listed, r.received)
	switch {
	case unlisted == 0:
	case r.summary > 0:
		return p.spread(unlisted, r.least, r.most, r.summary)
	case r.windows: // which counts the answers that a host is unreachable
		p.lost += unlisted
	default:
		p.add(0, dist.Inf, r.line)
		p.b.AddRange(0, dist.Inf, unlisted-1)
		p.n += int(unlisted - 1)
	}
	return nil
}

// pingReply reads the time of a reply: time=0.180 ms, time<1ms, Zeit=12ms.
// Every reply names its ttl, whatever the language.
func pingReply(line []byte) (down, up time.Duration, ok bool) {
	if !bytes.Contains(line, []byte("ttl=")) && !bytes.Contains(line, []byte("TTL=")) {
		return 0, 0, false
	}
	end := bytes.LastIndex(line, []byte("ms"))
	if end < 0 {
		return 0, 0, false
	}
	digits := bytes.TrimRight(line[:end], " ")
	from := bytes.LastIndexAny(digits, "=<")
	if from < 0 {
		return 0, 0, false
	}
	down, up, ok = trip(point(digits[from+1:]))
	if digits[from] == '<' {
		down = 0
	}
	return down, up, ok
}

// pingCounts reads "10 packets transmitted, 9 received" and its kin, in
// another language the first two numbers of a line that was announced, and
// Windows' "Sent = 4, Received = 2, Lost = 2 (50% loss)".
func pingCounts(line []byte, announced bool) (sent, received uint64, windows, ok bool) {
	const most = 1 << 40
	if before, after, found := bytes.Cut(line, []byte(" packets transmitted, ")); found {
		sent, ok1 := whole(before[bytes.LastIndexByte(before, ' ')+1:])
		digits, _, _ := bytes.Cut(after, []byte(" "))
		received, ok2 := whole(digits)
		return sent, received, false, ok1 && ok2 && sent <= most && received <= most
	}
	if !bytes.Contains(line, []byte("%")) {
		return 0, 0, false, false
	}
	n, assigned := wholes(line)
	switch {
	case announced && len(n) >= 2 && n[1] <= n[0] && n[0] <= most:
		return n[0], n[1], false, true
	case len(assigned) == 3 && assigned[1] <= assigned[0] && assigned[0]-assigned[1] == assigned[2] && assigned[0] <= most:
		return assigned[0], assigned[1], true, true
	}
	return 0, 0, false, false
}

// wholes are the whole numbers of a line, and those of them behind "= ".
func wholes(line []byte) (all, assigned []uint64) {
	for i := 0; i < len(line); i++ {
		from := i
		for i < len(line) && line[i] >= '0' && line[i] <= '9' {
			i++
		}
		if n, ok := whole(line[from:i]); ok {
			all = append(all, n)
			if bytes.HasSuffix(line[:from], []byte("= ")) {
				assigned = append(assigned, n)
			}
		}
	}
	return all, assigned
}

// pingEnd is the last line of a transcript; fping writes a similar one.
func pingEnd(line []byte) (least, most [2]time.Duration, ok bool) {
	if bytes.Contains(line, []byte(" : xmt/rcv/")) {
		return least, most, false
	}
	return pingSummary(line, trip)
}

// pingSummary reads "rtt min/avg/max/mdev = a/b/c/d ms", each figure by read.
func pingSummary(line []byte, read func([]byte) (down, up time.Duration, ok bool)) (least, most [2]time.Duration, ok bool) {
	_, rest, ok := bytes.Cut(line, []byte(" min/avg/max"))
	if !ok {
		return least, most, false
	}
	_, rest, ok = bytes.Cut(rest, []byte(" = "))
	parts := bytes.Split(bytes.TrimSpace(rest), []byte("/"))
	if !ok || len(parts) < 3 {
		return least, most, false
	}
	last, _, _ := bytes.Cut(parts[2], []byte(" "))
	var ok1, ok2 bool
	least[0], least[1], ok1 = read(point(parts[0]))
	most[0], most[1], ok2 = read(point(last))
	return least, most, ok1 && ok2
}

// trip reads a time in milliseconds; one with digits down to the microsecond is
// all that the clock of ping gave.
func trip(text []byte) (down, up time.Duration, ok bool) {
	if lastPlace(text, time.Millisecond) <= clockDigit {
		return scaled(text, time.Millisecond)
	}
	return printed(text, time.Millisecond)
}

// whole reads a count.
func whole(text []byte) (uint64, bool) {
	var n uint64
	if len(text) == 0 || len(text) > 15 {
		return 0, false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return n, true
}
