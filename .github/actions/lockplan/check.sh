#!/usr/bin/env bash
# Runs the gate and tells GitHub what it found: annotations on standard output,
# a summary, and the reports as outputs. Inputs come as GATE_* variables,
# because LOCKPLAN_* ones are inputs of a plan.
set -euo pipefail

mkdir -p "$GATE_REPORTS"
{
  echo "sarif=$GATE_REPORTS/lockplan.sarif"
  echo "junit=$GATE_REPORTS/lockplan.xml"
  echo "html=$GATE_REPORTS/lockplan.html"
} >> "$GITHUB_OUTPUT"

# Every report is written before the job fails.
status=0
if [ -n "${GATE_TESTS:-}" ]; then
  lockplan test "$GATE_TESTS" --out "junit=$GATE_REPORTS/lockplan-tests.xml" || status=$?
fi

args=(check -f "$GATE_FILE" --fail-on "$GATE_FAIL_ON" --out github=-)
for kind in sarif=lockplan.sarif junit=lockplan.xml html=lockplan.html markdown=lockplan.md; do
  args+=(--out "${kind%%=*}=$GATE_REPORTS/${kind#*=}")
done
if [ -n "${GATE_BASELINE:-}" ]; then
  args+=(--baseline "$GATE_BASELINE")
fi
checked=0
lockplan "${args[@]}" || checked=$?

# Code scanning opens an alert for a suppressed result as for any other.
if ! command -v jq > /dev/null; then
  echo "::warning::jq is not installed: code scanning will show what was set aside, too"
elif [ -f "$GATE_REPORTS/lockplan.sarif" ]; then
  jq 'del(.runs[].results[]? | select((.suppressions // []) | length > 0))' "$GATE_REPORTS/lockplan.sarif" > "$GATE_REPORTS/alerts.sarif"
  mv "$GATE_REPORTS/alerts.sarif" "$GATE_REPORTS/lockplan.sarif"
fi
if [ -f "$GATE_REPORTS/lockplan.md" ]; then
  cat "$GATE_REPORTS/lockplan.md" >> "$GITHUB_STEP_SUMMARY"
fi
[ "$checked" -eq 0 ] || exit "$checked"
exit "$status"
