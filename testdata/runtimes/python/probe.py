"""Prints what redis-py makes of configuration, and how long it takes on a
frozen server. python3 probe.py NAME args..."""
import configparser
import importlib.util
import json
import os
import re
import sys
import time
import tomllib

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
            socket_timeout=kw["socket_timeout"], socket_connect_timeout=kw["socket_connect_timeout"], retries=retry._retries)


def defaults():
    """What a client and a lock do when nothing is said."""
    c = redis.Redis()
    connection, lock = c.connection_pool.make_connection(), c.lock("x")
    say(version=redis.__version__, socket_timeout=connection.socket_timeout, socket_connect_timeout=connection.socket_connect_timeout,
        retries=connection.retry._retries, retry_backoff_cap=getattr(connection.retry._backoff, "_cap", 0),
        timeout=lock.timeout, sleep=lock.sleep, blocking_timeout=lock.blocking_timeout)


LIMITS = ["application." + key for key in ("stopWork", "maxHold", "unlockRetry", "acquireWait")]  # the application's own


def constant(key):
    return re.sub("([a-z])([A-Z])", r"\1_\2", key).replace(".", "_").upper()


def nested(tree):
    """A getter of a key's value, with dots between the mappings that it stands in."""
    def get(key):
        value = tree
        for part in key.split("."):
            value = None if value is None else value.get(part)
        return value
    return get


def load_form(form, path):
    """A getter of a file's values, loaded as Python programs do."""
    if form == "env":
        return lambda key: os.environ.get(constant(key))
    if form == "dotenv":
        import dotenv
        values = dotenv.dotenv_values(path)
        return lambda key: values.get(constant(key))
    with open(path, "rb") as f:
        if form == "toml":
            return nested(tomllib.load(f))
        text = f.read().decode()
    if form == "json":  # the unit stands in the name
        values = json.loads(text)
        return lambda key: values.get(key, values.get(key + "_s"))
    if form == "yaml":
        import yaml
        return nested(yaml.safe_load(text))
    p = configparser.ConfigParser()
    p.read_string("[lock]\n" + text)
    return lambda key: p["lock"].get(key)


def forms(*pairs):
    """FORM FILE ...: the arguments of a client and a lock built from files."""
    from redis.backoff import ConstantBackoff
    from redis.retry import Retry
    for form, path in zip(pairs[::2], pairs[1::2]):
        get = load_form(form, path)

        def seconds(key):
            return None if get(key) is None else float(get(key))

        c = redis.Redis(socket_timeout=seconds("socket_timeout"), socket_connect_timeout=seconds("socket_connect_timeout"), retry=Retry(ConstantBackoff(seconds("retry_backoff_cap")), int(get("retries"))))
        waits = {} if get("sleep") is None else {"sleep": seconds("sleep"), "blocking_timeout": seconds("blocking_timeout")}
        lock = c.lock("x", timeout=seconds("timeout"), **waits)
        kw = c.connection_pool.connection_kwargs
        row = {"timeout": lock.timeout, "socket_timeout": kw["socket_timeout"], "socket_connect_timeout": kw["socket_connect_timeout"], "retry_backoff_cap": kw["retry"]._backoff._backoff,
               "reacquire_every": seconds("reacquire_every")}
        if waits:
            row |= {"sleep": lock.sleep, "blocking_timeout": lock.blocking_timeout}
        say(service=path.split("/")[-1], form=form, retries=kw["retry"]._retries,
            extend_replaces_ttl=str(get("extend_replaces_ttl")).lower() == "true",
            **{key: round(value * 1000, 6) for key, value in row.items() if value is not None},
            **{key: get(key) for key in LIMITS if get(key) is not None})


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


