package source

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// redisHistogram is the answer of LATENCY HISTOGRAM, as lines (RESP2) or as
// JSON: cumulative counts by microseconds that were cut to whole ones. The
// server counts a longer time than it can hold as that one.
var redisHistogram = format{
	name:  "redis-histogram",
	about: "redis-cli latency histogram, text or --json; --metric is the command",
	sniff: func(head []byte) bool { return bytes.Contains(head, []byte("histogram_usec")) },
	read:  readRedisHistogram,
}

// redisLongest is, in microseconds, what the server cuts longer times down to.
const redisLongest = 1_000_000

// commandHistogram is one command's.
type commandHistogram struct {
	name   string
	line   int
	calls  uint64
	bounds []uint64
	counts []uint64
}

func readRedisHistogram(in *input, q *Query) (*Observation, error) {
	var all []commandHistogram
	var err error
	if start := bytes.TrimSpace(in.head); start[0] == '{' {
		all, err = redisJSON(in)
	} else {
		all, err = redisLines(in)
	}
	if err != nil {
		return nil, err
	}
	commands := make(map[string][]commandHistogram)
	for _, h := range all {
		commands[h.name] = append(commands[h.name], h)
	}
	names := sortedKeys(commands)
	name := q.Metric
	if name == "" && len(names) == 1 {
		name = names[0]
	}
	switch answers := commands[name]; {
	case len(answers) > 0:
		return observeRedis(in, answers)
	case q.Metric != "":
		return nil, fault.Usagef("%s: command %s is not there", show(in.name), show(q.Metric)).Hintf("it has %s", list(names))
	case len(names) == 0:
		return nil, fault.NoDataf("%s has no command's histogram", show(in.name))
	}
	return nil, fault.Usagef("%s holds several commands", show(in.name)).Hintf("--metric with one of %s", list(names))
}

// redisJSON reads one answer or several.
func redisJSON(in *input) ([]commandHistogram, error) {
	j := newJSON(in)
	var all []commandHistogram
	for !j.done() && j.err == nil {
		all = append(all, j.redisAnswer()...)
	}
	return all, j.err
}

func (j *jsonReader) redisAnswer() (all []commandHistogram) {
	j.object(func(key []byte) {
		h := commandHistogram{name: string(key), line: j.at()}
		if j.peek() != '{' {
			j.skip()
			return
		}
		j.object(func(key []byte) {
			switch {
			case string(key) == "calls":
				h.calls = j.whole()
			case string(key) == "histogram_usec" && j.peek() == '{':
				j.object(func(key []byte) {
					bound, ok := whole(key)
					if !ok {
						j.fail("a bound of %s", show(key))
					}
					h.bounds = append(h.bounds, bound)
					h.counts = append(h.counts, j.whole())
				})
			default:
				j.skip()
			}
		})
		all = append(all, h)
	})
	return all
}

// whole takes a count.
func (j *jsonReader) whole() uint64 {
	text := j.number()
	n, ok := whole(text)
	if !ok {
		j.fail("%s is not a whole count", show(text))
	}
	return n
}

// redisLines reads the flat form: name, calls, n, histogram_usec, pairs, also
// as a terminal shows it. Answers as JSON may stand between.
func redisLines(in *input) ([]commandHistogram, error) {
	var r redisReader
	err := in.each(func(line []byte, n int) (bool, error) {
		line = bytes.TrimSpace(line)
		if bytes.HasPrefix(line, []byte("{")) && bytes.Contains(line, []byte("histogram_usec")) {
			all, err := redisJSON(&input{name: in.name, r: bufio.NewReader(bytes.NewReader(line))})
			for _, h := range all {
				h.line = n
				r.all = append(r.all, h)
			}
			return true, err
		}
		for _, word := range redisWords(line) {
			r.take(in, word, n)
		}
		return true, nil
	})
	r.pass(in, len(r.words))
	return r.all, err
}

// redisWords takes a terminal's marks off: `2) 1) "calls"` (RESP2), and
// `1# "calls" => (integer) 3` (RESP3).
func redisWords(line []byte) (words []string) {
	for _, word := range bytes.Split(bytes.TrimSuffix(line, []byte(" =>")), []byte(" => ")) {
		for {
			digits := len(word) - len(bytes.TrimLeft(word, "0123456789"))
			rest := word[digits:]
			if digits == 0 || !bytes.HasPrefix(rest, []byte(") ")) && !bytes.HasPrefix(rest, []byte("# ")) {
				break
			}
			word = bytes.TrimSpace(rest[2:])
		}
		word = bytes.TrimPrefix(word, []byte("(integer) "))
		words = append(words, string(bytes.Trim(word, `"`)))
	}
	return words
}

