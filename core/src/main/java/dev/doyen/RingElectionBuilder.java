package dev.doyen;

import dev.doyen.driver.MembershipContest;
import dev.doyen.driver.RingContest;
import dev.doyen.driver.RingTally;
import dev.doyen.driver.Threads;
import dev.doyen.membership.Membership;
import dev.doyen.ring.RingAlgorithm;
import dev.doyen.ring.RingSettings;
import dev.doyen.ring.RingTiming;
import java.time.Duration;

/** Settings of an {@link Election#ring}; the same for all members, but for {@link #priority} and {@link #health}. */
public final class RingElectionBuilder extends MembershipSettings<RingElectionBuilder> {

    private RingSettings settings = RingSettings.DEFAULT;
    private RingTally tally = new RingTally();

    RingElectionBuilder(String name) {
        super(name, RingContest.TOPIC, "on a ring");
    }

    /**
     * How long others wait for a silent leader, with everything else in proportion. 100 ms to 1 h, default 5 s.
     *
     * @throws IllegalArgumentException if it is out of its bounds
     */
    public RingElectionBuilder follow(Duration follow) {
        return timing(RingTiming.ofFollow(follow));
    }

    /** Every duration of the ring. */
    public RingElectionBuilder timing(RingTiming all) {
        return with(settings.algorithm(), all, settings.priority());
    }

    /** How the winner is found. Default: {@link RingAlgorithm#CHANG_ROBERTS}. */
    public RingElectionBuilder algorithm(RingAlgorithm choice) {
        return with(choice, settings.timing(), settings.priority());
    }

    /**
     * How much this process is preferred to others when nobody leads: 0 to 100, default 100.
     *
     * @throws IllegalArgumentException if it is out of its bounds
     */
    public RingElectionBuilder priority(int own) {
        return with(settings.algorithm(), settings.timing(), own);
    }

    /** Where to count what this process sends, hears and drops, for metrics. One for each election. */
    public RingElectionBuilder tally(RingTally own) {
        tally = own;
        return this;
    }

    private RingElectionBuilder with(RingAlgorithm algorithm, RingTiming timing, int priority) {
        settings = new RingSettings(algorithm, timing, priority, true);
        return this;
    }

    @Override
    RingElectionBuilder self() {
        return this;
    }

    @Override
    MembershipElection.Manner manner(String words) {
        return new MembershipElection.Manner(
                words, settings.timing().follow(), settings.timing().lead());
    }

    @Override
    MembershipContest contest(Membership members, Threads running) {
        return new RingContest(settings, members.me(), tally);
    }
}
