# Answers pings in the place of its host's kernel: every 9th not at all, every
# 14th after 1.2 s, the others within 3 ms. For a network namespace of its own.
import socket
import struct
import threading

with open("/proc/sys/net/ipv4/icmp_echo_ignore_all", "w") as f:
    f.write("1")
s = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)


def checksum(b):
    if len(b) % 2:
        b += b"\0"
    t = sum(struct.unpack("!%dH" % (len(b) // 2), b))
    while t >> 16:
        t = (t & 0xFFFF) + (t >> 16)
    return ~t & 0xFFFF


n = 0
while True:
    packet, (host, _) = s.recvfrom(2048)
    ask = packet[(packet[0] & 15) * 4 :]
    if ask[0] != 8:
        continue
    n += 1
    if n % 9 == 4:
        continue
    reply = struct.pack("!BBH", 0, 0, checksum(b"\0\0\0\0" + ask[4:])) + ask[4:]
    threading.Timer(1.2 if n % 14 == 6 else 0.0005 * (n % 7), s.sendto, (reply, (host, 0))).start()
