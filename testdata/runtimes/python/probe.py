"""Prints what redis-py makes of configuration, and how long it takes on a
frozen server. python3 probe.py NAME args..."""
import importlib.util
import json
import sys
import time

import redis


def say(**row):
    print(json.dumps(row), flush=True)


def at(addr, **more):
    host, port = addr.split(":")
    return redis.Redis(host=host, port=int(port), **more)


def load(path):
    spec = importlib.util.spec_from_file_location("emitted", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def values(*files):
    """The arguments that the client and the lock took over."""
    for path in files:
        m = load(path)
        c = redis.Redis(**m.CLIENT)
        lock = c.lock("x", **m.LOCK)
        kw = c.connection_pool.connection_kwargs
        retry = kw["retry"]
        say(service=path.split("/")[-1], timeout=lock.timeout, sleep=lock.sleep, blocking_timeout=lock.blocking_timeout,
            socket_timeout=kw["socket_timeout"], retries=retry._retries)


def edges(addr, *timeouts):
    """Which leases there are, and what is left of them."""
    for text in timeouts:
        c = at(addr)
        timeout = None if text == "None" else float(text)
        try:
            lock = c.lock("edge-" + text, timeout=timeout, blocking=False)
            got = lock.acquire()
            say(timeout=text, taken=bool(got), pttl_ms=c.pttl("edge-" + text))
        except Exception as e:
            say(timeout=text, taken=False, why=str(e))


def wait(addr, sleep, blocking):
    """How long an acquire of a held lock waits."""
    c = at(addr)
    c.set("held", "x", px=60000)
    start = time.monotonic()
    got = c.lock("held", timeout=10, sleep=float(sleep), blocking_timeout=float(blocking)).acquire()
    say(ms=(time.monotonic() - start) * 1000, got=got)


def frozen(addr, socket_timeout, retries, cap):
    """How long one acquire takes on a frozen server."""
    from redis.backoff import ConstantBackoff
    from redis.retry import Retry
    c = at(addr, socket_timeout=float(socket_timeout), socket_connect_timeout=float(socket_timeout), retry=Retry(ConstantBackoff(float(cap)), int(retries)))
    c.ping()
    say(ready=True)
    sys.stdin.readline()
    start = time.monotonic()
    try:
        c.lock("frozen", timeout=10, blocking=False).acquire()
    except Exception:
        pass
    say(ms=(time.monotonic() - start) * 1000)


def extend(addr):
    """extend() adds to what is left; replace_ttl=True and reacquire() do not."""
    c = at(addr)
    lock = c.lock("extend", timeout=10)
    lock.acquire()
    lock.extend(10)
    added = c.pttl("extend")
    lock.extend(10, replace_ttl=True)
    replaced = c.pttl("extend")
    lock.reacquire()
    say(added_ms=added, replaced_ms=replaced, reacquired_ms=c.pttl("extend"))


globals()[sys.argv[1]](*sys.argv[2:])