def clients(addr, *pairs):
    """KEY VALUE pairs: which arguments of a client and a lock an acquire of a held lock takes."""
    from redis.backoff import ConstantBackoff
    from redis.retry import Retry
    at(addr).set("taken", "x", px=60000)
    for key, text in zip(pairs[::2], pairs[1::2]):
        client, lock = {"retry": Retry(ConstantBackoff(0.01), 1)}, {"timeout": 10, "sleep": 0.02, "blocking_timeout": 0.1}
        if key == "retries":
            client["retry"] = Retry(ConstantBackoff(0.01), int(text))
        elif key in lock:
            lock[key] = float(text)
        else:
            client[key] = float(text)
        try:
            at(addr, **client).lock("taken", **lock).acquire()
            say(key=key, text=text, taken=True)
        except Exception as e:
            say(key=key, text=text, taken=False, why=str(e))


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


def vanished(addr, reply, connect, retries, cap):
    """How long one acquire takes whose server is gone, with a connection that
    stood before and without one. A full backlog answers no connection."""
    import socket
    import threading
    from redis.backoff import ConstantBackoff
    from redis.retry import Retry
    host, port = addr.split(":")

    def pump(a, b, gone):
        while data := a.recv(65536):
            if not gone.is_set():
                b.sendall(data)

    for stood in (False, True):
        server, gone = socket.create_server(("127.0.0.1", 0), backlog=0), threading.Event()
        c = redis.Redis(port=server.getsockname()[1], socket_timeout=float(reply), socket_connect_timeout=float(connect),
                        retry=Retry(ConstantBackoff(float(cap)), int(retries)))
        if stood:
            def relay():
                a, b = server.accept()[0], socket.create_connection((host, int(port)))
                threading.Thread(target=pump, args=(b, a, gone), daemon=True).start()
                pump(a, b, gone)
            threading.Thread(target=relay, daemon=True).start()
            c.ping()
        gone.set()
        full = []
        for _ in range(8):
            full.append(socket.socket())
            full[-1].setblocking(False)
            full[-1].connect_ex(server.getsockname())
        time.sleep(0.2)
        start = time.monotonic()
        try:
            c.lock("vanished", timeout=10, blocking=False).acquire()
        except Exception:
            pass
        say(stood=stood, ms=(time.monotonic() - start) * 1000)


def extend(addr):
    """extend() adds to what is left; replace_ttl=True and reacquire() do not."""
    c = at(addr)
    lock = c.lock("extend", timeout=10)
    lock.acquire()
    lock.extend(10)
    added = c.pttl("extend")
    for _ in range(4):
        lock.extend(10)
    fifth = c.pttl("extend")
    lock.extend(10, replace_ttl=True)
    replaced = c.pttl("extend")
    lock.reacquire()
    say(added_ms=added, fifth_ms=fifth, replaced_ms=replaced, reacquired_ms=c.pttl("extend"))


def unanswered(*timeouts):
    """How long a command takes on a server that never answers, -1 where it still waits after 2 s."""
    import socket
    import threading
    from redis.backoff import NoBackoff
    from redis.retry import Retry
    server = socket.create_server(("127.0.0.1", 0))
    for text in timeouts:
        took = []

        def command():
            start = time.monotonic()
            try:
                redis.Redis(port=server.getsockname()[1], socket_timeout=None if text == "None" else float(text), retry=Retry(NoBackoff(), 0)).ping()
            except Exception:
                took.append((time.monotonic() - start) * 1000)

        waits = threading.Thread(target=command, daemon=True)
        waits.start()
        waits.join(2)
        say(text=text, ms=took[0] if took else -1)


def by_hand(addr, *calls):
    """Takes locks by hand: the lease of each, and whether it waits for the key's owner. Last the owner that a late delete removes."""
    from datetime import timedelta
    c = at(addr)
    for call in calls:
        names = {"c": c, "key": "hand", "token": "a", "timedelta": timedelta}
        c.delete("hand")
        exec(call, names)
        pttl = c.pttl("hand")
        c.set("hand", "another")
        exec(call, names)
        say(call=call, pttl_ms=pttl, kept=c.get("hand") == b"another")
    c.set("hand", "late", px=20)
    time.sleep(0.05)
    c.set("hand", "next", nx=True, px=60_000)
    c.delete("hand")
    say(call="a bare delete", pttl_ms=c.pttl("hand"), kept=False)


globals()[sys.argv[1]](*sys.argv[2:])
