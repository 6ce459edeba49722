package dev.doyen.driver;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.lease.Explanation;
import dev.doyen.membership.MalformedMessageException;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.ranking.LeaderView;
import dev.doyen.ranking.RankingSettings;
import dev.doyen.roster.RosterEffect;
import dev.doyen.roster.RosterInput;
import dev.doyen.roster.RosterMachine;
import dev.doyen.roster.RosterMessage;
import dev.doyen.roster.RosterState;
import dev.doyen.roster.RosterStep;
import dev.doyen.roster.RosterWire;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** The roster machine in its loop: ranking over a membership. */
public final class RankingContest implements MembershipContest {

    /** Before the election's name, in its topic. */
    public static final String TOPIC = "ranking/";

    private final RosterMachine machine;
    private final Duration lead;
    private final RankingTally tally;
    private RosterState state;

    /** @param tally where to count */
    public RankingContest(RankingSettings settings, Member me, Moment now, RankingTally tally) {
        this.machine = new RosterMachine(settings);
        this.lead = settings.safe();
        this.tally = tally;
        this.state = machine.begin(me, now);
    }

    /** What went over the network. Any thread may ask. */
    public RankingTally tally() {
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
        return new RankingSight(state, machine);
    }

    @Override
    public Outcome installed(Moment at, View view) {
        return take(new RosterInput.Installed(at, view));
    }

    @Override
    public Function<Moment, Outcome> heard(Member from, byte[] message) throws UnreadableMessageException {
        try {
            RosterMessage read = RosterWire.read(message);
            return at -> {
                Outcome outcome = take(new RosterInput.Received(at, from, read));
                if (leads(from, read)) {
                    tally.word(at);
                }
                return outcome;
            };
        } catch (MalformedMessageException e) {
            throw new UnreadableMessageException("what is no message of the ranking: " + e.getMessage(), e);
        }
    }

    @Override
    public Outcome woken(Moment at) {
        return take(new RosterInput.Tick(at));
    }

    @Override
    public Outcome stand(Moment at) {
        return take(new RosterInput.Stand(at));
    }

    @Override
    public Outcome standBack(Moment at, LossCause cause) {
        return take(new RosterInput.StandBack(at, cause));
    }

    @Override
    public Outcome resign(Moment at, Duration cooldown) {
        return take(new RosterInput.Resign(at, cooldown));
    }

    @Override
    public Outcome left(Moment at) {
        return take(new RosterInput.Leave(at));
    }

    private Outcome take(RosterInput input) {
        RosterStep step = machine.step(state, input);
        state = step.next();
        tally.knows(state);
        return new Outcome(step.effects().stream().map(this::translated).toList(), step.wakeAtNanos());
    }

    /** Whether who said this is named as the leader, and said it in the present view. */
    private boolean leads(Member from, RosterMessage message) {
        return state.view().filter(view -> view.id().equals(message.view())).isPresent()
                && state.leader()
                        .filter(named -> named.key().equals(from.toString()))
                        .isPresent();
    }

    private Effect translated(RosterEffect effect) {
        if (effect instanceof RosterEffect.Send send) {
            RosterMessage message = send.message();
            return new Send(send.to(), () -> RosterWire.write(message), tally.of(message));
        } else if (effect instanceof RosterEffect.StartWork start) {
            return new Lead(start.term());
        } else if (effect instanceof RosterEffect.StopWork stop) {
            return new StepDown(stop.term(), stop.reason());
        } else if (effect instanceof RosterEffect.Jeopardy jeopardy) {
            String reason =
                    "not all members have answered for " + lead.dividedBy(2).toMillis() + " ms";
            return new Jeopardy(jeopardy.term(), jeopardy.remaining(), reason);
        } else if (effect instanceof RosterEffect.Recovered recovered) {
            return new Recovered(recovered.term());
        } else if (effect instanceof RosterEffect.Leader leader) {
            return new LeaderChanged(leader.leader().map(RankingContest::leader));
        }
        throw new IllegalStateException("an effect that this driver does not know: " + effect);
    }

    private static Leader leader(LeaderView view) {
        return new Leader(view.clientId(), view.term());
    }

    private record RankingSight(RosterState state, RosterMachine machine) implements Sight {
        @Override
        public Optional<Long> leading() {
            OptionalLong term = state.leading();
            return term.isPresent() ? Optional.of(term.getAsLong()) : Optional.empty();
        }

        @Override
        public Duration remainingAt(Moment now) {
            return state.remainingAt(now);
        }

        @Override
        public Optional<Leader> leader() {
            return state.leader().map(RankingContest::leader);
        }

        @Override
        public Explanation explain(Asked asked) {
            return RankingExplainer.explain(state, machine.position(state), leader(), asked);
        }
    }
}
