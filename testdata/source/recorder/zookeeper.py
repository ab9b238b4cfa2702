# 200 writes, then 400 at once of which the server, whose process id is in
# zk.pid, is stopped for 1.3 s, then 300 reads. Needs kazoo.
import os
import signal
import time

from kazoo.client import KazooClient

with open("zk.pid") as f:
    server = int(f.read())
zk = KazooClient("127.0.0.1:22181")
zk.start()
zk.create("/l", b"")
for i in range(200):
    zk.set("/l", b"x" * 10)
pending = [zk.create_async("/l/n%d" % i, b"y" * 60000) for i in range(400)]
time.sleep(0.05)
os.kill(server, signal.SIGSTOP)
time.sleep(1.3)
os.kill(server, signal.SIGCONT)
for p in pending:
    p.get()
for i in range(300):
    zk.get("/l")
zk.stop()
