package dev.doyen.group;

import dev.doyen.driver.ShutdownHook;
import dev.doyen.driver.SystemThreads;
import dev.doyen.election.HealthCheck;
import dev.doyen.election.Threads;
import dev.doyen.group.driver.MembershipContest;
import dev.doyen.group.driver.RingContest;
import dev.doyen.group.driver.RingTally;
import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingOrder;
import dev.doyen.group.settings.RingTiming;
import dev.doyen.membership.Membership;
import dev.doyen.ring.RingSettings;
import dev.doyen.text.ElectionNames;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link RingElection}. All members need the same name, durations, algorithm and order. */
public final class RingElectionBuilder {

    private final String name;
    private RingSettings settings = RingSettings.DEFAULT;
    private @Nullable Membership membership;
    private Optional<HealthCheck> health = Optional.empty();
    private Optional<Threads> threads = Optional.empty();
    private boolean closeOnShutdown = true;

    RingElectionBuilder(String name) {
        int most = ElectionNames.MAX_LENGTH - RingContest.TOPIC.length();
        this.name = ElectionNames.checkElection(name);
        if (name.length() > most) {
            throw new IllegalArgumentException("election name has " + name.length() + " characters; on a ring at most "
                    + most + " are allowed: " + name.substring(0, 40) + "...");
        }
    }

    /**
     * Sets the membership whose members elect a leader.
     *
     * <p>Several elections may use the same membership. The caller closes the membership after the election.
     */
    public RingElectionBuilder membership(Membership opened) {
        membership = opened;
        return this;
    }

    /**
     * Sets a health check. Without a health check, the candidate counts as healthy.
     *
     * @throws IllegalArgumentException if the check requests {@link HealthCheck.NoneHealthy#LEAD_ANYWAY}
     */
    public RingElectionBuilder health(HealthCheck check) {
        if (check.whenNoneHealthy() == HealthCheck.NoneHealthy.LEAD_ANYWAY) {
            throw new IllegalArgumentException("on a ring, an unhealthy candidate never leads, even if no candidate is"
                    + " healthy; choose NoneHealthy.NO_LEADER");
        }
        health = Optional.of(check);
        return this;
    }

    /**
     * Sets whether the election is closed when the JVM shuts down, for example after SIGTERM. Default: true.
     *
     * <p>A JVM shutdown hook closes all open elections of the process at the same time. It interrupts the leader's
     * task, and waits until the task has stopped. The wait is at most that of {@link RingElection#close}, and at most
     * 30 s. The hook does not close the membership.
     *
     * <p>The JVM runs its shutdown hooks concurrently. If a framework or your own hook closes the election and then the
     * membership, set false.
     */
    public RingElectionBuilder closeOnShutdown(boolean close) {
        closeOnShutdown = close;
        return this;
    }

    /**
     * Sets the threads and clocks of a test. The caller closes the threads after the membership, and closes the
     * election. {@link #closeOnShutdown} has no effect then.
     */
    public RingElectionBuilder threads(Threads own) {
        threads = Optional.of(own);
        return this;
    }

    /**
     * Sets the election timeout. All other durations are proportional to the election timeout.
     *
     * <p>The election timeout is 100 ms to 1 h. The default is 8 s.
     *
     * <p>{@link #open} rejects a value with which one silent member could end the leader's term (rule R13).
     *
     * @throws IllegalArgumentException if the value is out of its bounds
     */
    public RingElectionBuilder electionTimeout(Duration electionTimeout) {
        return timing(RingTiming.ofElectionTimeout(electionTimeout));
    }

    /** Sets every duration of the ring. */
    public RingElectionBuilder timing(RingTiming all) {
        return with(settings.algorithm(), all, settings.priority());
    }

    /** Sets the election algorithm. Default: {@link RingAlgorithm#CHANG_ROBERTS}. */
    public RingElectionBuilder algorithm(RingAlgorithm choice) {
        return with(choice, settings.timing(), settings.priority());
    }

    /**
     * Sets the order that decides which candidate wins among the candidates of the same {@link #priority}. Default:
     * {@link RingOrder#OLDEST}.
     *
     * <p>All members need the same order. Members with different orders elect no leader. If the previous member on the
     * ring uses another order, a member logs that order.
     */
    public RingElectionBuilder order(RingOrder choice) {
        settings = settings.withOrder(choice);
        return this;
    }

    /**
     * Sets the priority of this process. The priority decides only while nobody leads.
     *
     * <p>The priority is 0 to 100. The default is 100.
     *
     * @throws IllegalArgumentException if the value is out of its bounds
     */
    public RingElectionBuilder priority(int own) {
        return with(settings.algorithm(), settings.timing(), own);
    }

    private RingElectionBuilder with(RingAlgorithm algorithm, RingTiming timing, int priority) {
        settings = new RingSettings(algorithm, settings.order(), timing, priority, true);
        return this;
    }

    /**
     * Opens the election. The process takes part in the election until the membership ends.
     *
     * <p>The process is an observer until a candidate joins.
     *
     * @throws IllegalArgumentException if no membership is set, or if one silent member could end a term with these
     *     durations (rule R13)
     * @throws IllegalStateException if this membership already takes part in the election, or took part earlier. Also
     *     if the JVM is shutting down, unless {@link #closeOnShutdown} is set to false
     */
    public RingElection open() {
        Membership members = membership;
        if (members == null) {
            throw new IllegalArgumentException("election \"" + name + "\" on a ring"
                    + " has no membership; give one, such as ClusterMembership of doyen-cluster");
        }
        members.silence().ifPresent(settings.timing()::checkSilence);
        Threads running = threads.orElseGet(() -> new SystemThreads("doyen-members"));
        Runnable atEnd = threads.isPresent() ? () -> {} : running::close;
        try {
            var tally = new RingTally();
            MembershipContest contest = new RingContest(settings, members.me(), tally);
            var election = new MembershipElection(
                    name,
                    members,
                    new MembershipElection.Durations(
                            settings.timing().electionTimeout(),
                            settings.timing().leaderLease()),
                    contest,
                    tally,
                    health,
                    running,
                    atEnd);
            election.begin();
            if (closeOnShutdown && threads.isEmpty()) {
                ShutdownHook.OF_JVM.add(election, "election \"" + name + "\"", election);
            }
            return election;
        } catch (Throwable e) {
            atEnd.run();
            throw e;
        }
    }
}
