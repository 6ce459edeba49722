------------------------------- MODULE Lease -------------------------------
(***************************************************************************)
(* The lease protocol of docs/spec/lease.md.  The model has one record in  *)
(* a store with compare-and-set, and candidates that read, acquire, renew  *)
(* and release it.  Requests and answers can be late or lost.  The rates   *)
(* of the clocks differ within a bound.                                    *)
(*                                                                         *)
(* Time.  A Tick is one unit of the fastest clock.  Any clock may miss a   *)
(* tick, but not again before it has shown K other ticks.  So its rate is  *)
(* between K/(K+1) and 1.  D local units last at most D + ceil(D/K) ticks, *)
(* which must not exceed W.  This condition corresponds to "D/(1-rho) <=   *)
(* W/(1+rho)".  The model never compares two clocks.  It stores only ages, *)
(* in local units.                                                         *)
(*                                                                         *)
(* A lost message is a message that is never processed.  A crashed         *)
(* candidate is a candidate that takes no more steps.  A process that      *)
(* starts again is another candidate (L10).                                *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
  Procs,      \* the candidates
  W,          \* the time for which a follower waits, in its own units
  D,          \* the time for which a leader leads after its last confirmed write, in its own units
  K,          \* the least number of ticks that a clock shows between two missed ticks
  MaxTerm,    \* bound of the model: the highest term
  MaxWrites,  \* bound of the model: the number of writes of all candidates together
  Mutant      \* "none", or the name of the broken rule

ASSUME Mutant # "none" \/ D + ((D + K - 1) \div K) <= W

VARIABLES
  store,      \* the record: version, holder, term, and the nonce of the last write
  credit,     \* per clock: the number of ticks shown since the last missed tick, at most K
  role,       \* "stand" (follower), "lead", "stop" (the term has ended, but its work has not), "release"
  term,       \* the present term of a leader, or the last term in which the candidate led
  age,        \* the time since the last confirmed write of this term was sent (L1), at most D
  mine,       \* the version that the next renewal or release expects
  owned,      \* true if the term has ended, but the candidate still holds the lease and must release it
  working,    \* the term whose work still runs, or 0
  sight,      \* the fields of the record that were read last, and the time since this version was first read (L2)
  out,        \* the write whose answer the candidate waits for
  doubt,      \* the renewals of unknown outcome: nonce and age (L7)
  sent,       \* the number of writes sent so far, which is part of the nonce
  net,        \* the writes that have not arrived at the store
  answers     \* the answers that have not arrived at the candidates

(* The candidates are interchangeable. *)
Symmetry == Permutations(Procs)

vars == <<store, credit, role, term, age, mine, owned, working, sight, out, doubt, sent, net, answers>>

Nobody == "nobody"
NoNonce == <<Nobody, 0>>
None == [kind |-> "none"]
Unseen == [known |-> FALSE]
Min(a, b) == IF a < b THEN a ELSE b

Init ==
  /\ store = [ver |-> 0, holder |-> Nobody, term |-> 0, nonce |-> NoNonce]
  /\ credit = [p \in Procs |-> K]
  /\ role = [p \in Procs |-> "stand"]
  /\ term = [p \in Procs |-> 0]
  /\ age = [p \in Procs |-> D]
  /\ mine = [p \in Procs |-> 0]
  /\ owned = [p \in Procs |-> FALSE]
  /\ working = [p \in Procs |-> 0]
  /\ sight = [p \in Procs |-> Unseen]
  /\ out = [p \in Procs |-> None]
  /\ doubt = [p \in Procs |-> {}]
  /\ sent = [p \in Procs |-> 0]
  /\ net = {}
  /\ answers = {}

(***************************************************************************)
(* L5: the result of isLeader().                                           *)
(***************************************************************************)
Leads(p) == role[p] = "lead" /\ age[p] < D

(***************************************************************************)
(* Time passes.  If the age of a leader reaches D, the leader stops        *)
(* leading (L4), and must stop its work.                                   *)
(***************************************************************************)
Older(r, most) == IF r.kind = "none" THEN r ELSE [r EXCEPT !.age = Min(@ + 1, most)]

Tick ==
  \E missing \in SUBSET {p \in Procs : credit[p] = K} :
    LET shows(p) == p \notin missing
        aged(p) == IF shows(p) THEN Min(age[p] + 1, D) ELSE age[p]
        lapses(p) == role[p] = "lead" /\ aged(p) >= D
    IN /\ credit' = [p \in Procs |-> IF shows(p) THEN Min(credit[p] + 1, K) ELSE 0]
       /\ age' = [p \in Procs |-> aged(p)]
       /\ role' = [p \in Procs |-> IF lapses(p) THEN "stop" ELSE role[p]]
       /\ owned' = [p \in Procs |-> IF lapses(p) THEN FALSE ELSE owned[p]]
       /\ sight' = [p \in Procs |-> IF shows(p) /\ sight[p].known
                                    THEN [sight[p] EXCEPT !.waited = Min(@ + 1, W)] ELSE sight[p]]
       /\ out' = [p \in Procs |-> IF shows(p) THEN Older(out[p], D) ELSE out[p]]
       /\ doubt' = [p \in Procs |-> IF lapses(p) THEN {}
                                    ELSE IF shows(p) THEN {Older(d, D) : d \in doubt[p]} ELSE doubt[p]]
       /\ UNCHANGED <<store, term, mine, working, sent, net, answers>>

(***************************************************************************)
(* Reading.  In the model, an answer contains the present record, even if  *)
(* the candidate sent the request long ago.  W counts from the receipt of  *)
(* the first answer with a version (L2), not from the time of the request. *)
(***************************************************************************)
Seeing(p, found, since) ==
  IF sight[p].known /\ sight[p].ver = found.ver
  THEN sight[p]
  ELSE [known |-> TRUE, ver |-> found.ver, holder |-> found.holder, term |-> found.term, waited |-> since]

Look(p) ==
  /\ role[p] = "stand" /\ out[p] = None
  /\ ~(sight[p].known /\ sight[p].ver = store.ver)
  /\ \E asked \in IF Mutant = "L2-from-send" THEN 0 .. W ELSE {0} :
       sight' = [sight EXCEPT ![p] = Seeing(p, store, asked)]
  /\ UNCHANGED <<store, credit, role, term, age, mine, owned, working, out, doubt, sent, net, answers>>

(***************************************************************************)
(* Writing.  Each write is sent once, expects a version that was read, and *)
(* has its own nonce.                                                      *)
(***************************************************************************)
RECURSIVE Total(_)
Total(ps) == IF ps = {} THEN 0 ELSE LET p == CHOOSE q \in ps : TRUE IN sent[p] + Total(ps \ {p})

Send(p, kind, over, holder, newTerm) ==
  LET nonce == <<p, sent[p] + 1>>
  IN /\ Total(Procs) < MaxWrites
     /\ sent' = [sent EXCEPT ![p] = @ + 1]
     /\ out' = [out EXCEPT ![p] = [kind |-> kind, nonce |-> nonce, term |-> newTerm, age |-> 0]]
     /\ net' = net \cup {[to |-> p, over |-> over, holder |-> holder, term |-> newTerm, nonce |-> nonce]}

(* L3: a candidate may acquire the lease if nobody holds it, or if its version has not changed for W.  L10: it may *)
(* also acquire a lease of its own incarnation. *)
MayTake(p) ==
  /\ sight[p].known
  /\ \/ sight[p].holder = Nobody
     \/ sight[p].holder = p
     \/ sight[p].waited >= W
     \/ Mutant = "L3-no-wait"
     \/ Mutant = "L10-by-name"      \* all candidates have the same id

Acquire(p) ==
  /\ role[p] = "stand" /\ out[p] = None /\ MayTake(p) /\ sight[p].term < MaxTerm
  /\ Send(p, "acquire", sight[p].ver, p,
          IF Mutant = "L3-same-term" /\ sight[p].term > 0 THEN sight[p].term ELSE sight[p].term + 1)
  /\ UNCHANGED <<store, credit, role, term, age, mine, owned, working, sight, doubt, answers>>

Renew(p) ==
  /\ Leads(p) /\ out[p] = None
  /\ Send(p, "renew", mine[p], p, term[p])
  /\ UNCHANGED <<store, credit, role, term, age, mine, owned, working, sight, doubt, answers>>

(* A write may arrive at any time.  The store then compares and sets. *)
Arrive(w) ==
  LET fits == store.ver = w.over \/ Mutant = "store-blind"
      next == [ver |-> store.ver + 1, holder |-> w.holder, term |-> w.term, nonce |-> w.nonce]
  IN /\ net' = net \ {w}
     /\ store' = IF fits THEN next ELSE store
     /\ answers' = IF out[w.to] # None /\ out[w.to].nonce = w.nonce
                   THEN answers \cup {[to |-> w.to, nonce |-> w.nonce, ok |-> fits, found |-> store']}
                   ELSE answers   \* the candidate no longer waits for the answer
     /\ UNCHANGED <<credit, role, term, age, mine, owned, working, sight, out, doubt, sent>>

(* No answer arrives in time, so the outcome is unknown.  L7: the deadline does not change, and the leader remembers *)
(* the renewal. *)
GiveUp(p) ==
  /\ out[p] # None
  /\ out' = [out EXCEPT ![p] = None]
  /\ doubt' = [doubt EXCEPT ![p] =
                 IF role[p] = "lead" /\ out[p].kind = "renew"
                 THEN @ \cup {[kind |-> "doubt", nonce |-> out[p].nonce, age |-> out[p].age]} ELSE @]
  /\ age' = [age EXCEPT ![p] =
               IF Mutant = "L7-unknown-is-success" /\ role[p] = "lead" /\ out[p].kind = "renew" THEN out[p].age ELSE @]
  /\ answers' = {a \in answers : a.to # p}
  /\ UNCHANGED <<store, credit, role, term, mine, owned, working, sight, sent, net>>

(***************************************************************************)
(* Answers.  A candidate ignores an answer that it no longer waits for.    *)
(***************************************************************************)
Sees(p, found) == sight' = [sight EXCEPT ![p] = Seeing(p, found, 0)]

(* L1: the age counts from the sending of the write.  If the answer arrives too late, the candidate does not lead. *)
Won(p, a) ==
  LET since == IF Mutant = "L1-from-answer" THEN 0 ELSE out[p].age
  IN IF since < D
     THEN /\ role' = [role EXCEPT ![p] = "lead"]
          /\ term' = [term EXCEPT ![p] = out[p].term]
          /\ age' = [age EXCEPT ![p] = since]
          /\ mine' = [mine EXCEPT ![p] = a.found.ver]
          /\ working' = [working EXCEPT ![p] = out[p].term]
          /\ doubt' = [doubt EXCEPT ![p] = {}]
          /\ UNCHANGED owned
     ELSE UNCHANGED <<role, term, age, mine, working, doubt, owned>>

Confirmed(p, since, found) ==
  /\ age' = [age EXCEPT ![p] = Min(@, since)]
  /\ mine' = [mine EXCEPT ![p] = found.ver]
  /\ doubt' = [doubt EXCEPT ![p] = {}]
  /\ UNCHANGED <<role, term, owned, working>>

(* L7: the record in the store decides. *)
Conflicted(p, found) ==
  IF found.holder # p \/ found.term # term[p]
  THEN /\ role' = [role EXCEPT ![p] = "stop"]
       /\ owned' = [owned EXCEPT ![p] = FALSE]
       /\ doubt' = [doubt EXCEPT ![p] = {}]
       /\ UNCHANGED <<term, age, mine, working>>
  ELSE LET known == {d \in doubt[p] : d.nonce = found.nonce}
       IN IF known # {}
          THEN Confirmed(p, (CHOOSE d \in known : TRUE).age, found)   \* counts from the sending of this renewal
          ELSE Confirmed(p, D, found)   \* its own term, but an unknown write: the deadline does not change

Answer(a) ==
  LET p == a.to IN
  /\ out[p] # None /\ out[p].nonce = a.nonce
  /\ answers' = answers \ {a}
  /\ out' = [out EXCEPT ![p] = None]
  /\ Sees(p, a.found)
  /\ CASE role[p] = "stand" /\ out[p].kind = "acquire" /\ a.ok -> Won(p, a)
       [] role[p] = "lead" /\ out[p].kind = "renew" ->
            IF a.ok THEN Confirmed(p, IF Mutant = "L1-from-answer" THEN 0 ELSE out[p].age, a.found)
            ELSE Conflicted(p, a.found)
       [] role[p] = "stop" /\ out[p].kind = "renew" /\ a.ok ->
            IF Mutant = "L6-no-latch"
            THEN /\ role' = [role EXCEPT ![p] = "lead"]
                 /\ age' = [age EXCEPT ![p] = out[p].age]
                 /\ mine' = [mine EXCEPT ![p] = a.found.ver]
                 /\ UNCHANGED <<term, owned, working, doubt>>
            ELSE (* the latch: only the version changes *)
                 /\ mine' = [mine EXCEPT ![p] = a.found.ver]
                 /\ UNCHANGED <<role, term, age, owned, working, doubt>>
       [] role[p] = "release" ->
            IF ~a.ok /\ a.found.holder = p
            THEN /\ mine' = [mine EXCEPT ![p] = a.found.ver]
                 /\ UNCHANGED <<role, term, age, owned, working, doubt>>
            ELSE /\ role' = [role EXCEPT ![p] = "stand"]
                 /\ UNCHANGED <<term, age, mine, owned, working, doubt>>
       [] OTHER -> UNCHANGED <<role, term, age, mine, owned, working, doubt>>
  /\ UNCHANGED <<store, credit, sent, net>>

(***************************************************************************)
(* L6: mark the end before sending, stop the work before releasing.        *)
(***************************************************************************)
Resign(p) ==
  /\ Leads(p)
  /\ role' = [role EXCEPT ![p] = IF Mutant = "L6-release-first" THEN "release" ELSE "stop"]
  /\ owned' = [owned EXCEPT ![p] = TRUE]
  /\ doubt' = [doubt EXCEPT ![p] = {}]
  /\ UNCHANGED <<store, credit, term, age, mine, working, sight, out, sent, net, answers>>

WorkStops(p) ==
  /\ role[p] = "stop"
  /\ working' = [working EXCEPT ![p] = 0]
  /\ role' = [role EXCEPT ![p] = IF owned[p] THEN "release" ELSE "stand"]
  /\ age' = [age EXCEPT ![p] = D]
  /\ UNCHANGED <<store, credit, term, mine, owned, sight, out, doubt, sent, net, answers>>

Release(p) ==
  /\ role[p] = "release" /\ out[p] = None
  /\ Send(p, "release", mine[p], Nobody, term[p])
  /\ UNCHANGED <<store, credit, role, term, age, mine, owned, working, sight, doubt, answers>>

(* A candidate may give up its release.  The lease then expires. *)
GiveUpReleasing(p) ==
  /\ role[p] = "release" /\ out[p] = None
  /\ role' = [role EXCEPT ![p] = "stand"]
  /\ UNCHANGED <<store, credit, term, age, mine, owned, working, sight, out, doubt, sent, net, answers>>

Next ==
  \/ Tick
  \/ \E p \in Procs :
       \/ Look(p)
       \/ Acquire(p) \/ Renew(p) \/ GiveUp(p)
       \/ Resign(p) \/ WorkStops(p) \/ Release(p) \/ GiveUpReleasing(p)
  \/ \E w \in net : Arrive(w)
  \/ \E a \in answers : Answer(a)

Spec == Init /\ [][Next]_vars

(***************************************************************************)
(* The properties.                                                         *)
(***************************************************************************)
AtMostOneLeader == \A p, q \in Procs : Leads(p) /\ Leads(q) => p = q

(* No work runs if its lease may have been released. *)
StopBeforeRelease == \A p \in Procs : role[p] = "release" => working[p] = 0

(* L6: a finished term does not become valid again. *)
Latched == [][\A p \in Procs : role[p] \in {"stop", "release"} => role'[p] # "lead"]_role

(* The term never falls.  If the holder changes, the new holder has a higher term. *)
TermsGrow ==
  [][ /\ store'.term >= store.term
      /\ (store'.holder # Nobody /\ store'.holder # store.holder) => store'.term > store.term ]_store
=============================================================================
