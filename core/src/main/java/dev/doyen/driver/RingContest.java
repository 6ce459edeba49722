package dev.doyen.driver;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.lease.Explanation;
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
import java.util.Optional;
import java.util.function.Function;

/** The ring machine in its loop. */
public final class RingContest implements MembershipContest {

    /** Before the election's name, in its topic. */
    public static final String TOPIC = "ring/";

    private final RingMachine machine;
    private final Duration lead;
    private final RingTally tally;
    private RingState state;

    public RingContest(RingSettings settings, Member me) {
        this(settings, me, new RingTally());
    }

    /**
     * Prepares a member that observes.
     *
     * @param tally where to count
     */
    public RingContest(RingSettings settings, Member me, RingTally tally) {
        this.tally = tally;
        this.machine = new RingMachine(settings);
        this.lead = settings.timing().lead();
        this.state = machine.begin(me);
    }

    /** What went over the network, and what did not. Any thread may ask. */
    public RingTally tally() {
        return tally;
    }

    @Override
    public String topic(String election) {
        return TOPIC + election;
    }

    @Override
    public Duration lead() {
        return lead;
    }

    @Override
    public Sight sight() {
        return new RingSight(state);
    }

    @Override
    public Outcome installed(Moment at, View view) {
        return take(new RingInput.Installed(at, view));
    }

    @Override
    public Function<Moment, Outcome> heard(Member from, byte[] message) throws UnreadableMessageException {
        try {
            RingMessage read = RingWire.read(message);
            return at -> take(new RingInput.Received(at, from, read));
        } catch (MalformedMessageException e) {
            throw new UnreadableMessageException("what is no message of the ring: " + e.getMessage(), e);
        }
    }

    @Override
    public Outcome woken(Moment at) {
        return take(new RingInput.Woken(at));
    }

    @Override
    public Outcome stand(Moment at) {
        return take(new RingInput.Stand(at));
    }

    @Override
    public Outcome standBack(Moment at, LossCause cause) {
        return take(new RingInput.StandBack(at, cause));
    }

    @Override
    public Outcome resign(Moment at, Duration cooldown) {
        return take(new RingInput.Resign(at, cooldown));
    }

    @Override
    public Outcome left(Moment at) {
        return take(new RingInput.Leave(at));
    }

    private Outcome take(RingInput input) {
        RingStep step = machine.step(state, input);
        RingState before = state;
        state = step.next();
        if (state.leader().isPresent()
                && (state.lastLap() != before.lastLap() || !state.leader().equals(before.leader()))) {
            tally.lap(input.at());
        }
        var effects = new ArrayList<Effect>();
        for (RingEffect effect : step.effects()) {
            translated(effect).ifPresent(effects::add);
        }
        return new Outcome(effects, step.wakeAtNanos());
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
            String reason = "no message has come round the ring for "
                    + lead.dividedBy(2).toMillis() + " ms";
            return Optional.of(new Jeopardy(jeopardy.term().counter(), jeopardy.remaining(), reason));
        } else if (effect instanceof RingEffect.Recovered recovered) {
            return Optional.of(new Recovered(recovered.term().counter()));
        } else if (effect instanceof RingEffect.LeaderChanged changed) {
            return Optional.of(new LeaderChanged(leader(changed.term())));
        } else if (effect instanceof RingEffect.Dropped dropped) {
            tally.drop(dropped.why());
            if (dropped.why() == RingEffect.Why.OTHER_ALGORITHM) {
                return Optional.of(
                        new Blame(dropped.from(), "uses another algorithm than this member; set the same for all"));
            }
        }
        return Optional.empty();
    }

    private static Optional<Leader> leader(Optional<Term> term) {
        return term.flatMap(
                each -> Optional.ofNullable(each.creator()).map(creator -> new Leader(creator.id(), each.counter())));
    }

    private record RingSight(RingState state) implements Sight {
        @Override
        public Optional<Long> leading() {
            return state.leading().map(Term::counter);
        }

        @Override
        public Duration remainingAt(Moment now) {
            return state.remainingAt(now);
        }

        @Override
        public Optional<Leader> leader() {
            return RingContest.leader(state.leader());
        }

        @Override
        public Explanation explain(Asked asked) {
            return RingExplainer.explain(state, leader(), asked);
        }
    }
}
