#!/bin/sh
# Runs work() beside the stream of leaders, and ends it when another leads or nothing is heard for 4 s.
: "${HOSTNAME:=$(hostname)}"
work() { while :; do echo "the leader's work"; sleep 1; done; }
begin() { [ -n "$pid" ] || { echo "$HOSTNAME leads"; work & pid=$!; }; }
end() { [ -z "$pid" ] || { kill "$pid"; wait "$pid"; pid=; echo "no longer"; }; }
while sleep 1; do
  curl -sfN --connect-timeout 1 --speed-limit 1 --speed-time 4 "$ELECTOR_SSE_URL?heartbeat=1s" | {
    pid=
    trap 'end; exit' TERM INT
    while read -r line; do
      case $line in
        "data: {\"name\":\"$HOSTNAME\","*) begin ;;
        "data: "*) end ;;
      esac
    done
    end
  }
done
