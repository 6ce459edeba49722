package dev.doyen;

import dev.doyen.driver.MembershipContest;
import dev.doyen.driver.SystemThreads;
import dev.doyen.driver.Threads;
import dev.doyen.membership.Membership;
import dev.doyen.store.ElectionNames;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What can be set for every election over a membership; that is needed, the rest has defaults.
 *
 * @param <B> the builder itself, so that calls can be chained
 */
public abstract sealed class MembershipSettings<B extends MembershipSettings<B>>
        permits RingElectionBuilder, RankingElectionBuilder {

    private final String name;
    private final String words;
    private @Nullable Membership membership;
    private Optional<HealthCheck> health = Optional.empty();
    private Optional<Threads> threads = Optional.empty();

    /**
     * @param topic what is put before the name; both together have to fit
     * @param words how such an election is called in a sentence
     */
    MembershipSettings(String name, String topic, String words) {
        int most = ElectionNames.MAX_LENGTH - topic.length();
        this.name = ElectionNames.checkElection(name);
        this.words = words;
        if (name.length() > most) {
            throw new IllegalArgumentException("election name has " + name.length() + " characters; " + words
                    + " at most " + most + " are allowed: " + name.substring(0, 40) + "...");
        }
    }

    /** Who is there; closed by the caller, after the election. May carry other elections too. */
    public B membership(Membership opened) {
        this.membership = opened;
        return self();
    }

    /** Ties candidacy to health. Default: always well. */
    public B health(HealthCheck check) {
        if (check.whenNobodyIsWell() == HealthCheck.NobodyWell.LEAD_ANYWAY) {
            throw new IllegalArgumentException(
                    words + " a candidate that is not well does not lead, whoever else is well:"
                            + " choose NobodyWell.NO_LEADER");
        }
        this.health = Optional.of(check);
        return self();
    }

    /** Where everything runs: for tests with a clock of their own. Closed by the caller, after the membership. */
    public B threads(Threads own) {
        this.threads = Optional.of(own);
        return self();
    }

    final String name() {
        return name;
    }

    abstract B self();

    /** The rules of an election among these members. */
    abstract MembershipElection.Manner manner(String manner);

    abstract MembershipContest contest(Membership members, Threads running);

    /**
     * Takes part in the election from now on, as an observer until somebody joins, and until the membership ends.
     *
     * @throws IllegalArgumentException if no membership is given, or a setting cannot be meant
     * @throws IllegalStateException if the membership takes part in this election already, or has: a member does so once
     */
    public final Election open() {
        Membership members = membership;
        if (members == null) {
            throw new IllegalArgumentException("election \"" + name + "\" " + words
                    + " has no membership; give one, such as ClusterMembership of doyen-cluster");
        }
        MembershipElection.Manner manner = manner(words);
        Threads running = threads.orElseGet(() -> new SystemThreads("doyen-members"));
        Runnable atEnd = threads.isPresent() ? () -> {} : running::close;
        MembershipContest contest;
        try {
            contest = contest(members, running);
        } catch (IllegalArgumentException e) {
            atEnd.run();
            throw e;
        }
        var election = new MembershipElection(name, members, manner, contest, health, running, atEnd);
        try {
            election.begin();
        } catch (IllegalStateException e) {
            contest.left(running.now());
            atEnd.run();
            throw e;
        }
        return election;
    }
}
