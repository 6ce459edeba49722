------------------------------ MODULE Session ------------------------------
(***************************************************************************)
(* Rule L12: many elections, one renewal.  Each process renews one session *)
(* record, as Lease.tla describes for a lease.  The record and the term in *)
(* which the process leads it are the epoch.  The record of an election is *)
(* not renewed.  It names the epoch in which the election was acquired.    *)
(* The process holds the election as long as it leads its session in that  *)
(* epoch.                                                                  *)
(*                                                                         *)
(* Session records count their terms separately.  So two epochs of         *)
(* different records may have the same number.                             *)
(*                                                                         *)
(* Before a process takes over an election, it fences the silent session   *)
(* of the holder.  The fence is a compare-and-set.  It expects the version *)
(* that was silent for W, and writes a higher term without a holder.  If   *)
(* the process finds the session released, or in a higher term, it needs   *)
(* no fence.  Any process may fence any silent session record (L12.3).     *)
(* One fence frees all elections of an epoch.  The model has one election, *)
(* which is enough to show this.                                           *)
(*                                                                         *)
(* In this model, all clocks have the same rate.  Lease.tla covers clocks  *)
(* with different rates.  A process reads a record at the moment at which  *)
(* it sends a write.  The write may arrive at any time after that.  The    *)
(* model needs no earlier reads: the compare-and-set fails if the record   *)
(* has changed since the read, and an epoch that has ended stays ended     *)
(* (EndedStaysEnded).                                                      *)
(*                                                                         *)
(* Holder acquires one of the session records, and renews, releases and    *)
(* loses it.  Then it acquires the same or another record.  Holder also    *)
(* acquires the election, saves its state, and releases the election.      *)
(* Challenger takes over the election.  Challenger's own session never     *)
(* ends, so the model omits it.                                            *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
  Holder, Challenger,
  Sessions,          \* the session records
  W,                 \* the time for which a session must be silent before it is fenced
  D,                 \* the time for which Holder leads its session after it has sent a confirmed write
  SessionWrites,     \* bound of the model: Holder's writes to session records
  ElectionWrites,    \* bound of the model: Holder's writes to the election's record
  ChallengerWrites,  \* bound of the model: Challenger's writes to all records
  Mutant             \* "none", or the name of the broken rule

Procs == {Holder, Challenger}

ASSUME D <= W

VARIABLES
  sess,    \* per session record: version, whether Holder holds it, term
  rec,     \* the election's record: version, holder, the epoch in which it was acquired, term
  own,     \* the epoch in which Holder leads its session, or NoEpoch
  age,     \* the time since the last confirmed write of that session was sent (L1), at most D
  mine,    \* the version of that session's record that the next write expects
  hold,    \* Holder's leadership of the election: epoch and term, or NoHold
  leads,   \* the term in which Challenger leads, or 0
  work,    \* the term whose work Holder still runs, or 0
  quiet,   \* per session record: the time since Challenger first read its present version (L2), or Unseen
  outS,    \* Holder's write to a session record, while Holder waits for its answer
  outE,    \* Holder's write to the election's record, while Holder waits for its answer
  ghost,   \* a write whose answer Holder should ignore (only a mutant uses it)
  sent,    \* the number of writes sent so far, which is part of the nonce
  net      \* the writes that have not arrived at the store

vars == <<sess, rec, own, age, mine, hold, leads, work, quiet, outS, outE, ghost, sent, net>>

(* The session records are interchangeable. *)
Symmetry == Permutations(Sessions)

Nobody == "nobody"
NoEpoch == [session |-> Nobody, term |-> 0]
NoHold == [epoch |-> NoEpoch, term |-> 0]
None == [kind |-> "none"]
Unseen == W + 1
Min(a, b) == IF a < b THEN a ELSE b

(* Two epochs are equal if their records and their terms are equal. *)
Same(a, b) == IF Mutant = "L12-epoch-by-number" THEN a.term = b.term ELSE a = b

Init ==
  /\ sess = [s \in Sessions |-> [ver |-> 0, held |-> FALSE, term |-> 0]]
  /\ rec = [ver |-> 0, holder |-> Nobody, epoch |-> NoEpoch, term |-> 0]
  /\ own = NoEpoch
  /\ age = D
  /\ mine = 0
  /\ hold = NoHold
  /\ leads = 0
  /\ work = 0
  /\ quiet = [s \in Sessions |-> Unseen]
  /\ outS = None
  /\ outE = None
  /\ ghost = None
  /\ sent = [session |-> 0, election |-> 0, challenger |-> 0]
  /\ net = {}

Alive == own # NoEpoch /\ age < D

(* isCertain(): the election was acquired in the present epoch, and the session's deadline has not passed. *)
HolderLeads == hold # NoHold /\ Same(hold.epoch, own) /\ Alive

Leads(p) == IF p = Holder THEN HolderLeads ELSE leads # 0

TermOf(p) == IF p = Holder THEN hold.term ELSE leads

Older(r) == IF r.kind = "none" THEN r ELSE [r EXCEPT !.age = Min(@ + 1, D)]

(* If the age of a session reaches D, the session and the leadership under it end (L4).  The work may continue. *)
Tick ==
  LET aged == Min(age + 1, D) IN
  /\ age' = aged
  /\ own' = IF aged >= D THEN NoEpoch ELSE own
  /\ mine' = IF aged >= D THEN 0 ELSE mine
  /\ hold' = IF aged >= D THEN NoHold ELSE hold
  /\ quiet' = [s \in Sessions |-> IF quiet[s] = Unseen THEN Unseen ELSE Min(quiet[s] + 1, W)]
  /\ outS' = Older(outS)
  /\ ghost' = Older(ghost)
  /\ UNCHANGED <<sess, rec, leads, work, outE, sent, net>>

LookAtSession(s) ==
  /\ sess[s].held /\ quiet[s] = Unseen
  /\ quiet' = [quiet EXCEPT ![s] = 0]
  /\ UNCHANGED <<sess, rec, own, age, mine, hold, leads, work, outS, outE, ghost, sent, net>>

(***************************************************************************)
(* Holder's own session, with a short form of L1 to L7.  Holder may        *)
(* acquire, without a wait, a record that nobody holds or that it held     *)
(* itself.  It may do so while work of an older epoch continues, because   *)
(* L12.4 lets it wait for at most one ttl.                                 *)
(***************************************************************************)
Current(at) == IF at = "election" THEN rec.ver ELSE sess[at].ver

IsAwaited(o, w) == o # None /\ o.nonce = w.nonce

(* The model omits a write that can no longer succeed and whose answer nobody waits for. *)
Matters(w) == w.over = Current(w.at)' \/ IsAwaited(outS', w) \/ IsAwaited(outE', w) \/ IsAwaited(ghost', w)

SendS(kind, s, over, held, term) ==
  LET nonce == <<"session", sent.session + 1>> IN
  /\ sent.session < SessionWrites
  /\ sent' = [sent EXCEPT !.session = @ + 1]
  /\ outS' = [kind |-> kind, nonce |-> nonce, epoch |-> [session |-> s, term |-> term], age |-> 0, answer |-> "none"]
  /\ net' = net \cup {[at |-> s, nonce |-> nonce, over |-> over, held |-> held, term |-> term]}

BeginSession(s) ==
  /\ own = NoEpoch /\ outS = None
  /\ SendS("begin", s, sess[s].ver, TRUE, sess[s].term + 1)
  /\ UNCHANGED <<sess, rec, own, age, mine, hold, leads, work, quiet, outE, ghost>>

RenewSession ==
  /\ Alive /\ outS = None
  /\ SendS("renew", own.session, mine, TRUE, own.term)
  /\ UNCHANGED <<sess, rec, own, age, mine, hold, leads, work, quiet, outE, ghost>>

(* L6: the leadership under the session ends before the session is released. *)
EndSession ==
  /\ Alive /\ outS = None
  /\ SendS("end", own.session, mine, FALSE, own.term)
  /\ IF Mutant = "L12-end-while-holding" THEN UNCHANGED <<own, age, mine, hold>>
     ELSE own' = NoEpoch /\ age' = D /\ mine' = 0 /\ hold' = NoHold
  /\ UNCHANGED <<sess, rec, leads, work, quiet, outE, ghost>>

(* If Holder gives up a write, the write may still arrive, but Holder ignores its answer. *)
GiveUpS ==
  /\ outS # None
  /\ outS' = None
  /\ ghost' = IF Mutant = "L12-late-latch" /\ outS.kind = "begin" THEN outS ELSE ghost
  /\ UNCHANGED <<sess, rec, own, age, mine, hold, leads, work, quiet, outE, sent>>
  /\ net' = {w \in net : Matters(w)}

AnswerS ==
  LET o == outS
      ok == o.answer = "written"
  IN
  /\ o # None /\ o.answer # "none"
  /\ outS' = None
  /\ CASE o.kind = "begin" /\ ok /\ o.age < D ->
            /\ own' = o.epoch
            /\ age' = o.age
            /\ mine' = o.ver
            /\ UNCHANGED hold
       [] o.kind = "renew" /\ ok /\ own = o.epoch ->
            /\ age' = Min(age, o.age)
            /\ mine' = o.ver
            /\ UNCHANGED <<own, hold>>
       [] o.kind = "renew" /\ ~ok /\ own = o.epoch ->
            IF o.found = own.term   \* Holder's own earlier write: the deadline does not change
            THEN mine' = o.ver /\ UNCHANGED <<own, age, hold>>
            ELSE own' = NoEpoch /\ age' = D /\ mine' = 0 /\ hold' = NoHold    \* fenced
       [] OTHER -> UNCHANGED <<own, age, mine, hold>>
  /\ UNCHANGED <<sess, rec, leads, work, quiet, outE, ghost, sent, net>>

Haunt ==
  /\ ghost # None /\ ghost.answer = "written" /\ ghost.age < D
  /\ own' = ghost.epoch
  /\ age' = ghost.age
  /\ ghost' = None
  /\ UNCHANGED <<sess, rec, mine, hold, leads, work, quiet, outS, outE, sent, net>>

(***************************************************************************)
(* Holder in the election.                                                 *)
(***************************************************************************)
SendE(kind, holder, epoch, term) ==
  LET nonce == <<"election", sent.election + 1>> IN
  /\ outE = None
  /\ sent.election < ElectionWrites
  /\ sent' = [sent EXCEPT !.election = @ + 1]
  /\ outE' = [kind |-> kind, nonce |-> nonce, epoch |-> epoch, term |-> term, answer |-> "none"]
  /\ net' = net \cup {[at |-> "election", nonce |-> nonce, over |-> rec.ver,
                        holder |-> holder, epoch |-> epoch, term |-> term]}
  /\ UNCHANGED <<sess, rec, own, age, mine, hold, leads, work, quiet, outS, ghost>>

(* If the record names Holder, Holder acquires it without a wait (L3).  Holder does not campaign while the work of *)
(* its last term continues (L9). *)
Acquire ==
  /\ Alive /\ hold = NoHold /\ work = 0
  /\ rec.holder \in {Nobody, Holder}
  /\ SendE("acquire", Holder, own, rec.term + 1)

(* A leader saves its state.  The new version has the same holder, epoch and term. *)
Save ==
  /\ HolderLeads /\ rec.holder = Holder /\ rec.term = hold.term
  /\ SendE("renew", Holder, rec.epoch, rec.term)

(* L6: after the latch, Holder does not lead.  Its work may continue. *)
Latch ==
  /\ hold # NoHold
  /\ hold' = NoHold
  /\ UNCHANGED <<sess, rec, own, age, mine, leads, work, quiet, outS, outE, ghost, sent, net>>

WorkStops ==
  /\ work # 0 /\ hold = NoHold
  /\ work' = 0
  /\ UNCHANGED <<sess, rec, own, age, mine, hold, leads, quiet, outS, outE, ghost, sent, net>>

(* L6 and L12.6.  If the work continues, the release waits for at most W after the latch.  In this model, the release *)
(* may follow the latch at any time, because safety does not depend on this wait. *)
Release ==
  /\ rec.holder = Holder
  /\ hold = NoHold \/ Mutant = "L12-release-before-latch"
  /\ SendE("release", Nobody, NoEpoch, rec.term)

GiveUpE ==
  /\ outE # None
  /\ outE' = None
  /\ UNCHANGED <<sess, rec, own, age, mine, hold, leads, work, quiet, outS, ghost, sent>>
  /\ net' = {w \in net : Matters(w)}

(* An acquire counts only if Holder is still in the epoch under which the record was written.  If a save finds *)
(* another holder or another term, the term ends (L7).  No other answer begins or ends a term. *)
AnswerE ==
  LET o == outE
      counts == /\ o.kind = "acquire" /\ o.answer = "written" /\ Alive
                /\ Same(o.epoch, own) \/ Mutant = "L12-no-epoch-check"
      ended == o.kind = "renew" /\ o.answer = "conflict" /\ ~(o.holder = Holder /\ o.found = hold.term)
  IN
  /\ o # None /\ o.answer # "none"
  /\ outE' = None
  /\ hold' = IF counts THEN [epoch |-> own, term |-> o.term] ELSE IF ended THEN NoHold ELSE hold
  /\ work' = IF counts THEN o.term ELSE work
  /\ UNCHANGED <<sess, rec, own, age, mine, leads, quiet, outS, ghost, sent, net>>

(***************************************************************************)
(* Challenger.  It receives its answers at once, because the model lets it *)
(* lead as soon as its write has arrived.  Its session does not limit its  *)
(* leadership.                                                             *)
(***************************************************************************)
SendC(write) ==
  /\ sent.challenger < ChallengerWrites
  /\ sent' = [sent EXCEPT !.challenger = @ + 1]
  /\ net' = net \cup {[nonce |-> <<"challenger", sent.challenger + 1>>] @@ write}
  /\ UNCHANGED <<sess, rec, own, age, mine, hold, leads, work, quiet, outS, outE, ghost>>

HasEnded(e) == sess[e.session].term > e.term \/ (sess[e.session].term = e.term /\ ~sess[e.session].held)

(* The version can change after Challenger has read it.  Only the fence detects this change, because the fence fails. *)
(* So the mutant without a fence still regards the session as silent. *)
IsSilent(s) == quiet[s] = W

TakeOver ==
  /\ leads = 0
  /\ \/ rec.holder = Nobody
     \/ rec.holder = Holder /\ (HasEnded(rec.epoch) \/ (Mutant = "L12-no-fence" /\ IsSilent(rec.epoch.session)))
  /\ SendC([at |-> "election", over |-> rec.ver, holder |-> Challenger, epoch |-> NoEpoch, term |-> rec.term + 1])

(* L12.3: Challenger fences any silent session, even if no election was acquired under it. *)
Fence(s) ==
  /\ IsSilent(s)
  /\ SendC([at |-> s, over |-> sess[s].ver, held |-> FALSE, term |-> sess[s].term + 1])

(***************************************************************************)
(* The store.                                                              *)
(***************************************************************************)
Answered(o, w, fits, more) ==
  IF IsAwaited(o, w)
  THEN more @@ [o EXCEPT !.answer = IF fits THEN "written" ELSE "conflict"]
  ELSE o

Arrive(w) ==
  LET fits == w.over = Current(w.at) IN
  /\ IF w.at = "election"
     THEN /\ rec' = IF fits THEN [ver |-> rec.ver + 1, holder |-> w.holder, epoch |-> w.epoch, term |-> w.term] ELSE rec
          /\ leads' = IF fits /\ w.holder = Challenger THEN w.term ELSE leads
          /\ outE' = Answered(outE, w, fits, [holder |-> rec'.holder, found |-> rec'.term])
          /\ UNCHANGED <<sess, quiet, outS, ghost>>
     ELSE LET more == [ver |-> sess'[w.at].ver, found |-> sess'[w.at].term] IN
          /\ sess' = [sess EXCEPT ![w.at] = IF fits THEN [ver |-> @.ver + 1, held |-> w.held, term |-> w.term] ELSE @]
          /\ quiet' = [quiet EXCEPT ![w.at] = IF fits /\ Mutant # "L12-no-fence" THEN Unseen ELSE @]
          /\ outS' = Answered(outS, w, fits, more)
          /\ ghost' = Answered(ghost, w, fits, more)
          /\ UNCHANGED <<rec, leads, outE>>
  /\ UNCHANGED <<own, age, mine, hold, work, sent>>
  /\ net' = {x \in net \ {w} : Matters(x)}

Next ==
  \/ Tick
  \/ \E s \in Sessions : BeginSession(s) \/ LookAtSession(s) \/ Fence(s)
  \/ RenewSession \/ EndSession \/ GiveUpS \/ AnswerS \/ Haunt
  \/ Acquire \/ Save \/ Latch \/ WorkStops \/ Release \/ GiveUpE \/ AnswerE
  \/ TakeOver
  \/ \E w \in net : Arrive(w)

Spec == Init /\ [][Next]_vars

AtMostOneLeader == ~(Leads(Holder) /\ Leads(Challenger))

(* Fencing tokens: while a leader is certain to lead, the record contains its name and its term.  So after a release *)
(* or a takeover, the former leader is no longer certain to lead, even if its work continues. *)
CertainIsNamed == \A p \in Procs : Leads(p) => rec.holder = p /\ rec.term = TermOf(p)

(* Work that continues after its term has a lower term than any later leader. *)
WorkIsOlder == leads # 0 => work < leads

TermsGrow == [][/\ rec'.term >= rec.term
                /\ rec'.holder \notin {Nobody, rec.holder} => rec'.term > rec.term
                /\ rec'.epoch \notin {NoEpoch, rec.epoch} => rec'.term > rec.term]_rec

EpochsGrow == [][\A s \in Sessions : sess'[s].term >= sess[s].term]_sess

EndedStaysEnded == [][\A s \in Sessions : sess'[s].held /\ ~sess[s].held => sess'[s].term > sess[s].term]_sess

(* This is false: Challenger can take over the election while Holder's work continues in a live session (L12.6). *)
NeverFreeWhileWorking == ~(leads # 0 /\ work # 0 /\ Alive)
=============================================================================
