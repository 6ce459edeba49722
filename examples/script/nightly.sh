#!/bin/sh
# Books each customer of the file CUSTOMERS once, as a line in the file LEDGER. Start this script with:
# doyen run nightly ... -- ./nightly.sh CUSTOMERS LEDGER
set -eu
customers=$1
ledger=$2
: "${DOYEN_TERM:?is not set; start this script with doyen run}"

# Adds the line TERM NUMBER CUSTOMER. The last line contains the term and the number of the last booking. The lock keeps
# other processes from writing between the read and the write.
book() {
  (
    flock 9
    last=$(tail -n 1 "$ledger")
    seen=${last%% *}
    done=${last#* }
    done=${done%% *}
    if [ "${seen:-0}" -gt "$DOYEN_TERM" ]; then
      echo "refused: fence $DOYEN_TERM < $seen" >&2
      exit 75
    fi
    if [ "$1" -gt "${done:-0}" ]; then
      echo "$DOYEN_TERM $1 $2" >>"$ledger"
    fi
  ) 9>>"$ledger.lock"
}

touch "$ledger"
begun=$(tail -n 1 "$ledger" | cut -d ' ' -f 2)
begun=${begun:-0}
echo "term $DOYEN_TERM: starts with customer $((begun + 1))"
number=0
while read -r customer; do
  number=$((number + 1))
  if [ "$number" -gt "$begun" ]; then
    book "$number" "$customer"
  fi
done <"$customers"
echo "booked $number"
