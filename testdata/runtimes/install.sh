#!/bin/sh
# Installs what the programs in this folder need, on a Debian machine with Go,
# a JDK, Maven, Node and Python. It may be run again at any time.
set -eu
cd "$(dirname "$0")"

missing=""
command -v redis-server >/dev/null || missing="$missing redis-server"
[ -e /usr/share/java/zookeeper.jar ] || missing="$missing zookeeper"
if [ -n "$missing" ]; then
	apt-get update -qq
	# shellcheck disable=SC2086
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
fi

# Built once here: compiling etcd and client-go takes minutes, a test has ten.
(cd go && go build -o /dev/null .)
(cd consul && go build -o /dev/null .)
for version in 3.43.0 3.47.0 3.52.0 4.2.0; do
	(cd java && mvn -q -B dependency:build-classpath -Dmdep.outputFile=/dev/null "-Dredisson.version=$version")
done
(cd java/spring && mvn -q -B dependency:build-classpath -Dmdep.outputFile=/dev/null)
(cd node && npm install --no-audit --no-fund --no-package-lock --silent)
[ -x python/.venv/bin/python3 ] || python3 -m venv python/.venv
python/.venv/bin/pip install --quiet --disable-pip-version-check -r python/requirements.txt
for version in 5.2.1 6.4.0 7.0.1; do # beside it, for PYTHONPATH
	[ -d "python/.venv/redis-$version" ] || python/.venv/bin/pip install --quiet --disable-pip-version-check --target "python/.venv/redis-$version" "redis==$version"
done
