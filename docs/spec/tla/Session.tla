------------------------------ MODULE Session ------------------------------
(***************************************************************************)
(* Rule L12: many elections for one renewal.  Each process keeps one       *)
(* session record alive, as Lease.tla keeps a lease.  The record and the   *)
(* term in which the process leads it are the epoch.  An election's record *)
(* stands still and names the epoch in which it was acquired.  The         *)
(* election is held as long as the process leads its session in that       *)
(* epoch.                                                                  *)
(*                                                                         *)
(* Session records count their terms separately.  So two epochs of         *)
(* different records may have the same number.                             *)
(*                                                                         *)
(* A process that wants to take over fences a silent session first.  The   *)
(* fence is a compare-and-set over the version that was silent for W, to a *)
(* higher term that nobody holds.  A session that was found released, or   *)
(* in a higher term, needs no fence.  Any process may fence any silent     *)
(* session record (L12.3).  One fence frees all elections of an epoch; one *)
(* election is enough to show it here.                                     *)
(*                                                                         *)
(* Clocks tick together here; Lease.tla has clocks that drift.  A process  *)
(* reads a record at the moment at which it sends a write.  The write may  *)
(* arrive at any time after that.  A look that is older than the sending   *)
(* adds nothing: its compare-and-set fails if the record has changed, and  *)
(* an epoch that has ended stays ended (EndedStaysEnded).                  *)
(*                                                                         *)
(* Holder takes one of the session records, renews, releases and loses it, *)
(* and takes the same or another.  It acquires the election, saves, and    *)
(* releases it.  Challenger wants to take over.  Its own session is in     *)
(* order all the time, so it is left out.                                  *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
  Holder, Challenger,
  Sessions,          \* the session records
  W,                 \* how long a session must be silent to be fenced
  D,                 \* how long a session is led after the sending of a confirmed write
  SessionWrites,     \* bounds of the model: Holder's writes to session records
  ElectionWrites,    \* Holder's writes to the election's record
  ChallengerWrites,  \* Challenger's writes to both
  Mutant             \* "none", or the rule that is broken

Procs == {Holder, Challenger}

ASSUME D <= W

VARIABLES
  sess,    \* per session record: version, whether Holder holds it, term
  rec,     \* the election's record: version, holder, the epoch it was acquired in, term
  own,     \* the epoch in which Holder leads its session, or NoEpoch
  age,     \* since the sending of the last confirmed write of that session (L1)
  mine,    \* the version of that session's record to write over
  hold,    \* the leadership that Holder counts: epoch and term, or NoHold
  leads,   \* the term in which Challenger leads, or 0
  work,    \* the term under which Holder's work goes on, or 0
  quiet,   \* per session record: for how long Challenger has seen its present version (L2), or Unseen
  outS,    \* Holder's write to a session record whose answer is waited for
  outE,    \* Holder's write to the election's record whose answer is waited for
  ghost,   \* an answer that nobody should wait for any more (only a mutant does)
  sent, net

vars == <<sess, rec, own, age, mine, hold, leads, work, quiet, outS, outE, ghost, sent, net>>

(* Session records are alike. *)
Symmetry == Permutations(Sessions)

Nobody == "nobody"
NoEpoch == [session |-> Nobody, term |-> 0]
NoHold == [epoch |-> NoEpoch, term |-> 0]
None == [kind |-> "none"]
Unseen == W + 1
Min(a, b) == IF a < b THEN a ELSE b

(* Two epochs are the same if the record and the term are. *)
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

(* A session whose D is over is over, and so is what is held under it (L4).  Its work may go on. *)
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
(* Holder's own session: L1 to L7 in short.  Holder may take a record that *)
(* nobody holds, and one that it held itself, without waiting.  It may do  *)
(* so while work of an older epoch goes on: L12.4 makes it wait, but no    *)
(* longer than a ttl.                                                      *)
(***************************************************************************)
Current(at) == IF at = "election" THEN rec.ver ELSE sess[at].ver

IsAwaited(o, w) == o # None /\ o.nonce = w.nonce

(* A write that cannot fit any more, and whose answer nobody waits for, is left out. *)
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

(* L6: what is held under it ends first. *)
EndSession ==
  /\ Alive /\ outS = None
  /\ SendS("end", own.session, mine, FALSE, own.term)
  /\ IF Mutant = "L12-end-while-holding" THEN UNCHANGED <<own, age, mine, hold>>
     ELSE own' = NoEpoch /\ age' = D /\ mine' = 0 /\ hold' = NoHold
  /\ UNCHANGED <<sess, rec, leads, work, quiet, outE, ghost>>

(* A write that is given up may still arrive, but nobody listens to its answer. *)
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
            IF o.found = own.term   \* Holder's own earlier write: no longer than before
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

(* A record under its own name is taken again without waiting (L3).  It does not campaign while the work of the term *)
(* that ended goes on (L9). *)
Acquire ==
  /\ Alive /\ hold = NoHold /\ work = 0
  /\ rec.holder \in {Nobody, Holder}
  /\ SendE("acquire", Holder, own, rec.term + 1)

(* A leader saves its state: the same holder, epoch and term in a new version. *)
Save ==
  /\ HolderLeads /\ rec.holder = Holder /\ rec.term = hold.term
  /\ SendE("renew", Holder, rec.epoch, rec.term)

(* L6: from the latch on, Holder does not lead.  Its work may go on. *)
Latch ==
  /\ hold # NoHold
  /\ hold' = NoHold
  /\ UNCHANGED <<sess, rec, own, age, mine, leads, work, quiet, outS, outE, ghost, sent, net>>

WorkStops ==
  /\ work # 0 /\ hold = NoHold
  /\ work' = 0
  /\ UNCHANGED <<sess, rec, own, age, mine, hold, leads, quiet, outS, outE, ghost, sent, net>>

(* L6 and L12.6.  Work that goes on delays the release by W, and no longer.  Here the release may come at any time *)
(* after the latch: W gives the work time to stop, and safety does not need it. *)
Release ==
  /\ rec.holder = Holder
  /\ hold = NoHold \/ Mutant = "L12-release-before-latch"
  /\ SendE("release", Nobody, NoEpoch, rec.term)

GiveUpE ==
  /\ outE # None
  /\ outE' = None
  /\ UNCHANGED <<sess, rec, own, age, mine, hold, leads, work, quiet, outS, ghost, sent>>
  /\ net' = {w \in net : Matters(w)}

(* An acquire counts only if it was stored under the epoch that Holder has now.  A save that met another holder or *)
(* another term ends the term (L7).  No other answer begins or ends anything. *)
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
(* Challenger.  Its answers come at once, because it may then lead at once *)
(* and its session bounds nothing here.                                    *)
(***************************************************************************)
SendC(write) ==
  /\ sent.challenger < ChallengerWrites
  /\ sent' = [sent EXCEPT !.challenger = @ + 1]
  /\ net' = net \cup {[nonce |-> <<"challenger", sent.challenger + 1>>] @@ write}
  /\ UNCHANGED <<sess, rec, own, age, mine, hold, leads, work, quiet, outS, outE, ghost>>

HasEnded(e) == sess[e.session].term > e.term \/ (sess[e.session].term = e.term /\ ~sess[e.session].held)

(* Challenger may not have looked again when the version changes.  Then only the fence finds out, because it fails.  So *)
(* the mutant without a fence takes the session for silent still. *)
IsSilent(s) == quiet[s] = W

TakeOver ==
  /\ leads = 0
  /\ \/ rec.holder = Nobody
     \/ rec.holder = Holder /\ (HasEnded(rec.epoch) \/ (Mutant = "L12-no-fence" /\ IsSilent(rec.epoch.session)))
  /\ SendC([at |-> "election", over |-> rec.ver, holder |-> Challenger, epoch |-> NoEpoch, term |-> rec.term + 1])

(* L12.3: whether any election was held under it or not. *)
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

(* Fencing tokens: a leader that is certain has the highest term that was ever stored, and the record names it.  So a *)
(* record that was released, or taken by another, has no certain leader left, whatever work goes on. *)
CertainIsNamed == \A p \in Procs : Leads(p) => rec.holder = p /\ rec.term = TermOf(p)

(* Work that goes on after its term has a lower token than any later leader. *)
WorkIsOlder == leads # 0 => work < leads

TermsGrow == [][/\ rec'.term >= rec.term
                /\ rec'.holder \notin {Nobody, rec.holder} => rec'.term > rec.term
                /\ rec'.epoch \notin {NoEpoch, rec.epoch} => rec'.term > rec.term]_rec

EpochsGrow == [][\A s \in Sessions : sess'[s].term >= sess[s].term]_sess

EndedStaysEnded == [][\A s \in Sessions : sess'[s].held /\ ~sess[s].held => sess'[s].term > sess[s].term]_sess

(* Not true: an election is taken over while work of the former leader goes on and its session lives (L12.6). *)
NeverFreeWhileWorking == ~(leads # 0 /\ work # 0 /\ Alive)
=============================================================================
