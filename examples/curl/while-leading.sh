#!/bin/sh
# Does one step of work per second while this pod leads. If the elector does not answer, it does nothing.
: "${HOSTNAME:=$(hostname)}"
leads() { curl -sf -m 2 "$ELECTOR_GET_URL" | grep -q "^{\"name\":\"$HOSTNAME\","; }
led=no
while sleep 1; do
  if leads; then
    [ $led = yes ] || echo "$HOSTNAME leads"
    led=yes
    echo "the leader's work"
  else
    [ $led = no ] || echo "no longer"
    led=no
  fi
done
