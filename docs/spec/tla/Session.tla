------------------------------ MODULE Session ------------------------------
(***************************************************************************)
(* Rule L12: many elections for one renewal.  Each process keeps a session *)
(* record alive, as the lease of Lease.tla is kept; its term is the epoch. *)
(* An election's record stands still and names the session and the epoch   *)
(* it was taken in.  It is held as long as that epoch of the session is.   *)
(*                                                                         *)
(* To take over from a silent process, its session is fenced first: a      *)
(* compare-and-set over the version that was silent for W, to a higher     *)
(* epoch that nobody holds.  A session that was found given back, or in a  *)
(* higher epoch, needs no fence.  One fence frees all elections at once;   *)
(* one election is enough to show it here.                                 *)
(*                                                                         *)
(* Clocks tick together here; how far they may drift is Lease.tla's.  Looks *)
(* are read at an instant: that they may be old is in the time between look *)
(* and write.  Session and election record are looked at separately, each   *)
(* at its own time.                                                         *)
(*                                                                         *)
(* Two processes: Holder, whose session is begun, renewed, given back,     *)
(* lost and begun again; and Challenger, whose own session is in order all *)
(* the time, and who would take over.  Holder may take the election again. *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS Holder, Challenger, W, D, HolderWrites, ChallengerWrites, Mutant

Procs == {Holder, Challenger}

ASSUME D <= W

VARIABLES
  sess,    \* per process, its session record: version, held, epoch
  rec,     \* the election's record: version, holder, the epoch it was taken in, term
  lead,    \* the epoch of one's own session that is held, or 0
  age,     \* since the sending of the last confirmed write of one's own session (L1)
  mine,    \* the version of one's own session to write over
  hold,    \* the epoch under which the election is held, or 0
  seenS,   \* the other's session, as last seen, and for how long (L2)
  seenR,   \* the election's record, as last seen
  outS,    \* the write to one's own session whose answer is waited for
  outE,    \* the write to the election, or to the other's session, whose answer is waited for
  ghost,   \* an answer that nobody should wait for any more (only a mutant does)
  sent, net

vars == <<sess, rec, lead, age, mine, hold, seenS, seenR, outS, outE, ghost, sent, net>>

Nobody == "nobody"
None == [kind |-> "none"]
Unseen == [known |-> FALSE]
Min(a, b) == IF a < b THEN a ELSE b
Other(p) == CHOOSE q \in Procs : q # p

Init ==
  /\ sess = [p \in Procs |-> IF p = Challenger THEN [ver |-> 1, held |-> TRUE, epoch |-> 1]
                              ELSE [ver |-> 0, held |-> FALSE, epoch |-> 0]]
  /\ rec = [ver |-> 0, holder |-> Nobody, epoch |-> 0, term |-> 0]
  /\ lead = [p \in Procs |-> IF p = Challenger THEN 1 ELSE 0]
  /\ age = [p \in Procs |-> IF p = Challenger THEN 0 ELSE D]
  /\ mine = [p \in Procs |-> 0]
  /\ hold = [p \in Procs |-> 0]
  /\ seenS = [p \in Procs |-> Unseen]
  /\ seenR = [p \in Procs |-> Unseen]
  /\ outS = [p \in Procs |-> None]
  /\ outE = [p \in Procs |-> None]
  /\ ghost = [p \in Procs |-> None]
  /\ sent = [p \in Procs |-> 0]
  /\ net = {}

Alive(p) == lead[p] # 0 /\ age[p] < D

(* isLeader(): the election was taken in the present epoch, and the session's deadline has not passed. *)
Leads(p) == hold[p] # 0 /\ hold[p] = lead[p] /\ Alive(p)

Older(r) == IF r.kind = "none" THEN r ELSE [r EXCEPT !.age = Min(@ + 1, D)]

(* A session whose D is over is over, and so is what is held under it (L4). *)
Tick ==
  LET aged(p) == IF p = Challenger THEN 0 ELSE Min(age[p] + 1, D) IN
  /\ age' = [p \in Procs |-> aged(p)]
  /\ lead' = [p \in Procs |-> IF aged(p) >= D THEN 0 ELSE lead[p]]
  /\ hold' = [p \in Procs |-> IF aged(p) >= D THEN 0 ELSE hold[p]]
  /\ seenS' = [p \in Procs |-> IF seenS[p].known THEN [seenS[p] EXCEPT !.waited = Min(@ + 1, W)] ELSE seenS[p]]
  /\ outS' = [p \in Procs |-> Older(outS[p])]
  /\ ghost' = [p \in Procs |-> Older(ghost[p])]
  /\ UNCHANGED <<sess, rec, mine, seenR, outE, sent, net>>

LookAtRecord(p) ==
  /\ seenR[p] # [known |-> TRUE] @@ rec
  /\ seenR' = [seenR EXCEPT ![p] = [known |-> TRUE] @@ rec]
  /\ UNCHANGED <<sess, rec, lead, age, mine, hold, seenS, outS, outE, ghost, sent, net>>

LookAtSession(p) ==
  LET found == sess[Other(p)] IN
  /\ ~(seenS[p].known /\ seenS[p].ver = found.ver)
  /\ seenS' = [seenS EXCEPT ![p] = [known |-> TRUE, waited |-> 0] @@ found]
  /\ UNCHANGED <<sess, rec, lead, age, mine, hold, seenR, outS, outE, ghost, sent, net>>

(***************************************************************************)
(* One's own session: L1 to L7 in short.  A new epoch is begun only when   *)
(* nothing is held under the old one any more.                             *)
(***************************************************************************)
Nonce(p) == <<p, sent[p] + 1>>

MaySend(p) == sent[p] < IF p = Holder THEN HolderWrites ELSE ChallengerWrites

SendS(p, kind, over, held, epoch) ==
  /\ MaySend(p)
  /\ sent' = [sent EXCEPT ![p] = @ + 1]
  /\ outS' = [outS EXCEPT ![p] = [kind |-> kind, nonce |-> Nonce(p), epoch |-> epoch, age |-> 0, answer |-> "none"]]
  /\ net' = net \cup {[at |-> p, from |-> p, over |-> over, nonce |-> Nonce(p), held |-> held, epoch |-> epoch]}

BeginSession(p) ==
  /\ lead[p] = 0 /\ outS[p] = None
  /\ SendS(p, "begin", sess[p].ver, TRUE, sess[p].epoch + 1)
  /\ UNCHANGED <<sess, rec, lead, age, mine, hold, seenS, seenR, outE, ghost>>

RenewSession(p) ==
  /\ Alive(p) /\ outS[p] = None
  /\ SendS(p, "renew", mine[p], TRUE, lead[p])
  /\ UNCHANGED <<sess, rec, lead, age, mine, hold, seenS, seenR, outE, ghost>>

(* L6: what is held under it ends first. *)
EndSession(p) ==
  /\ Alive(p) /\ outS[p] = None
  /\ SendS(p, "end", mine[p], FALSE, lead[p])
  /\ IF Mutant = "L12-end-while-holding" THEN UNCHANGED <<lead, hold>>
     ELSE /\ lead' = [lead EXCEPT ![p] = 0]
          /\ hold' = [hold EXCEPT ![p] = 0]
  /\ UNCHANGED <<sess, rec, age, mine, seenS, seenR, outE, ghost>>

(* A write that is given up may still arrive, but its answer is not listened to: epochs asked for only rise. *)
GiveUpS(p) ==
  /\ outS[p] # None
  /\ outS' = [outS EXCEPT ![p] = None]
  /\ ghost' = [ghost EXCEPT ![p] = IF Mutant = "L12-late-latch" /\ outS[p].kind = "begin" THEN outS[p] ELSE @]
  /\ UNCHANGED <<sess, rec, lead, age, mine, hold, seenS, seenR, outE, sent, net>>

AnswerS(p) ==
  LET o == outS[p]
      ok == o.answer = "written"
  IN
  /\ o # None /\ o.answer # "none"
  /\ outS' = [outS EXCEPT ![p] = None]
  /\ CASE o.kind = "begin" /\ ok /\ o.age < D ->
            /\ lead' = [lead EXCEPT ![p] = o.epoch]
            /\ age' = [age EXCEPT ![p] = o.age]
            /\ mine' = [mine EXCEPT ![p] = o.ver]
            /\ UNCHANGED hold
       [] o.kind = "renew" /\ ok /\ lead[p] = o.epoch ->
            /\ age' = [age EXCEPT ![p] = Min(@, o.age)]
            /\ mine' = [mine EXCEPT ![p] = o.ver]
            /\ UNCHANGED <<lead, hold>>
       [] o.kind = "renew" /\ ~ok /\ lead[p] = o.epoch ->
            IF o.found = lead[p]   \* one's own earlier write: no longer than before
            THEN mine' = [mine EXCEPT ![p] = o.ver] /\ UNCHANGED <<lead, age, hold>>
            ELSE /\ lead' = [lead EXCEPT ![p] = 0]    \* fenced
                 /\ hold' = [hold EXCEPT ![p] = 0]
                 /\ UNCHANGED <<age, mine>>
       [] OTHER -> UNCHANGED <<lead, age, mine, hold>>
  /\ UNCHANGED <<sess, rec, seenS, seenR, outE, ghost, sent, net>>

Haunt(p) ==
  /\ ghost[p] # None /\ ghost[p].answer = "written" /\ ghost[p].age < D
  /\ lead' = [lead EXCEPT ![p] = ghost[p].epoch]
  /\ age' = [age EXCEPT ![p] = ghost[p].age]
  /\ ghost' = [ghost EXCEPT ![p] = None]
  /\ UNCHANGED <<sess, rec, mine, hold, seenS, seenR, outS, outE, sent, net>>

(***************************************************************************)
(* The election.                                                           *)
(***************************************************************************)
SendE(p, kind, write) ==
  /\ MaySend(p)
  /\ sent' = [sent EXCEPT ![p] = @ + 1]
  /\ outE' = [outE EXCEPT ![p] = [kind |-> kind, nonce |-> Nonce(p), epoch |-> lead[p], answer |-> "none"]]
  /\ net' = net \cup {[from |-> p, nonce |-> Nonce(p)] @@ write}

(* Compared with ">": the two records were read at different times. *)
HasEnded(p) == \/ seenS[p].epoch > seenR[p].epoch
               \/ seenS[p].epoch = seenR[p].epoch /\ ~seenS[p].held

IsSilent(p) == seenS[p].held /\ seenS[p].epoch = seenR[p].epoch /\ seenS[p].waited >= W

MayTake(p) ==
  /\ seenR[p].known
  /\ \/ seenR[p].holder = Nobody
     \/ seenR[p].holder = p /\ (seenR[p].epoch < lead[p] \/ hold[p] = 0)
     \/ seenR[p].holder = Other(p) /\ seenS[p].known
          /\ (HasEnded(p) \/ (Mutant = "L12-no-fence" /\ IsSilent(p)))

Take(p) ==
  /\ Alive(p) /\ hold[p] = 0 /\ outE[p] = None /\ MayTake(p)
  /\ SendE(p, "take", [at |-> "record", over |-> seenR[p].ver, holder |-> p, epoch |-> lead[p],
                       term |-> seenR[p].term + 1])
  /\ UNCHANGED <<sess, rec, lead, age, mine, hold, seenS, seenR, outS, ghost>>

Fence(p) ==
  /\ Alive(p) /\ outE[p] = None
  /\ seenR[p].known /\ seenS[p].known /\ seenR[p].holder = Other(p) /\ IsSilent(p)
  /\ SendE(p, "fence", [at |-> Other(p), over |-> seenS[p].ver, held |-> FALSE, epoch |-> seenS[p].epoch + 1])
  /\ UNCHANGED <<sess, rec, lead, age, mine, hold, seenS, seenR, outS, ghost>>

GiveUpE(p) ==
  /\ outE[p] # None
  /\ outE' = [outE EXCEPT ![p] = None]
  /\ UNCHANGED <<sess, rec, lead, age, mine, hold, seenS, seenR, outS, ghost, sent, net>>

(* Accepted only if one's own session still has the epoch it was sent under. *)
AnswerE(p) ==
  LET o == outE[p] IN
  /\ o # None /\ o.answer # "none"
  /\ outE' = [outE EXCEPT ![p] = None]
  /\ hold' = [hold EXCEPT ![p] =
                IF o.kind = "take" /\ o.answer = "written" /\ Alive(p)
                   /\ (lead[p] = o.epoch \/ Mutant = "L12-no-epoch-check")
                THEN lead[p] ELSE @]
  /\ UNCHANGED <<sess, rec, lead, age, mine, seenS, seenR, outS, ghost, sent, net>>

(***************************************************************************)
(* The store.                                                              *)
(***************************************************************************)
Answered(o, w, fits, found) ==
  IF o # None /\ o.nonce = w.nonce
  THEN [o EXCEPT !.answer = IF fits THEN "written" ELSE "conflict"] @@ [ver |-> found.ver, found |-> found.epoch]
  ELSE o

Arrive(w) ==
  /\ net' = net \ {w}
  /\ IF w.at = "record"
     THEN /\ rec' = IF rec.ver = w.over
                    THEN [ver |-> rec.ver + 1, holder |-> w.holder, epoch |-> w.epoch, term |-> w.term] ELSE rec
          /\ outE' = [outE EXCEPT ![w.from] = Answered(@, w, rec.ver = w.over, rec')]
          /\ UNCHANGED <<sess, outS, ghost>>
     ELSE LET fits == sess[w.at].ver = w.over IN
          /\ sess' = [sess EXCEPT ![w.at] =
                        IF fits THEN [ver |-> @.ver + 1, held |-> w.held, epoch |-> w.epoch] ELSE @]
          /\ outE' = [outE EXCEPT ![w.from] = Answered(@, w, fits, sess'[w.at])]
          /\ outS' = [outS EXCEPT ![w.from] = Answered(@, w, fits, sess'[w.at])]
          /\ ghost' = [ghost EXCEPT ![w.from] = Answered(@, w, fits, sess'[w.at])]
          /\ UNCHANGED rec
  /\ UNCHANGED <<lead, age, mine, hold, seenS, seenR, sent>>

Next ==
  \/ Tick
  \/ \E p \in Procs :
       LookAtRecord(p) \/ Take(p) \/ GiveUpE(p) \/ AnswerE(p)
  \/ LET p == Holder IN
       BeginSession(p) \/ RenewSession(p) \/ EndSession(p) \/ GiveUpS(p) \/ AnswerS(p) \/ Haunt(p)
  \/ LookAtSession(Challenger) \/ Fence(Challenger)
  \/ \E w \in net : Arrive(w)

Spec == Init /\ [][Next]_vars

AtMostOneLeader == \A p, q \in Procs : Leads(p) /\ Leads(q) => p = q

TermsGrow == [][rec'.term > rec.term]_rec

EpochsGrow == [][\A p \in Procs : sess'[p].epoch >= sess[p].epoch]_sess
=============================================================================
