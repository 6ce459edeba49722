#!/usr/bin/env bash
# Runs work() while the stream names this pod. Ends it when the stream names another pod or is silent for 4 s.
: "${HOSTNAME:=$(hostname)}"
work() { while :; do echo "the leader's work"; sleep 1; done; }
begin() { [ -n "$pid" ] || { echo "$HOSTNAME leads"; work & pid=$!; }; }
end() { [ -z "$pid" ] || { kill "$pid"; wait "$pid" 2>&-; pid=; echo "no longer"; }; }
trap 'exit' TERM INT
trap 'end; kill "$curl" 2>&-' EXIT
while sleep 1; do
  exec 3< <(exec curl -sfN --connect-timeout 1 "$ELECTOR_SSE_URL?heartbeat=1s")
  curl=$!
  while read -rt 4 -u 3 line; do
    case $line in
      "data: {\"name\":\"$HOSTNAME\","*) begin ;;
      "data: "*) end ;;
    esac
  done
  end
  kill "$curl" 2>&-
done
