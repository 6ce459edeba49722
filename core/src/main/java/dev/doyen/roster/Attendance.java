package dev.doyen.roster;

import dev.doyen.event.LossCause;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.ranking.RankingInput;
import dev.doyen.ranking.RankingInput.Action;
import dev.doyen.ranking.Winner;
import java.util.List;
import java.util.Optional;

/** Who is in the view, and what they say: takes each input to the ranking machine. */
final class Attendance implements RosterInput.Cases {

    /** Of so many members a message of a view that may come is kept; what is dropped is said again (V7). */
    static final int MAX_EARLY = 1_000;

    private final RosterTurn turn;

    Attendance(RosterTurn turn) {
        this.turn = turn;
    }

    /** V1: nothing that was said in another view counts in this one. */
    @Override
    public void installed(RosterInput.Installed input) {
        View next = input.view();
        View before = turn.view;
        if (before != null && before.id().equals(next.id())) {
            return;
        }
        // A claim that has not won yet may have a term that was led in where the new members come from.
        abandonClaim();
        turn.peers.clear();
        turn.complete = false;
        turn.echoed = false;
        if (!next.has(turn.me)) {
            turn.feed(new RankingInput.Detached(turn.now));
            turn.goBlind();
            return;
        }
        turn.view = next;
        next.members().stream()
                .filter(member -> !member.equals(turn.me))
                .forEach(member -> turn.peers.put(member, Peer.SILENT));
        if (before == null) {
            turn.entry = turn.entry.joinedAt(next.id().number());
            turn.feed(new RankingInput.Connected(turn.now, turn.me.toString()));
        }
        turn.feed(new RankingInput.SyncStarted(turn.now));
        turn.entryNumber = turn.number + 1;
        turn.ping();
        hearWhatCameEarly(next);
        turn.feedWhatIsDue();
    }

    @Override
    public void received(RosterInput.Received input) {
        View view = turn.view;
        RosterMessage message = input.message();
        if (view != null && message.view().equals(view.id())) {
            hear(input.from(), message);
        } else if (view == null || message.view().number() >= view.id().number()) {
            keep(input.from(), message);
        }
    }

    @Override
    public void tick(RosterInput.Tick input) {
        turn.feed(new RankingInput.Tick(turn.now));
        turn.feedWhatIsDue();
        turn.sayAgain();
    }

    @Override
    public void resign(RosterInput.Resign input) {
        turn.feed(new RankingInput.Resign(turn.now, Optional.of(input.cooldown())));
        turn.feedWhatIsDue();
    }

    @Override
    public void standBack(RosterInput.StandBack input) {
        turn.feed(new RankingInput.StandBack(turn.now, input.reason()));
        turn.feedWhatIsDue();
    }

    @Override
    public void stand(RosterInput.Stand input) {
        turn.feed(new RankingInput.Stand(turn.now));
        turn.feedWhatIsDue();
    }

    /** As if put out of a view, but nothing comes after it. */
    @Override
    public void leave(RosterInput.Leave input) {
        turn.feed(new RankingInput.Close(turn.now, LossCause.CLOSED));
        turn.goBlind();
        turn.early.clear();
        turn.gone = true;
    }

    private void hear(Member from, RosterMessage message) {
        Peer before = turn.peers.get(from);
        if (before == null) {
            return;
        }
        Peer peer = before.saying(message);
        turn.peers.put(from, peer);
        Entry entry = peer.entry();
        if (entry != null && !entry.equals(before.entry())) {
            stopIfOutdone(from, entry);
            if (turn.complete && entry.entered()) {
                turn.feed(new RankingInput.MemberHeard(turn.now, Action.UPDATE, entry.of(from)));
            }
        }
        learn(Math.max(message.seen(), message.entry().term()));
        turn.feedWhatIsDue();
        // V6: after whatever had to be stopped, so that the answer says so.
        if (message.asks()) {
            turn.send(from, false);
        }
    }

    /** V6: whether the set is complete or not, and whether all have heard the own claim or not, a better one is better. */
    private void stopIfOutdone(Member from, Entry theirs) {
        Entry mine = turn.entry;
        if (!theirs.claims() || !mine.claims()) {
            return;
        }
        var both = List.of(theirs.of(from), mine.of(turn.me));
        if (Winner.among(both).filter(winner -> winner.equals(both.get(0))).isPresent()) {
            abandonLeadership();
            abandonClaim();
        }
    }

    /** V8: who leads below a term that a member of the view knows, leads below one that may have been led in since. */
    private void learn(long seen) {
        if (seen > turn.ranking.seenTerm()) {
            turn.feed(new RankingInput.TermSeen(turn.now, seen));
        }
        if (turn.ranking.leading().isPresent() && seen > turn.ranking.leading().getAsLong()) {
            abandonLeadership();
        }
    }

    private void abandonLeadership() {
        if (turn.ranking.leading().isPresent()) {
            turn.abandoned = true;
            turn.feed(new RankingInput.Fenced(turn.now, turn.ranking.leading().getAsLong()));
        }
    }

    private void abandonClaim() {
        if (turn.entry.claims() && turn.ranking.leading().isEmpty() && !turn.abandoned) {
            turn.abandoned = true;
            turn.feed(new RankingInput.Failed(turn.now, turn.entry.seq()));
        }
    }

    private void keep(Member from, RosterMessage message) {
        RosterMessage kept = turn.early.get(from);
        boolean newer = kept == null || message.number() > kept.number();
        if (newer && (kept != null || turn.early.size() < MAX_EARLY)) {
            turn.early.put(from, message);
        }
    }

    private void hearWhatCameEarly(View next) {
        var ready = List.copyOf(turn.early.entrySet());
        ready.forEach(kept -> {
            RosterMessage message = kept.getValue();
            if (message.view().equals(next.id())) {
                turn.early.remove(kept.getKey());
                hear(kept.getKey(), message);
            } else if (message.view().number() < next.id().number()) {
                turn.early.remove(kept.getKey());
            }
        });
    }
}
