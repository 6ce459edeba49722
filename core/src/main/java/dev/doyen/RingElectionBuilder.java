package dev.doyen;

import dev.doyen.driver.MembershipContest;
import dev.doyen.driver.RingContest;
import dev.doyen.driver.RingTally;
import dev.doyen.driver.SystemThreads;
import dev.doyen.driver.Threads;
import dev.doyen.membership.Membership;
import dev.doyen.ring.RingAlgorithm;
import dev.doyen.ring.RingOrder;
import dev.doyen.ring.RingSettings;
import dev.doyen.ring.RingTiming;
import dev.doyen.store.ElectionNames;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Settings of an {@link Election#ring}; the same for all members, but for {@link #priority} and {@link #health}. */
public final class RingElectionBuilder {

    private final String name;
    private RingSettings settings = RingSettings.DEFAULT;
    private RingTally tally = new RingTally();
    private @Nullable Membership membership;
    private Optional<HealthCheck> health = Optional.empty();
    private Optional<Threads> threads = Optional.empty();

    RingElectionBuilder(String name) {
        int most = ElectionNames.MAX_LENGTH - RingContest.TOPIC.length();
        this.name = ElectionNames.checkElection(name);
        if (name.length() > most) {
            throw new IllegalArgumentException("election name has " + name.length() + " characters; on a ring at most "
                    + most + " are allowed: " + name.substring(0, 40) + "...");
        }
    }

    /** The membership whose members elect. The caller closes it, after the election. It may carry other elections too. */
    public RingElectionBuilder membership(Membership opened) {
        membership = opened;
        return this;
    }

    /** Ties candidacy to health. Default: always well. */
    public RingElectionBuilder health(HealthCheck check) {
        if (check.whenNobodyIsWell() == HealthCheck.NobodyWell.LEAD_ANYWAY) {
            throw new IllegalArgumentException("on a ring a candidate that is not well does not lead, whoever else is"
                    + " well: choose NobodyWell.NO_LEADER");
        }
        health = Optional.of(check);
        return this;
    }

    /** The threads and clocks of the election, for tests. The caller closes them, after the membership. */
    public RingElectionBuilder threads(Threads own) {
        threads = Optional.of(own);
        return this;
    }

    /**
     * How long others wait for a silent leader, with everything else in proportion. 100 ms to 1 h, default 8 s.
     *
     * <p>{@link #open} rejects it if a silent member stays in the view for so long that it would cost the leader its term.
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
     * Which candidate is elected among those of the same {@link #priority}. Default: {@link RingOrder#OLDEST}.
     *
     * <p>All members need the same order. Members with different orders elect nobody, and log whose order differs.
     */
    public RingElectionBuilder order(RingOrder choice) {
        settings = settings.withOrder(choice);
        return this;
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
        settings = new RingSettings(algorithm, settings.order(), timing, priority, true);
        return this;
    }

    /**
     * Takes part in the election from now on, as an observer until somebody joins, and until the membership ends.
     *
     * @throws IllegalArgumentException if no membership is given, or a setting cannot be meant
     * @throws IllegalStateException if the membership takes part in this election already, or has: a member does so once
     */
    public Election open() {
        Membership members = membership;
        if (members == null) {
            throw new IllegalArgumentException("election \"" + name + "\" on a ring"
                    + " has no membership; give one, such as ClusterMembership of doyen-cluster");
        }
        members.silence().ifPresent(settings.timing()::checkSilence);
        Threads running = threads.orElseGet(() -> new SystemThreads("doyen-members"));
        Runnable atEnd = threads.isPresent() ? () -> {} : running::close;
        MembershipContest contest = new RingContest(settings, members.me(), tally);
        var election = new MembershipElection(
                name,
                members,
                new MembershipElection.Durations(
                        settings.timing().follow(), settings.timing().lead()),
                contest,
                health,
                running,
                atEnd);
        try {
            election.begin();
        } catch (IllegalStateException e) {
            atEnd.run();
            throw e;
        }
        return election;
    }
}
