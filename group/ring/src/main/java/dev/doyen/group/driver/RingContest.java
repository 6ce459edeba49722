package dev.doyen.group.driver;

import dev.doyen.event.Explanation;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.group.settings.RingOrder;
import dev.doyen.membership.MalformedMessageException;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.ring.RingEffect;
import dev.doyen.ring.RingInput;
import dev.doyen.ring.RingMachine;
import dev.doyen.ring.RingMessage;
import dev.doyen.ring.RingSettings;
import dev.doyen.ring.RingState;
import dev.doyen.ring.RingStep;
import dev.doyen.ring.RingWire;
import dev.doyen.ring.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** The adapter between a {@link MembershipLoop} and the ring machine. */
public final class RingContest implements MembershipContest {

    /** The prefix of the topic of an election. The name of the election follows the prefix. */
    public static final String TOPIC = "ring/";

    private final RingMachine machine;
    private final Duration lead;
    private final RingOrder order;
    private final RingTally tally;
    private RingState state;

    /** The reason why the last handover failed after this member had stepped down; otherwise empty. */
    private Optional<String> failure = Optional.empty();

    /** @param tally the counters of messages */
    public RingContest(RingSettings settings, Member me, RingTally tally) {
        this.tally = tally;
        this.machine = new RingMachine(settings);
        this.lead = settings.timing().leaderLease();
        this.order = settings.order();
        this.state = machine.begin(me);
    }

    /** Returns the counters of messages. Any thread may read them. */
    public RingTally tally() {
        return tally;
    }

    @Override
    public String topic(String election) {
        return TOPIC + election;
    }

    @Override
    public Duration leaderLease() {
        return lead;
    }

    @Override
    public Snapshot snapshot() {
        return new RingSnapshot(state, failure);
    }

    @Override
    public Outcome installed(Moment at, View view) {
        return take(new RingInput.Installed(at, view));
    }

    @Override
    public Function<Moment, Outcome> received(Member from, byte[] message) throws UnreadableMessageException {
        try {
            RingMessage read = RingWire.read(message);
            return at -> take(new RingInput.Received(at, from, read));
        } catch (MalformedMessageException e) {
            throw new UnreadableMessageException("bytes that are not a message of the ring: " + e.getMessage(), e);
        }
    }

    @Override
    public Outcome woken(Moment at) {
        return take(new RingInput.Woken(at));
    }

    @Override
    public Outcome campaign(Moment at) {
        return take(new RingInput.Campaign(at));
    }

    @Override
    public Outcome withdraw(Moment at, LossCause cause) {
        return take(new RingInput.Withdraw(at, cause));
    }

    @Override
    public Outcome resign(Moment at, Duration cooldown) {
        return take(new RingInput.Resign(at, cooldown));
    }

    @Override
    public Outcome handOver(Moment at, String successor, Duration cooldown) {
        failure = Optional.empty();
        return take(new RingInput.HandOver(at, successor, cooldown));
    }

    @Override
    public Outcome save(Moment at, long term, long save, SavedState saved) {
        return take(new RingInput.Save(at, term, save, saved));
    }

    @Override
    public Outcome left(Moment at) {
        return take(new RingInput.Leave(at));
    }

    /**
     * Passes an input to the machine. If this method throws, the state is unchanged, and the loop can repeat the input.
     */
    private Outcome take(RingInput input) {
        RingStep step = machine.step(state, input);
        RingState next = step.next();
        var effects = new ArrayList<Effect>();
        for (RingEffect effect : step.effects()) {
            translated(effect).ifPresent(effects::add);
        }
        var outcome = new Outcome(effects, step.wakeAtNanos());
        if (next.leader().isPresent()
                && (next.lastHeartbeat() != state.lastHeartbeat()
                        || !next.leader().equals(state.leader()))) {
            tally.heartbeat(input.at());
        }
        next.confirmedAt()
                .filter(sent -> !state.confirmedAt().equals(Optional.of(sent)))
                .ifPresent(sent -> tally.confirmed(Duration.ofNanos(input.at().nanosSince(sent))));
        tally.setState(next);
        // The state changes last. Otherwise an Error above would lose the effects of this step.
        state = next;
        return outcome;
    }

    private Optional<Effect> translated(RingEffect effect) {
        if (effect instanceof RingEffect.Send send) {
            RingMessage message = send.message();
            return Optional.of(new Send(send.to(), () -> RingWire.write(message), tally.of(message)));
        } else if (effect instanceof RingEffect.Lead begun) {
            return Optional.of(new Lead(begun.term().counter()));
        } else if (effect instanceof RingEffect.StepDown down) {
            return Optional.of(new StepDown(down.term().counter(), down.cause()));
        } else if (effect instanceof RingEffect.Jeopardy jeopardy) {
            String reason = "no heartbeat has returned for " + lead.dividedBy(2).toMillis() + " ms";
            return Optional.of(new Jeopardy(jeopardy.term().counter(), jeopardy.remaining(), reason));
        } else if (effect instanceof RingEffect.Recovered recovered) {
            return Optional.of(new Recovered(recovered.term().counter()));
        } else if (effect instanceof RingEffect.LeaderChanged changed) {
            return Optional.of(new LeaderChanged(leader(changed.term())));
        } else if (effect instanceof RingEffect.Saved saved) {
            return Optional.of(new Saved(saved.version()));
        } else if (effect instanceof RingEffect.HandOverFailed failed) {
            String sentence = RingExplainer.failed(failed);
            if (failed.why() != RingEffect.Obstacle.NOT_THERE) {
                failure = Optional.of(sentence);
            }
            return Optional.of(new Notice(sentence));
        } else if (effect instanceof RingEffect.Dropped dropped) {
            tally.drop(dropped.why());
            if (dropped.why() == RingEffect.Why.OTHER_ALGORITHM) {
                return Optional.of(
                        new Blame(dropped.from(), "uses another algorithm than this member; set the same for all"));
            }
            if (dropped.why() == RingEffect.Why.OTHER_ORDER
                    && dropped.message() instanceof RingMessage.OfContest contest) {
                return Optional.of(new Blame(
                        dropped.from(),
                        "uses the order " + lowerCase(contest.key().order()) + ", and this member " + lowerCase(order)
                                + "; set the same for all"));
            }
        }
        return Optional.empty();
    }

    private static String lowerCase(RingOrder order) {
        return order.name().toLowerCase(Locale.ROOT);
    }

    private static Optional<Leader> leader(Optional<Term> term) {
        return term.flatMap(
                each -> Optional.ofNullable(each.creator()).map(creator -> new Leader(creator.id(), each.counter())));
    }

    private record RingSnapshot(RingState known, Optional<String> failure) implements Snapshot {
        @Override
        public Optional<Long> leading() {
            return known.leading().map(Term::counter);
        }

        @Override
        public Duration remainingAt(Moment now) {
            return known.remainingAt(now);
        }

        @Override
        public Optional<Leader> leader() {
            return RingContest.leader(known.leader());
        }

        @Override
        public SavedState state() {
            return known.saved().state();
        }

        @Override
        public Explanation explain(ExplanationContext context) {
            return RingExplainer.explain(known, leader(), failure, context);
        }
    }
}
