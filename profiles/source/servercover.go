package source

import (
	"bufio"
	"fmt"
	"io"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

const (
	coverSteps = 1000 // into which a window is cut to look where its samples are
	fewSteps   = 20   // with samples, are too few to say how long those lie apart
)

// judgeCover says over how much of the window the counts were counted, which a
// rate is over: a process that began an hour ago says nothing of the week
// before. Without that there is no rate.
func (c *conversation) judgeCover(o *Observation, matchers []Matcher) {
	covered, err := c.covered(matchers)
	switch {
	case err != nil:
		o.add("LP207", finding.Warning, 0, "over how much of the "+dur.Format(c.Window)+" the server has samples is not known, so there is no rate: "+err.Error(), "a shorter --window")
	case covered == 0:
		o.add("LP207", finding.Warning, 0, "the samples that the server has of the last "+dur.Format(c.Window)+" are too few to say over which time, so there is no rate", "ask again after some more scrapes")
	default:
		o.Window = &covered
		if covered < c.Window {
			o.add("LP207", finding.Info, 0, "of the last "+dur.Format(c.Window)+" the server has samples over "+dur.Format(covered)+": rates are over that time", "")
		}
	}
}

// covered is how long samples of the metric lie apart in the window, without
// the times at which no series had any; 0 where too few say so. It is never
// longer than what the counts grew over, so a rate is never too low.
func (c *conversation) covered(matchers []Matcher) (time.Duration, error) {
	var taken string // when the samples were taken that are there at an instant
	for i, metric := range []string{
		selector(c.q.Metric+"_count", matchers),
		selector(c.q.Metric, matchers),
		selector(c.q.Metric+"_bucket", append(matchers[:len(matchers):len(matchers)], Matcher{Label: "le", Op: "=", Value: "+Inf"})),
	} {
		if i > 0 {
			taken += " or "
		}
		taken += "timestamp(" + metric + ")"
	}
	for window := c.Window; ; {
		step := max(time.Second, calc.CeilTo(window/coverSteps, time.Second))
		over := func(aggregate, each string) (float64, bool, error) {
			return c.number(fmt.Sprintf("%s_over_time((%s(%s))[%s:%s])", aggregate, each, taken, seconds(window), seconds(step)))
		}
		steps, known, err := over("count", "count")
		if err != nil || !known && step == time.Second {
			return 0, err
		}
		if !known { // all samples are younger than a step
			window = 2 * step
			continue
		}
		first, _, err := over("min", "min")
		if err != nil {
			return 0, err
		}
		last, _, err := over("max", "max")
		if err != nil {
			return 0, err
		}
		now, known, err := c.number("time()")
		if err != nil || !known {
			return 0, err
		}
		age := time.Duration((now - first) * float64(time.Second))
		if shorter := age + step; steps < fewSteps && shorter < window/2 && step > time.Second {
			window = shorter
			continue
		}
		covered := min(time.Duration((last-first)*float64(time.Second)), time.Duration(steps)*step)
		if covered+2*step >= c.Window { // as near as the steps can tell
			covered = c.Window
		}
		return max(0, covered).Truncate(time.Millisecond), nil
	}
}

// number asks for one number; known is false where there is none.
func (c *conversation) number(expression string) (value float64, known bool, err error) {
	_, err = c.ask(c.ctx, c.client, c.base, expression, func(name string, answer io.Reader) (*Observation, error) {
		j := newJSON(&input{name: name, r: bufio.NewReader(answer)})
		pair := func() {
			j.array(func(i int) {
				if i == 1 {
					value, known = number(j.number())
				} else {
					j.skip()
				}
			})
		}
		j.object(func(key []byte) {
			if string(key) != "data" || j.peek() != '{' {
				j.skip()
				return
			}
			j.object(func(key []byte) {
				if string(key) != "result" || j.peek() != '[' {
					j.skip()
					return
				}
				j.array(func(i int) {
					if c := j.peek(); c != '{' { // a scalar is a pair by itself
						if i == 1 {
							value, known = number(j.number())
						} else {
							j.skip()
						}
						return
					}
					j.object(func(key []byte) {
						if string(key) == "value" && j.peek() == '[' {
							pair()
							return
						}
						j.skip()
					})
				})
			})
		})
		return nil, j.finish()
	})
	return value, known, err
}
