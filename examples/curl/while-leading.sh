#!/bin/sh
# Works a turn each second, but only while this pod leads. No answer is taken for "another leads".
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