// redisReader takes a word a line; what a word is, those behind it tell.
type redisReader struct {
	all   []commandHistogram
	words []redisWord // not understood yet
}

type redisWord struct {
	text string
	line int
}

func (r *redisReader) take(in *input, word string, line int) {
	n := len(r.words)
	if word == "histogram_usec" && n >= 2 && r.words[n-2].text == "calls" {
		h := commandHistogram{line: line}
		h.calls, _ = whole([]byte(r.words[n-1].text))
		if n >= 3 {
			h.name = r.words[n-3].text
		}
		r.pass(in, max(0, n-3))
		r.words = r.words[:0]
		r.all = append(r.all, h)
		return
	}
	r.words = append(r.words, redisWord{word, line})
	if len(r.words) == 2 && len(r.all) > 0 {
		bound, ok1 := whole([]byte(r.words[0].text))
		count, ok2 := whole([]byte(word))
		if ok1 && ok2 {
			h := &r.all[len(r.all)-1]
			h.bounds, h.counts = append(h.bounds, bound), append(h.counts, count)
			r.words = r.words[:0]
		}
	}
	if len(r.words) > 4 {
		r.pass(in, 1)
	}
}

// pass gives up on the oldest words.
func (r *redisReader) pass(in *input, n int) {
	for _, w := range r.words[:n] {
		in.unread.add([]byte(w.text), w.line)
	}
	r.words = r.words[n:]
}

// within says that h may be an earlier answer of the server that gave later:
// no bucket of it holds more.
func (h commandHistogram) within(later commandHistogram) bool {
	have := later.buckets()
	for bound, n := range h.buckets() {
		if n > have[bound] {
			return false
		}
	}
	return true
}

// buckets are the counts by bound, no longer cumulative; those of no bucket
// are at the end of time.
func (h commandHistogram) buckets() map[uint64]uint64 {
	counts := make(map[uint64]uint64)
	before := uint64(0)
	for i, n := range h.counts {
		if n > before {
			counts[h.bounds[i]] += n - before
		}
		before = max(before, n)
	}
	if h.calls > before {
		counts[math.MaxUint64] = h.calls - before
	}
	return counts
}

// observeRedis adds up the answers for one command. Counts go on, so a later
// answer holds the earlier ones, unless the server began anew or is another.
func observeRedis(in *input, answers []commandHistogram) (*Observation, error) {
	s := &samples{in: in, line: answers[0].line}
	anew := 0
	for i, h := range answers {
		if i+1 < len(answers) && h.within(answers[i+1]) {
			continue
		}
		anew++
		if err := h.addTo(s); err != nil {
			return nil, err
		}
	}
	name := answers[0].name
	o, err := s.observe(name, "us")
	if err != nil {
		return nil, err
	}
	o.Measures = RTT
	o.serverOnly(s.line)
	if n := len(answers); n > 1 {
		text := fmt.Sprintf("%d answers for %s, whose counts go on: the last one counts, as it holds the others", n, show(name))
		if anew > 1 {
			text = fmt.Sprintf("%d answers for %s, whose counts began anew, or are of several servers, %s: those before it are added", n, show(name), count(anew-1, "time", "times"))
		}
		o.add("LP207", finding.Info, s.line, text, "an answer of each server in a file of its own")
	}
	return o, nil
}

func (h commandHistogram) addTo(s *samples) error {
	var lower time.Duration
	var before, bound uint64
	for i, n := range h.counts {
		if n < before || i > 0 && h.bounds[i] <= bound || h.bounds[i] > 1e12 || n > exactCounts {
			return s.in.usagef(h.line, "the histogram of %s does not grow: %s at %s", show(h.name), strconv.FormatUint(n, 10), strconv.FormatUint(h.bounds[i], 10))
		}
		bound = h.bounds[i]
		upper := time.Duration(bound+1) * time.Microsecond
		if bound >= redisLongest {
			upper = dist.Inf
		}
		s.b.AddRange(lower, upper, n-before)
		lower, before = time.Duration(bound)*time.Microsecond, n
	}
	if h.calls > before {
		s.b.AddRange(0, dist.Inf, h.calls-before)
	}
	s.n += int(max(h.calls, before))
	return nil
}
