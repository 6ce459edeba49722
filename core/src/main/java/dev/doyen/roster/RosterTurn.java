package dev.doyen.roster;

import dev.doyen.event.Moment;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.ranking.LeaderView;
import dev.doyen.ranking.RankingEffect;
import dev.doyen.ranking.RankingInput;
import dev.doyen.ranking.RankingInput.Action;
import dev.doyen.ranking.RankingState;
import dev.doyen.ranking.RankingStep;
import dev.doyen.ranking.Role;
import dev.doyen.roster.RosterState.Ping;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One step in the making. Lives for the length of one {@link RosterMachine#step}. */
final class RosterTurn {

    /** More pings than this are not waited for: those of one ttl are four. */
    static final int MAX_PINGS = 8;

    final Member me;
    final Moment now;

    RankingState ranking;
    long rankingWakeAtNanos;

    @Nullable
    View view;

    final Map<Member, Peer> peers;
    final Map<Member, RosterMessage> early;
    Entry entry;
    boolean echoed;
    boolean abandoned;
    boolean complete;
    boolean blind;
    Optional<LeaderView> named;
    boolean doubted;
    boolean gone;
    long number;
    long entryNumber;
    final List<Ping> pings;
    long sayAgainAtNanos;

    private final RosterMachine machine;
    private final List<RosterEffect> effects = new ArrayList<>();

    RosterTurn(RosterMachine machine, RosterState state, Moment now) {
        this.machine = machine;
        this.me = state.me;
        this.now = now;
        this.ranking = state.ranking;
        this.rankingWakeAtNanos = state.rankingWakeAtNanos;
        this.view = state.view;
        this.peers = new LinkedHashMap<>(state.peers);
        this.early = new LinkedHashMap<>(state.early);
        this.entry = state.entry;
        this.echoed = state.echoed;
        this.abandoned = state.abandoned;
        this.complete = state.complete;
        this.blind = state.blind;
        this.named = state.named;
        this.doubted = state.doubted;
        this.gone = state.gone;
        this.number = state.number;
        this.entryNumber = state.entryNumber;
        this.pings = new ArrayList<>(state.pings);
        this.sayAgainAtNanos = state.sayAgainAtNanos;
    }

    RosterStep finish() {
        judgeDoubt();
        long wake = rankingWakeAtNanos;
        if (view != null && !allHeard(number)) {
            wake = earlier(wake, sayAgainAtNanos);
        }
        if (ranking.leading().isPresent() && !doubted) {
            wake = earlier(
                    wake, now.nanos() + ranking.remainingAt(now).minus(half()).toNanos());
        }
        return new RosterStep(new RosterState(this), effects, wake);
    }

    /** Gives the ranking machine an input, and carries out what it wants. */
    void feed(RankingInput input) {
        RankingStep step = machine.ranking.step(ranking, input);
        ranking = step.next();
        rankingWakeAtNanos = step.wakeAtNanos();
        step.effects().forEach(this::carryOut);
    }

    /** V3, V4, V5: what all have heard by now. Whoever has heard has said its entry with it. Each is fed once, so this ends. */
    void feedWhatIsDue() {
        while (view != null) {
            if (!complete && allHeard(entryNumber)) {
                complete = true;
                echoed = true;
                blind = false;
                feed(new RankingInput.SyncComplete(now, everybody()));
                name(ranking.leader());
            } else if (!echoed && allHeard(entryNumber)) {
                echoed = true;
                feed(new RankingInput.MemberHeard(now, Action.UPDATE, entry.of(me)));
            } else if (!pings.isEmpty() && allHeard(pings.get(0).number())) {
                feed(new RankingInput.PingAnswered(now, pings.remove(0).sent()));
            } else {
                return;
            }
        }
    }

    /** V7: says it again to whoever has not heard the last word. */
    void sayAgain() {
        if (view != null && now.nanos() - sayAgainAtNanos >= 0) {
            sayAgainLater();
            peers.forEach((member, peer) -> {
                if (peer.heard() < number) {
                    send(member, true);
                }
            });
        }
    }

    /** V5: says something that proves, once all have heard it, that they could hear this member as it was said. */
    void ping() {
        if (pings.size() == MAX_PINGS) {
            pings.remove(0);
        }
        pings.add(new Ping(number + 1, now));
        sayToAll();
    }

    /** A new number, for everybody to hear. */
    void sayToAll() {
        number++;
        sayAgainLater();
        peers.keySet().forEach(member -> send(member, true));
    }

    void send(Member to, boolean asks) {
        View here = view;
        Peer peer = peers.get(to);
        if (here != null && peer != null) {
            effects.add(new RosterEffect.Send(
                    to, new RosterMessage(here.id(), number, peer.number(), ranking.seenTerm(), asks, entry)));
        }
    }

    private boolean allHeard(long what) {
        return peers.values().stream().allMatch(peer -> peer.heard() >= what);
    }

    /** Who has entered; the own entry among them, for all have heard it. */
    private List<dev.doyen.ranking.Member> everybody() {
        var all = new ArrayList<dev.doyen.ranking.Member>();
        peers.forEach((member, peer) -> {
            Entry theirs = peer.entry();
            if (theirs != null && theirs.entered()) {
                all.add(theirs.of(member));
            }
        });
        if (entry.entered()) {
            all.add(entry.of(me));
        }
        return all;
    }

    private void carryOut(RankingEffect effect) {
        if (effect instanceof RankingEffect.Follow follow) {
            write(follow.seq(), Role.FOLLOWER, follow.term(), follow.eligible());
        } else if (effect instanceof RankingEffect.Claim claim) {
            write(claim.seq(), Role.LEADER, claim.term(), true);
        } else if (effect instanceof RankingEffect.Ping) {
            ping();
        } else if (effect instanceof RankingEffect.StartWork start) {
            effects.add(new RosterEffect.StartWork(start.term()));
        } else if (effect instanceof RankingEffect.StopWork stop) {
            effects.add(new RosterEffect.StopWork(stop.term(), stop.reason()));
        } else if (effect instanceof RankingEffect.Leader leader) {
            name(leader.leader());
        }
    }

    void write(long seq, Role role, long term, boolean eligible) {
        entry = new Entry(seq, role, term, machine.settings.priority(), eligible, entry.joined());
        echoed = false;
        abandoned = false;
        entryNumber = number + 1;
        sayToAll();
    }

    /** V1, V9: in no view, it knows nobody and claims nothing. */
    void goBlind() {
        view = null;
        entry = entry.following();
        blind = true;
        name(Optional.empty());
    }

    private void name(Optional<LeaderView> leader) {
        Optional<LeaderView> next = blind ? Optional.empty() : leader;
        if (!next.equals(named)) {
            named = next;
            effects.add(new RosterEffect.Leader(next));
        }
    }

    /** V10: half of the time for which a proof holds has passed without another. */
    private void judgeDoubt() {
        OptionalLong term = ranking.leading();
        if (term.isEmpty()) {
            doubted = false;
            return;
        }
        Duration remaining = ranking.remainingAt(now);
        boolean late = remaining.compareTo(half()) <= 0;
        if (late && !doubted) {
            effects.add(new RosterEffect.Jeopardy(term.getAsLong(), remaining));
        } else if (doubted && !late) {
            effects.add(new RosterEffect.Recovered(term.getAsLong()));
        }
        doubted = late;
    }

    private Duration half() {
        return machine.settings.ttl().multipliedBy(2).dividedBy(5);
    }

    private static long earlier(long one, long other) {
        return one == Long.MAX_VALUE || other - one < 0 ? other : one;
    }

    private void sayAgainLater() {
        sayAgainAtNanos = now.nanos() + machine.settings.ttl().toNanos() / 4;
    }
}
