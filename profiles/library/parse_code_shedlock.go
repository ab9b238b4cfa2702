package library

import (
	"regexp"
	"strings"
)

var (
	providers = regexp.MustCompile(`\b(?:new\s+)?[A-Z]\w*LockProvider(?:\.Builder)?\(`)
	builders  = regexp.MustCompile(`\b(?:Reactive)?RedisLockProvider\.Builder\(`)
)

var (
	redisProvider = regexp.MustCompile(`\b\w*(?:Redis|Jedis|Lettuce)\w*LockProvider\b|\bshedlock\.provider\.redis\b`)
	otherProvider = regexp.MustCompile(`\b(?:Jdbc|R2dbc|Jooq|JOOQ|Exposed|Mongo|ReactiveStreamsMongo|DynamoDB|Dynamo|Zookeeper|ZooKeeper|Hazelcast|Couchbase|Elasticsearch|OpenSearch|Cassandra|` +
		`Consul|Arango|Neo4j|Etcd|Jetcd|Ignite|Firestore|Datastore|Spanner|Nats|Memcached|S3|Gcs|InMemory)\w*LockProvider\b`)
)

// code finds the kind of the providers, those without KeepAliveLockProvider
// beside one with it, builders of Redis providers that do not switch safeUpdate
// on, and the periods of the schedules.
func (shedlock) code(s source, _ map[int]bool) ([]entry, error) {
	keep, _ := shedlockSheet.Key("keepAlive")
	safe, _ := shedlockSheet.Key("safeUpdate")
	var wrapped, bare []int
	for _, at := range providers.FindAllStringIndex(s.names, -1) {
		switch {
		case defines.MatchString(s.code[s.starts[s.line(at[0])-1]:at[0]]):
		case strings.Contains(s.names[at[0]:at[1]], "KeepAliveLockProvider"):
			wrapped = append(wrapped, at[0])
		default:
			bare = append(bare, at[0])
		}
	}
	var out []entry
	if at := otherProvider.FindStringIndex(s.names); at != nil && !redisProvider.MatchString(s.names) {
		kind, _ := shedlockSheet.Key("lockProvider")
		out = append(out, s.constant(kind, "other", at[0]))
	}
	if len(wrapped) > 0 {
		out = append(out, s.constant(keep, "true", wrapped[0]))
	}
	if len(wrapped) > 0 && len(bare) > len(wrapped) { // one of them is in none
		out = append(out, s.constant(keep, "false", bare[len(bare)-1]))
	}
	for _, at := range builders.FindAllStringIndex(s.names, -1) {
		chain, _, _ := strings.Cut(s.names[at[0]:], "build()")
		if !strings.Contains(chain, "safeUpdate(") {
			out = append(out, s.constant(safe, "false", at[0]))
		}
	}
	return append(out, s.periods()...), nil
}

// coded: beans of that name are methods.
func (shedlock) coded(key Key) bool { return key.Name == "lockProvider" }
