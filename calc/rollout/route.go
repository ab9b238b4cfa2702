package rollout

import "slices"

// options are how a way may differ from one part a step, the old lock first.
type options struct {
	whole    bool // the lease and the limits of the work in one step
	newFirst bool // of two locks the new one is taken first
}

// route is the search for an order over the sets of steps that are done.
type route struct {
	*pair
	options
	before, after Side // shadow those of the pair: a way may be a part of it
	parts         []Part
	dead          map[uint]bool // sets of done steps from which no order is safe
	best          []Step
	conflict      *Conflict
}

func (p *pair) route(before, after Side, o options) *route {
	r := &route{pair: p, options: o, before: before, after: after, dead: map[uint]bool{}}
	r.parts = r.differences()
	return r
}

func (r *route) all() uint { return 1<<len(r.parts) - 1 }

// way is an order from one side to another by the first options that have one;
// the conflict is that of the first options. Of two locks a renewed one is
// taken first, for it does not run out while the other is waited for.
func (p *pair) way(before, after Side) ([]Step, *Conflict) {
	tries := []options{{}, {whole: true}}
	if before.Lock != after.Lock {
		late := !before.Lease.Renews() && after.Lease.Renews()
		tries = []options{{newFirst: late}, {newFirst: !late}}
	}
	var steps []Step
	var conflict *Conflict
	for _, o := range tries {
		found, blocked := p.route(before, after, o).find()
		if blocked == nil {
			return found, nil
		}
		if conflict == nil {
			steps, conflict = found, blocked
		}
	}
	return steps, conflict
}

// find walks depth first, so that the order keeps that of the parts wherever
// it is free.
func (r *route) find() ([]Step, *Conflict) {
	if len(r.parts) == 0 {
		return nil, nil
	}
	steps, found := r.from(0, nil)
	if found {
		return steps, nil
	}
	return r.best, r.conflict
}

func (r *route) from(done uint, steps []Step) ([]Step, bool) {
	if done == r.all() {
		return steps, true
	}
	if r.dead[done] {
		return nil, false
	}
	var blocked *Conflict
	for _, part := range r.order() {
		bit := uint(1) << slices.Index(r.parts, part)
		if done&bit != 0 || part == DropOld && done&(1<<slices.Index(r.parts, Both)) == 0 {
			continue
		}
		step := Step{part, r.process(done), r.process(done | bit)}
		if wrong := r.mixed(step.Before, step.After); len(wrong) > 0 {
			if blocked == nil {
				blocked = &Conflict{step.Before, step.After, wrong}
			}
			continue
		}
		if got, ok := r.from(done|bit, append(slices.Clip(steps), step)); ok {
			return got, true
		}
	}
	r.dead[done] = true
	if blocked != nil && (r.conflict == nil || len(steps) > len(r.best)) {
		r.best, r.conflict = steps, blocked
	}
	return nil, false
}
