"""The contended lock of calc/sim's benchmark, in SimPy.

50 clients think for 500 ms (exponential), hold for 20 ms (exponential), wait
for up to 1 s and renew every 10 ms a lease of 100 ms over a network of 1 ms
(exponential); a waiter notices a free lock within 2 ms; a pause of 20 ms
(exponential) comes every 10 s of holding. Prints locks and events per second.
"""
import random
import sys
import time

import simpy

WORTH, INTERVAL, STOP, WAIT, DETECT = 0.100, 0.010, 0.080, 1.0, 0.002
THINK, HOLD, RTT, GAP, PAUSE = 0.500, 0.020, 0.001, 10.0, 0.020


class Lock:
    def __init__(self, env):
        self.env = env
        self.resource = simpy.Resource(env, capacity=1)
        self.expiry = 0.0
        self.acquired = self.renewals = self.gave_up = self.lost = 0


def renewer(env, lock, holder):
    """Renews until the holder is done."""
    while holder["holding"]:
        yield env.timeout(max(0.0, holder["sent"] + INTERVAL - env.now))
        if not holder["holding"]:
            return
        lock.renewals += 1
        tried = env.now
        rtt = random.expovariate(1 / RTT)
        yield env.timeout(rtt / 2)
        if not holder["holding"]:
            return
        lock.expiry = env.now + WORTH
        yield env.timeout(rtt / 2)
        holder["sent"] = tried


def client(env, lock):
    while True:
        yield env.timeout(random.expovariate(1 / THINK))
        with lock.resource.request() as request:
            got = yield request | env.timeout(WAIT)
            if request not in got:
                lock.gave_up += 1
                continue
            yield env.timeout(random.uniform(0, DETECT))
            rtt = random.expovariate(1 / RTT)
            lock.acquired += 1
            lock.expiry = env.now + WORTH
            yield env.timeout(rtt / 2)
            holder = {"holding": True, "sent": env.now - rtt}
            env.process(renewer(env, lock, holder))
            left = random.expovariate(1 / HOLD)
            gap = random.expovariate(1 / GAP)
            if gap < left:
                yield env.timeout(gap)
                yield env.timeout(random.expovariate(1 / PAUSE))
                left -= gap
            yield env.timeout(left)
            if env.now > lock.expiry:
                lock.lost += 1
            holder["holding"] = False
            yield env.timeout(random.expovariate(1 / RTT) / 2)


def main():
    random.seed(1)
    until = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    env = simpy.Environment()
    lock = Lock(env)
    for _ in range(50):
        env.process(client(env, lock))
    begin = time.process_time()
    env.run(until=until)
    spent = time.process_time() - begin
    print(f"locks_per_second {lock.acquired / spent:.0f}")
    print(f"simulated_locks_per_second {lock.acquired / until:.2f}")
    print(f"renewals_per_lock {lock.renewals / lock.acquired:.3f}")


main()
