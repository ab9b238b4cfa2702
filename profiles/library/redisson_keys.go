package library

import (
	"slices"
	"strings"
)

// The keys of Redisson's own file, as the loaders of 3.43.0, 3.47.0, 3.52.0 and
// 4.2.0 take them: Config's at the root, those of a mode in its block.
var (
	redissonRoot = strings.Fields(`addressResolverGroupFactory checkLockSyncedSlaves cleanUpKeysAmount codec commandMapper connectionListener
		credentialsResolver eventLoopGroup executor fairLockWaitTimeout keepPubSubOrder lazyInitialization lockWatchdogBatchSize
		lockWatchdogTimeout maxCleanUpDelay minCleanUpDelay nameMapper nettyExecutor nettyHook nettyThreads password protocol
		referenceEnabled reliableTopicWatchdogTimeout slavesSyncTimeout sslCiphers sslKeystore sslKeystorePassword sslKeystoreType
		sslProtocols sslProvider sslTruststore sslTruststorePassword sslVerificationMode tcpKeepAlive tcpKeepAliveCount
		tcpKeepAliveIdle tcpKeepAliveInterval tcpNoDelay tcpUserTimeout threads transportMode username useScriptCache
		useThreadClassLoader valkeyCapabilities
		singleServerConfig clusterServersConfig sentinelServersConfig replicatedServersConfig masterSlaveServersConfig`)
	redissonEvery = strings.Fields(`clientName commandMapper connectTimeout credentialsReapplyInterval credentialsResolver dnsMonitoringInterval
		idleConnectionTimeout keepAlive nameMapper password pingConnectionInterval reconnectionDelay retryAttempts retryDelay
		retryInterval sslCiphers sslEnableEndpointIdentification sslKeyManagerFactory sslKeystore sslKeystorePassword
		sslKeystoreType sslProtocols sslProvider sslTrustManagerFactory sslTruststore sslTruststorePassword sslVerificationMode
		subscriptionConnectionMinimumIdleSize subscriptionConnectionPoolSize subscriptionTimeout subscriptionsPerConnection
		tcpKeepAliveCount tcpKeepAliveIdle tcpKeepAliveInterval tcpNoDelay tcpUserTimeout timeout username`)
	redissonReplicas = strings.Fields(`failedSlaveCheckInterval failedSlaveNodeDetector failedSlaveReconnectionInterval loadBalancer
		masterConnectionMinimumIdleSize masterConnectionPoolSize readMode slaveConnectionMinimumIdleSize slaveConnectionPoolSize
		subscriptionMode`)
	redissonOnly = map[string][]string{
		"singleServerConfig": strings.Fields("address connectionMinimumIdleSize connectionPoolSize database"),
		"clusterServersConfig": strings.Fields("checkMasterLinkStatus checkSlotsCoverage database natMap natMapper nodeAddresses scanInterval " +
			"shardedSubscriptionMode"),
		"sentinelServersConfig": strings.Fields("checkSentinelsList checkSlaveStatusWithSyncing database masterName natMap natMapper scanInterval " +
			"sentinelAddresses sentinelPassword sentinelUsername sentinelsDiscovery"),
		"replicatedServersConfig":  strings.Fields("database monitorIPChanges nodeAddresses scanInterval"),
		"masterSlaveServersConfig": strings.Fields("database masterAddress slaveAddresses"),
	}
)

// span is what versions of Redisson a key of its file is of: those after the
// last without it and before the first that dropped it. The zero limit is none.
type span struct{ last, dropped [2]int }

// redissonSpans are the keys that not every version has, at the root or, after
// "block.", in every mode's block that has it. Between the versions that were
// looked at a key may be there.
var redissonSpans = map[string]span{
	"checkLockSyncedSlaves": {last: [2]int{3, 16}}, "slavesSyncTimeout": {last: [2]int{3, 21}},
	"lockWatchdogBatchSize": {last: [2]int{3, 43}}, "valkeyCapabilities": {last: [2]int{3, 43}}, "fairLockWaitTimeout": {last: [2]int{3, 45}},
	"commandMapper": {last: [2]int{3, 52}}, "credentialsResolver": {last: [2]int{3, 52}}, "nameMapper": {last: [2]int{3, 52}},
	"password": {last: [2]int{3, 52}}, "username": {last: [2]int{3, 52}},
	"sslCiphers": {last: [2]int{3, 52}}, "sslKeystore": {last: [2]int{3, 52}}, "sslKeystorePassword": {last: [2]int{3, 52}},
	"sslKeystoreType": {last: [2]int{3, 52}}, "sslProtocols": {last: [2]int{3, 52}}, "sslProvider": {last: [2]int{3, 52}},
	"sslTruststore": {last: [2]int{3, 52}}, "sslTruststorePassword": {last: [2]int{3, 52}}, "sslVerificationMode": {last: [2]int{3, 52}},
	"tcpKeepAlive": {last: [2]int{3, 52}}, "tcpKeepAliveCount": {last: [2]int{3, 52}}, "tcpKeepAliveIdle": {last: [2]int{3, 52}},
	"tcpKeepAliveInterval": {last: [2]int{3, 52}}, "tcpNoDelay": {last: [2]int{3, 52}}, "tcpUserTimeout": {last: [2]int{3, 52}},

	"block.subscriptionTimeout": {last: [2]int{3, 23}},
	"block.retryDelay":          {last: [2]int{3, 47}}, "block.reconnectionDelay": {last: [2]int{3, 47}}, "block.checkMasterLinkStatus": {last: [2]int{3, 47}},
	"block.retryInterval":        {dropped: [2]int{4, 0}},
	"block.sslKeyManagerFactory": {dropped: [2]int{4, 2}}, "block.sslTrustManagerFactory": {dropped: [2]int{4, 2}},
	"block.credentialsReapplyInterval": {last: [2]int{3, 43}, dropped: [2]int{3, 52}},
	"clusterServersConfig.database":    {last: [2]int{3, 52}},
}

// ownKeys are the keys of the root, block "", or of a mode's block.
func ownKeys(block string) []string {
	if block == "" {
		return redissonRoot
	}
	keys := append(slices.Clone(redissonEvery), redissonOnly[block]...)
	if block != "singleServerConfig" {
		keys = append(keys, redissonReplicas...)
	}
	return keys
}

// spanOf is when a place of the file has a key.
func spanOf(block, key string) span {
	if block == "" {
		return redissonSpans[key]
	}
	if s, ok := redissonSpans[block+"."+key]; ok {
		return s
	}
	return redissonSpans["block."+key]
}

// lacking says when a key was not yet or is no longer known to this version, ""
// where it may be.
func (l redisson) lacking(s span) (when string) {
	switch {
	case s.last != [2]int{} && l.before(s.last[0], s.last[1]+1):
		return "does not know"
	case s.dropped != [2]int{} && !l.before(s.dropped[0], s.dropped[1]):
		return "no longer knows"
	}
	return ""
}

// looked reports whether the version lies between those whose loaders were
// asked, so that no other key can be one.
func (l redisson) looked() bool {
	return !l.before(3, 43) && (l.before(4, 3) || l.version[1] == open)
}

// name is the version as a message names it, the newest that was looked at
// where none was given.
func (l redisson) name() string {
	if l.version == newest {
		return latest(redissonSheet.Versions)
	}
	return strings.TrimPrefix(l.suffix(), "@")
}
