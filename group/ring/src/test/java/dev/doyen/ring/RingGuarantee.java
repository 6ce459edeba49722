package dev.doyen.ring;

import dev.doyen.event.SavedState;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks the guarantees of docs/spec/ring.md at every effect of a simulation, and at its end. */
final class RingGuarantee {

    private final RingWorld world;
    private final Map<String, Member> winners = new HashMap<>();
    private final Map<Term, Member> terms = new HashMap<>();

    /** The content of each saved state, which never changes. */
    private final Map<VersionedState.Id, SavedState> states = new HashMap<>();

    /** The newest confirmed state of each view. */
    private final Map<ViewId, VersionedState.Id> confirmed = new HashMap<>();

    /** The term that must not end while one follower is disturbed; empty during other faults. */
    private Optional<Term> kept = Optional.empty();

    /** The time at which a member last reported a change of its leader. */
    long lastLeaderChange;

    RingGuarantee(RingWorld world) {
        this.world = world;
    }

    void check(RingProcess process, RingEffect effect) {
        if (effect instanceof RingEffect.Lead lead) {
            require(
                    kept.isEmpty(),
                    process.me + " replaced the leader of " + kept + " although only a follower was frozen or slow");
            lead(process, lead.term());
        } else if (effect instanceof RingEffect.StepDown down) {
            require(kept.isEmpty(), process.me + " lost " + kept + " although only a follower was frozen or slow");
            require(
                    process.leads && process.lastLed.equals(down.term()),
                    process.me + " stepped down, but did not lead");
            process.leads = false;
            world.mark("lost leading: " + down.cause());
        } else if (effect instanceof RingEffect.Saved saved) {
            saved(process, saved.version());
        } else if (effect instanceof RingEffect.LeaderChanged changed) {
            lastLeaderChange = world.now;
            changed.term().ifPresent(term -> named(process, term));
        } else if (effect instanceof RingEffect.Send send) {
            sent(process, send.message());
        } else if (effect instanceof RingEffect.HandOverFailed failed) {
            world.mark("handover failed: " + failed.why());
        } else if (effect instanceof RingEffect.Dropped dropped) {
            world.mark("dropped: " + dropped.why());
        }
    }

    /**
     * Checks after a step that a leader has not withdrawn and that no cooldown of the leader is running.
     *
     * <p>The simulation does not call this method at each effect, because a whole term can begin and end in one step.
     */
    void campaigns(RingProcess process) {
        require(
                !process.leads || process.state.campaigns(process.at(world.now)),
                "R12: " + process.me + " leads after it withdrew or resigned");
    }

    /**
     * Checks the member's saved state after a step. The state must not become older. Two states with the same id must
     * be equal.
     */
    void keepsState(RingProcess process) {
        VersionedState saved = process.state.saved();
        require(
                saved.id().compareTo(process.lastSaved.id()) >= 0,
                "T2: " + process.me + " stores " + saved.id() + " after " + process.lastSaved.id());
        process.lastSaved = saved;
        SavedState known = states.putIfAbsent(saved.id(), saved.state());
        require(
                known == null || known.equals(saved.state()),
                "T2: " + process.me + " stores another state as " + saved.id());
        if (saved.id().version() > 0 && known == null) {
            world.mark("saved");
        }
    }

    /** Checks S4: all members that have installed the leader's view have stored the confirmed state. */
    private void saved(RingProcess leader, long version) {
        ViewId view = leader.state.view().orElseThrow().id();
        var id = new VersionedState.Id(leader.lastLed, version);
        for (RingProcess member : withView(view)) {
            require(
                    !id.isAfter(member.state.saved().id()),
                    "S4: " + id + " is confirmed, but " + member.me + " stores "
                            + member.state.saved().id());
        }
        confirmed.merge(view, id, (one, other) -> one.isAfter(other) ? one : other);
        world.mark("confirmed");
    }

    /**
     * Checks S5: a leader begins with the newest saved state. No state that is confirmed in the leader's view, or
     * stored by a member of the view, is newer.
     */
    private void beginsWithTheNewest(RingProcess leader, Term term) {
        ViewId view = leader.state.view().orElseThrow().id();
        VersionedState before = leader.lastSaved.orNewer(leader.answered);
        VersionedState begun = leader.state.saved();
        require(
                begun.id().equals(new VersionedState.Id(term, 0)),
                "S5: " + term + " begins with the state " + begun.id());
        require(
                begun.state().equals(before.state()),
                "S5: " + leader.me + " has " + before + " but begins with another state");
        if (leader.isInNewView) {
            // The member has just installed this view, so none of its messages in this view has crossed the ring. The
            // member was therefore elected in the previous view, or is the only member of this view.
            return;
        }
        for (RingProcess member : withView(view)) {
            VersionedState.Id other =
                    member == leader ? before.id() : member.state.saved().id();
            require(
                    !other.isAfter(before.id()),
                    "S5: " + leader.me + " begins with " + before.id() + ", but " + member.me + " has " + other);
        }
        VersionedState.Id sure = confirmed.getOrDefault(view, VersionedState.Id.NONE);
        require(!sure.isAfter(before.id()), "S5: " + sure + " was confirmed, but the term begins with " + before.id());
        if (!begun.state().isEmpty()) {
            world.mark("began with a state");
        }
    }

