package dev.doyen;

import dev.doyen.driver.RingLoop;
import dev.doyen.driver.SystemThreads;
import dev.doyen.driver.Threads;
import dev.doyen.membership.Membership;
import dev.doyen.ring.RingAlgorithm;
import dev.doyen.ring.RingSettings;
import dev.doyen.ring.RingTiming;
import dev.doyen.store.ElectionNames;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Settings of an {@link Election#ring}; a membership is needed, the rest has defaults. The same for all members. */
public final class RingElectionBuilder {

    /** What the topic adds to the name has to fit too. */
    static final int MAX_NAME = ElectionNames.MAX_LENGTH - RingLoop.TOPIC.length();

    private final String name;
    private @Nullable Membership membership;
    private RingTiming timing = RingSettings.DEFAULT.timing();
    private RingAlgorithm algorithm = RingSettings.DEFAULT.algorithm();
    private int priority = RingSettings.DEFAULT.priority();
    private Optional<HealthCheck> health = Optional.empty();
    private Optional<Threads> threads = Optional.empty();

    RingElectionBuilder(String name) {
        this.name = ElectionNames.checkElection(name);
        if (name.length() > MAX_NAME) {
            throw new IllegalArgumentException("election name has " + name.length() + " characters; on a ring at most "
                    + MAX_NAME + " are allowed: " + name.substring(0, 40) + "...");
        }
    }

    /** Who is there; closed by the caller, after the election. May carry other elections too. */
    public RingElectionBuilder membership(Membership opened) {
        this.membership = opened;
        return this;
    }

    /** How long others wait for a silent leader, with everything else in proportion. 100 ms to 1 h, default 5 s. */
    public RingElectionBuilder follow(Duration follow) {
        return timing(RingTiming.ofFollow(follow));
    }

    /** Every duration of the ring. */
    public RingElectionBuilder timing(RingTiming all) {
        this.timing = all;
        return this;
    }

    /** How the winner is found. Default: {@link RingAlgorithm#CHANG_ROBERTS}. */
    public RingElectionBuilder algorithm(RingAlgorithm choice) {
        this.algorithm = choice;
        return this;
    }

    /** How much this process is preferred to others when nobody leads: 0 to 100, default 100. */
    public RingElectionBuilder priority(int own) {
        this.priority = own;
        return this;
    }

    /** Ties candidacy to health. Default: always well. */
    public RingElectionBuilder health(HealthCheck check) {
        if (check.whenNobodyIsWell() == HealthCheck.NobodyWell.LEAD_ANYWAY) {
            throw new IllegalArgumentException(
                    "on a ring a candidate that is not well does not lead, whoever else is well:"
                            + " choose NobodyWell.NO_LEADER");
        }
        this.health = Optional.of(check);
        return this;
    }

    /** Where everything runs: for tests with a clock of their own. Closed by the caller, after the membership. */
    public RingElectionBuilder threads(Threads own) {
        this.threads = Optional.of(own);
        return this;
    }

    /**
     * Takes part in the election from now on, as an observer until somebody joins, and until the membership ends.
     *
     * @throws IllegalArgumentException if no membership is given, or a setting is out of its bounds
     * @throws IllegalStateException if the membership takes part in this election already, or has: a member does so once
     */
    public Election open() {
        Membership members = membership;
        if (members == null) {
            throw new IllegalArgumentException("election \"" + name
                    + "\" on a ring has no membership; give one, such as ClusterMembership of doyen-cluster");
        }
        var settings = new RingSettings(algorithm, timing, priority, true);
        Threads running = threads.orElseGet(() -> new SystemThreads("doyen-ring"));
        Runnable atEnd = threads.isPresent() ? () -> {} : running::close;
        var election = new RingElection(name, members, settings, health, running, atEnd);
        try {
            election.begin();
        } catch (IllegalStateException e) {
            atEnd.run();
            throw e;
        }
        return election;
    }
}
