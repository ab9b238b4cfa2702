package sim

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
)

// Shards is into how many parts a long run is cut. It does not depend on the
// machine, so that the numbers do not either.
const Shards = 64

// Each runs job 0 … jobs-1 on all cores, each with its own source of random
// numbers made of the seed and its number, and returns the results in order.
// done, when it is not nil, is told the share that is finished; it is called
// from one goroutine at a time.
func Each[R any](jobs int, seed uint64, done func(share float64), job func(i int, r *rand.PCG) R) []R {
	results := make([]R, jobs)
	var next, finished atomic.Int64
	var tell sync.Mutex
	var wg sync.WaitGroup
	for range min(jobs, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= jobs {
					return
				}
				results[i] = job(i, rand.NewPCG(seed, uint64(i)*0x9e3779b97f4a7c15+1))
				n := finished.Add(1)
				if done != nil {
					tell.Lock()
					done(float64(n) / float64(jobs))
					tell.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return results
}
