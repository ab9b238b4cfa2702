# An NTP server of stratum 2 whose clock is ahead: PORT OFFSET ADDRESS. Its own
# root delay is 1.7 ms, its root dispersion 3 ms.
import socket
import struct
import sys
import time

port, offset, address = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind((address, port))


def stamp(t):
    t += 2208988800  # from 1900 on
    return struct.pack("!II", int(t), int(t % 1 * 2**32))


while True:
    ask, client = s.recvfrom(512)
    now = time.time() + offset
    head = struct.pack("!BBBbII4s", (ask[0] & 0x38) | 4, 2, ask[2], -20, int(0.0017 * 65536), int(0.003 * 65536), bytes([127, 127, 1, 1]))
    s.sendto(head + stamp(now - 5) + ask[40:48] + stamp(now) + stamp(time.time() + offset), client)
