"""The uncontended lock cycles of calc/sim's benchmark, in vectorised NumPy.

Holds are exponential with mean 15 s, the lease of 30 s is renewed every 10 s,
two pauses an hour of mean 5 s strike while the lock is held, and a stop of
length x that begins u after a renewal loses the lease when x > T - u - M.
Prints cycles per second.
"""
import sys
import time

import numpy

WORTH, INTERVAL, MARGIN = 30.0, 10.0, 0.7
HOLD, RATE, PAUSE = 15.0, 2.0 / 3600, 5.0


def batch(rng, n):
    hold = rng.exponential(HOLD, n)
    renewals = numpy.floor(hold / INTERVAL).astype(numpy.int64)
    stops = rng.poisson(RATE * hold)
    struck = numpy.repeat(numpy.arange(n), stops)
    u = rng.uniform(0, INTERVAL, struck.size)
    x = rng.exponential(PAUSE, struck.size)
    lost = numpy.unique(struck[x > WORTH - u - MARGIN])
    return renewals.sum(), lost.size


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000_000
    size = 1 << 16  # what fits the caches, NumPy's best case
    rng = numpy.random.Generator(numpy.random.PCG64(1))
    batch(rng, size)
    done = lost = renewals = 0
    begin = time.process_time()
    while done < n:
        r, l = batch(rng, size)
        done, renewals, lost = done + size, renewals + r, lost + l
    spent = time.process_time() - begin
    print(f"cycles_per_second {done / spent:.0f}")
    print(f"renewals_per_cycle {renewals / done:.4f}")
    print(f"lost_share {lost / done:.8f}")


main()
