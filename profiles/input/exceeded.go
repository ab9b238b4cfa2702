package input

import (
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/spell"
)

// refuseExceeded is an error for a longest hold that is stated and that was
// exceeded, as the input itself shows: it would cap what was measured. It may
// bound only what the input leaves open, from the last edge on.
func (r *resolver) refuseExceeded(o observation, stated []claim) {
	for _, c := range stated {
		top := c.bound.Value
		refuse := func(format string, args ...any) {
			r.err = fault.Usagef("%s %s: "+format, append([]any{r.set["max"].where("max"), dur.Format(top)}, args...)...).
				Hintf("what the longest hold can be, above all that was seen; or leave --max out")
		}
		if o.dist != nil {
			var above uint64
			for b := range o.dist.All() {
				// A range begins above its lower edge, a single sample is itself.
				if b.Lo > top || b.Lo == top && b.Hi > b.Lo {
					above += b.Count
				}
			}
			if above > 0 {
				refuse("%d of %d samples of %s are longer, the longest at least %s", above, o.dist.Count(), o.name, dur.Format(o.dist.Max().Lower))
				return
			}
		}
		if o.max != nil && o.max.Lower > top {
			refuse("the longest sample of %s is at least %s", o.name, dur.Format(o.max.Lower))
			return
		}
		for _, seen := range o.claims {
			if seen.Value > top {
				refuse("%s of %s is %s", spell.Percentile(seen.Q), o.name, dur.Format(seen.Value))
				return
			}
		}
	}
}
