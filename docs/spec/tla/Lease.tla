------------------------------- MODULE Lease -------------------------------
(***************************************************************************)
(* The lease protocol of docs/spec/lease.md.  One record in a store that   *)
(* compares and sets; candidates that look at it, take it, renew it and    *)
(* give it back; requests and answers that come late or never; clocks      *)
(* whose rates differ within a bound.                                      *)
(*                                                                         *)
(* Time.  Tick is the passing of a unit on the fastest clock.  Any clock   *)
(* may miss a tick, but not again before it has shown K others: its rate   *)
(* lies between K/(K+1) and 1.  D local units then last at most            *)
(* D + ceil(D/K) ticks, which must not exceed W: that is the arithmetic of *)
(* "D/(1-rho) <= W/(1+rho)".  Nothing is ever compared between clocks:     *)
(* only ages are kept, in local units.                                     *)
(*                                                                         *)
(* A message that is lost is one that nothing is ever done with.  A crash  *)
(* is a candidate that does nothing any more; one that starts again is     *)
(* another (L10).                                                          *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
  Procs,      \* the candidates
  W,          \* how long a follower waits, in its own units
  D,          \* how long a leader leads, in its own units
  K,          \* a clock shows so many ticks between two that it misses
  MaxTerm,    \* bounds of the model
  MaxWrites,  \* writes that all candidates send together
  Mutant      \* "none", or the rule that is broken

ASSUME Mutant # "none" \/ D + ((D + K - 1) \div K) <= W

VARIABLES
  store,      \* the record: version, holder, term, and the nonce of the write that made it
  credit,     \* per clock: ticks shown since it missed one
  role,       \* "stand", "lead", "stop" (the term is over, its work is not), "release"
  term,       \* the term that is led, or was
  age,        \* since the sending of the last write confirmed under it (L1)
  mine,       \* the version to write over, while leading and when releasing
  owned,      \* after the end of a term: the lease is still one's own, to be given back
  working,    \* the term under which work goes on, or 0
  sight,      \* what was last seen of the record, and since when (L2)
  out,        \* the one write whose answer is waited for
  doubt,      \* renewals of unknown outcome: nonce and age (L7)
  sent,       \* writes sent so far: they number nonces
  net,        \* writes on their way to the store
  answers     \* answers on their way back

(* Candidates are alike. *)
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
(* L5: the answer of isLeader().                                           *)
(***************************************************************************)
Leads(p) == role[p] = "lead" /\ age[p] < D

(***************************************************************************)
(* Time passes.  A leader whose D is over is none (L4), and its work is to *)
(* be stopped.                                                             *)
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
(* Looking.  A look that was asked for long ago and is answered now shows  *)
(* what the store holds now.  W counts from the receipt of the first       *)
(* answer that showed a version (L2), not from when it was asked for.      *)
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
(* Writing: one attempt, over a version that was seen, with a nonce of its *)
(* own.                                                                    *)
(***************************************************************************)
RECURSIVE Total(_)
Total(ps) == IF ps = {} THEN 0 ELSE LET p == CHOOSE q \in ps : TRUE IN sent[p] + Total(ps \ {p})

Send(p, kind, over, holder, newTerm) ==
  LET nonce == <<p, sent[p] + 1>>
  IN /\ Total(Procs) < MaxWrites
     /\ sent' = [sent EXCEPT ![p] = @ + 1]
     /\ out' = [out EXCEPT ![p] = [kind |-> kind, nonce |-> nonce, term |-> newTerm, age |-> 0]]
     /\ net' = net \cup {[to |-> p, over |-> over, holder |-> holder, term |-> newTerm, nonce |-> nonce]}

(* L3: nobody holds it, or this version has not changed for W; L10: or it is one's own, by incarnation. *)
MayTake(p) ==
  /\ sight[p].known
  /\ \/ sight[p].holder = Nobody
     \/ sight[p].holder = p
     \/ sight[p].waited >= W
     \/ Mutant = "L3-no-wait"
     \/ Mutant = "L10-by-name"      \* all go by one name

Acquire(p) ==
  /\ role[p] = "stand" /\ out[p] = None /\ MayTake(p) /\ sight[p].term < MaxTerm
  /\ Send(p, "acquire", sight[p].ver, p,
          IF Mutant = "L3-same-term" /\ sight[p].term > 0 THEN sight[p].term ELSE sight[p].term + 1)
  /\ UNCHANGED <<store, credit, role, term, age, mine, owned, working, sight, doubt, answers>>

Renew(p) ==
  /\ Leads(p) /\ out[p] = None
  /\ Send(p, "renew", mine[p], p, term[p])
  /\ UNCHANGED <<store, credit, role, term, age, mine, owned, working, sight, doubt, answers>>

(* The store compares and sets, however late a write arrives. *)
Arrive(w) ==
  LET fits == store.ver = w.over \/ Mutant = "store-blind"
      next == [ver |-> store.ver + 1, holder |-> w.holder, term |-> w.term, nonce |-> w.nonce]
  IN /\ net' = net \ {w}
     /\ store' = IF fits THEN next ELSE store
     /\ answers' = IF out[w.to] # None /\ out[w.to].nonce = w.nonce
                   THEN answers \cup {[to |-> w.to, nonce |-> w.nonce, ok |-> fits, found |-> store']}
                   ELSE answers   \* nobody waits for it any more
     /\ UNCHANGED <<credit, role, term, age, mine, owned, working, sight, out, doubt, sent>>

(* No answer in time: unknown.  L7: the deadline stays where it is, and the write is remembered. *)
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
(* Answers.  One that nobody waits for any more is not listened to.        *)
(***************************************************************************)
Sees(p, found) == sight' = [sight EXCEPT ![p] = Seeing(p, found, 0)]

(* L1: counted from the send.  An answer that comes too late is not led by. *)
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

(* L7: what stands in the store decides. *)
Conflicted(p, found) ==
  IF found.holder # p \/ found.term # term[p]
  THEN /\ role' = [role EXCEPT ![p] = "stop"]
       /\ owned' = [owned EXCEPT ![p] = FALSE]
       /\ doubt' = [doubt EXCEPT ![p] = {}]
       /\ UNCHANGED <<term, age, mine, working>>
  ELSE LET known == {d \in doubt[p] : d.nonce = found.nonce}
       IN IF known # {}
          THEN Confirmed(p, (CHOOSE d \in known : TRUE).age, found)   \* from its own send
          ELSE Confirmed(p, D, found)   \* one's own term by a write not remembered: no longer than before

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
            ELSE (* the latch: what it made of the version is learned, nothing else *)
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
(* L6: latch before send, stop before release.                             *)
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

(* A release that does not get through is left to expiry. *)
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
(* What is promised.                                                       *)
(***************************************************************************)
AtMostOneLeader == \A p, q \in Procs : Leads(p) /\ Leads(q) => p = q

(* No work goes on when its lease may have been given back. *)
StopBeforeRelease == \A p \in Procs : role[p] = "release" => working[p] = 0

(* L6: a term that is finished is not revived. *)
Latched == [][\A p \in Procs : role[p] \in {"stop", "release"} => role'[p] # "lead"]_role

(* No two lead in one term, and nobody leads twice in one. *)
TermsGrow ==
  [][ /\ store'.term >= store.term
      /\ (store'.holder # Nobody /\ store'.holder # store.holder) => store'.term > store.term ]_store
=============================================================================
