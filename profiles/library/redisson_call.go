package library

import "time"

// LeastCall is a call of two sends: each takes at least a round trip, and where
// there is room for it so long as a cold JVM needs.
func (redisson) LeastCall(rtt time.Duration) (least, usual time.Duration, why string) {
	rtt = wholeMillis(max(rtt, time.Millisecond))
	usual = redissonCall(max(rtt, redissonCold))
	return redissonCall(rtt), usual, "redisson's two sends of at least " + f(redissonCold) + ", below which a cold JVM may miss its first PING"
}

// redissonCall is the shortest call whose sends have a timeout of so long.
func redissonCall(send time.Duration) time.Duration {
	call := max(2*send, 10*time.Millisecond) // a delay of a millisecond is the least
	for redissonSend(call) < send {
		call += time.Millisecond
	}
	return call
}
