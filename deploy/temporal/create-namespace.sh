#!/bin/sh
# Creates the namespace, unless it exists. Its retention is 90 days: closed shipments are remembered, so that a feed that
# is replayed does not book them again. `consign setup` then adds the search attributes.
set -eu

# A server accepts connections before it can answer, so each step gets a minute.
within_a_minute() {
  tries=0
  until "$@"; do
    tries=$((tries + 1))
    if [ "$tries" -ge 60 ]; then return 1; fi
    sleep 1
  done
}

ensure_namespace() {
  temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 ||
    temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 90d
}

within_a_minute temporal operator cluster health
within_a_minute ensure_namespace

# The server's other parts know a new namespace only some seconds later.
is_known() {
  temporal operator search-attribute list --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1
}
within_a_minute is_known