    private List<RingProcess> withView(ViewId view) {
        return world.processes.stream()
                .filter(member ->
                        !member.crashed && member.state.view().map(View::id).equals(Optional.of(view)))
                .toList();
    }

    /**
     * Checks L: some time after the faults, exactly one member leads. All members report it as the leader and store its
     * saved state.
     */
    void healed(List<RingProcess> alive) {
        List<RingProcess> leaders =
                alive.stream().filter(process -> process.leadsAt(world.now)).toList();
        require(leaders.size() == 1, leaders.size() + " members lead after the faults have ended");
        Optional<Term> term = leaders.get(0).state.leading();
        for (RingProcess process : alive) {
            require(
                    process.state.leader().equals(term),
                    process.me + " names " + process.state.leader() + ", but the leader is " + term);
            require(
                    process.state.saved().equals(leaders.get(0).state.saved()),
                    process.me + " stores " + process.state.saved().id() + ", but the leader stores "
                            + leaders.get(0).state.saved().id());
        }
    }

    /**
     * Checks L in a new view: the members found a leader by {@code moment}, without waiting for the timeout of a
     * round.
     */
    void healedBy(long moment) {
        require(
                lastLeaderChange <= moment,
                "the members found a leader " + (lastLeaderChange - moment) / 1_000_000 + " ms too late");
    }

    /** From now on, checks that the leader does not lose its term during faults of one follower. */
    void keepsTerm(List<RingProcess> alive) {
        kept = alive.stream()
                .filter(process -> process.leadsAt(world.now))
                .findFirst()
                .flatMap(leader -> leader.state.leading());
    }

    private void lead(RingProcess process, Term term) {
        require(!process.leads, process.me + " begins to lead while it leads");
        require(term.compareTo(process.lastLed) > 0, process.me + " leads in " + term + " after " + process.lastLed);
        require(process.me.equals(term.creator()), process.me + " leads in the term of another member, " + term);
        require(terms.put(term, process.me) == null, "S2: term " + term + " was used twice");
        beginsWithTheNewest(process, term);
        process.leads = true;
        process.lastLed = term;
        world.mark("led");
    }

    private void named(RingProcess process, Term term) {
        require(
                term.compareTo(process.lastNamed) >= 0,
                "S2: " + process.me + " names " + term + " after " + process.lastNamed);
        process.lastNamed = term;
    }

    private void sent(RingProcess process, RingMessage message) {
        world.mark("sent " + message.getClass().getSimpleName());
        if (message instanceof RingMessage.OfLeader heartbeat
                && process.me.equals(heartbeat.term().creator())) {
            String contest = heartbeat.view() + " round " + heartbeat.round();
            Member other = winners.put(contest, process.me);
            require(other == null || other.equals(process.me), "S1: " + contest + " was also won by " + other);
            // The first heartbeat of the leader in a round is the elected message.
            if (other == null) {
                won(process, heartbeat, contest);
            }
        }
    }

    private void won(RingProcess process, RingMessage.OfLeader heartbeat, String contest) {
        if (heartbeat.round() > 0) {
            world.mark("won a later round");
        }
        wonByOrder(process, heartbeat, contest);
        for (RingProcess member : world.processes) {
            boolean sees = member.state.view().map(View::id).equals(Optional.of(heartbeat.view()));
            require(
                    member == process || !sees || !member.leadsAt(world.now),
                    "S3: " + member.me + " leads in " + contest + " while " + process.me + " wins it");
        }
    }

    /** Checks R4: the winner has the greatest key of the round. The comparison does not use the code of the machine. */
    private void wonByOrder(RingProcess winner, RingMessage.OfLeader heartbeat, String contest) {
        Optional<Key> won = keyIn(winner, heartbeat);
        for (RingProcess member : world.processes) {
            Optional<Key> other = keyIn(member, heartbeat);
            if (won.isPresent() && other.isPresent()) {
                require(
                        !comesBefore(other.get(), won.get()),
                        "R4: " + winner.me + " wins " + contest + ", but " + member.me + " precedes it in the order "
                                + world.order);
            }
        }
    }

    /** Returns the member's key in the round of the heartbeat; empty if the member is in another view or round. */
    private static Optional<Key> keyIn(RingProcess member, RingMessage.OfLeader heartbeat) {
        boolean sees = member.state.view().map(View::id).equals(Optional.of(heartbeat.view()));
        return Optional.ofNullable(member.state.round)
                .filter(round -> sees && round.number() == heartbeat.round())
                .map(RoundState::mine);
    }

    private boolean comesBefore(Key one, Key other) {
        if (one.campaigns() != other.campaigns()) {
            return one.campaigns();
        }
        if (!one.incumbent().equals(other.incumbent())) {
            return one.incumbent().compareTo(other.incumbent()) > 0;
        }
        if (one.priority() != other.priority()) {
            return one.priority() > other.priority();
        }
        int ids = one.member().compareTo(other.member());
        return switch (world.order) {
            case OLDEST -> one.joined() == other.joined() ? ids < 0 : one.joined() < other.joined();
            case LOWEST_ID -> ids < 0;
            case HIGHEST_ID -> ids > 0;
        };
    }

    private static void require(boolean kept, String otherwise) {
        if (!kept) {
            throw new AssertionError(otherwise);
        }
    }
}
