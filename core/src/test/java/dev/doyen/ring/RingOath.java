package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What docs/spec/ring.md promises, held against every effect of a world and against its end. */
final class RingOath {

    private final RingWorld world;
    private final Map<String, Member> winners = new HashMap<>();
    private final Map<Term, Member> terms = new HashMap<>();

    /** The greatest number in which anybody led. */
    private long lastCounter;

    /** The term that no follower may cost its leader; empty while there are other faults. */
    private Optional<Term> kept = Optional.empty();

    /** When a member last named another leader than before. */
    long lastNews;

    RingOath(RingWorld world) {
        this.world = world;
    }

    void check(RingProcess process, RingEffect effect) {
        if (effect instanceof RingEffect.Lead lead) {
            require(kept.isEmpty(), "a follower froze or was slow, and " + process.me + " leads in place of " + kept);
            lead(process, lead.term());
        } else if (effect instanceof RingEffect.StepDown down) {
            require(kept.isEmpty(), "a follower froze or was slow, and " + process.me + " lost " + kept);
            require(
                    process.leads && process.lastLed.equals(down.term()),
                    process.me + " stepped down, but did not lead");
            process.leads = false;
            world.mark("lost leading: " + down.cause());
        } else if (effect instanceof RingEffect.LeaderChanged changed) {
            lastNews = world.now;
            changed.term().ifPresent(term -> named(process, term));
        } else if (effect instanceof RingEffect.Send send) {
            sent(process, send.message());
        } else if (effect instanceof RingEffect.HandOverFailed failed) {
            world.mark("hand-over failed: " + failed.why());
        } else if (effect instanceof RingEffect.Dropped dropped) {
            world.mark("dropped: " + dropped.why());
        }
    }

    /** After a step: one that ends a cooldown, or that begins one, may have had a term that began and ended in it. */
    void stands(RingProcess process) {
        require(
                !process.leads || process.state.stands(process.at(world.now)),
                "R12: " + process.me + " leads, and stands back or has resigned");
    }

    /** Quorum mode: whatever happens, no two lead by their own clocks at a moment of the world, and none with too few voters. */
    void atOnce() {
        List<RingProcess> leaders = world.processes.stream()
                .filter(process -> process.leadsAt(world.now))
                .toList();
        require(
                leaders.size() < 2,
                "V1: two lead at once: "
                        + leaders.stream().map(each -> each.state.leading()).toList());
        for (RingProcess leader : leaders) {
            require(
                    leader.state.view().filter(world::isQuorate).isPresent(),
                    "V3: " + leader.me + " leads where too few voters are");
        }
    }

    /** L: some time after the faults, one leads, all know, and it is true. */
    void healed(List<RingProcess> alive) {
        List<RingProcess> leaders =
                alive.stream().filter(process -> process.leadsAt(world.now)).toList();
        require(leaders.size() == 1, leaders.size() + " lead after the faults have ended");
        Optional<Term> term = leaders.get(0).state.leading();
        for (RingProcess process : alive) {
            require(
                    process.state.leader().equals(term),
                    process.me + " names " + process.state.leader() + ", but it is " + term);
        }
    }

    /** L, in a view that is new: nobody waits for a round to be given up. */
    void healedBy(long moment) {
        require(lastNews <= moment, "a leader was found only " + (lastNews - moment) / 1_000_000 + " ms too late");
    }

    /** From now on the leader leads, in this term, whatever one follower does. */
    void keepsTerm(List<RingProcess> alive) {
        kept = alive.stream()
                .filter(process -> process.leadsAt(world.now))
                .findFirst()
                .flatMap(leader -> leader.state.leading());
    }

    private void lead(RingProcess process, Term term) {
        require(!process.leads, process.me + " was told twice to lead");
        require(term.compareTo(process.lastLed) > 0, process.me + " leads in " + term + " after " + process.lastLed);
        require(process.me.equals(term.creator()), process.me + " leads in another's term, " + term);
        require(terms.put(term, process.me) == null, "S2: term " + term + " was used twice");
        if (world.remembers()) {
            require(term.counter() > lastCounter, "V2: " + term + " begins after a leader with number " + lastCounter);
            lastCounter = term.counter();
        }
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
        if (message instanceof RingMessage.OfLeader lap
                && process.me.equals(lap.term().creator())) {
            String contest = lap.view() + " round " + lap.round();
            Member other = winners.put(contest, process.me);
            require(other == null || other.equals(process.me), "S1: " + contest + " was won by " + other + " too");
            // A leader's first lap in a round says that it has won it; with voters, so does each one that asks.
            if (other == null || lap instanceof RingMessage.Elected) {
                won(process, lap, contest);
            }
        }
    }

    private void won(RingProcess process, RingMessage.OfLeader lap, String contest) {
        if (lap.round() > 0) {
            world.mark("won a later round");
        }
        wonByOrder(process, lap, contest);
        for (RingProcess member : world.processes) {
            boolean sees = member.state.view().map(View::id).equals(Optional.of(lap.view()));
            require(
                    member == process || !sees || !member.leadsAt(world.now),
                    "S3: " + member.me + " leads in " + contest + " while " + process.me + " wins it");
        }
    }

    /** R4: no member of the round comes before the winner. Compared here without what the machine compares with. */
    private void wonByOrder(RingProcess winner, RingMessage.OfLeader lap, String contest) {
        Optional<Key> won = keyIn(winner, lap);
        for (RingProcess member : world.processes) {
            Optional<Key> other = keyIn(member, lap);
            if (won.isPresent() && other.isPresent()) {
                require(
                        !comesBefore(other.get(), won.get()),
                        "R4: " + winner.me + " wins " + contest + ", but by " + world.order + " " + member.me
                                + " comes before it");
            }
        }
    }

    /** Empty if the member is in another view or round. */
    private static Optional<Key> keyIn(RingProcess member, RingMessage.OfLeader lap) {
        boolean sees = member.state.view().map(View::id).equals(Optional.of(lap.view()));
        return Optional.ofNullable(member.state.ballot)
                .filter(ballot -> sees && ballot.round() == lap.round())
                .map(Ballot::mine);
    }

    private boolean comesBefore(Key one, Key other) {
        if (one.stands() != other.stands()) {
            return one.stands();
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
