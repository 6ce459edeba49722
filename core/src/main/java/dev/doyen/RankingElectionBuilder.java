package dev.doyen;

import dev.doyen.driver.MembershipContest;
import dev.doyen.driver.RankingContest;
import dev.doyen.driver.RankingTally;
import dev.doyen.driver.Threads;
import dev.doyen.membership.Membership;
import dev.doyen.ranking.Ranking;
import dev.doyen.ranking.RankingSettings;
import java.time.Duration;

/**
 * Settings of an {@link Election#ranking}; the same for all members, but for {@link #priority} and {@link #health}.
 *
 * <p>Errors: a value out of its bounds is refused at once, with an {@code IllegalArgumentException} that names them.
 */
public final class RankingElectionBuilder extends MembershipSettings<RankingElectionBuilder> {

    /** As for the other kinds of election: as much as can be. */
    static final int DEFAULT_PRIORITY = 100;

    private RankingSettings settings = RankingSettings.DEFAULT.withPriority(DEFAULT_PRIORITY);
    private RankingTally tally = new RankingTally();

    RankingElectionBuilder(String name) {
        super(name, RankingContest.TOPIC, "by ranking");
    }

    /** Who claims first when nobody leads. Default: {@link Ranking#oldest}. */
    public RankingElectionBuilder order(Ranking order) {
        return with(settings.withRanking(order));
    }

    /** The higher claims first, in every order but one's own: 0 to 100, default 100. */
    public RankingElectionBuilder priority(int own) {
        return with(settings.withPriority(own));
    }

    /**
     * A leader that not all members answer leads on for 0.8 of this at most. 100 ms to 1 h, default 5 s. Longer, by a quarter
     * or more, than the membership takes to find out that a member is gone: otherwise a leader stops for nothing.
     */
    public RankingElectionBuilder ttl(Duration ttl) {
        return with(settings.withTtl(ttl));
    }

    /**
     * How long there must have been no leader before the first in order claims; each place further back waits four times as
     * long more. 0 to 60 s, default 500 ms. Two round trips save claims in vain; it is not what makes claims safe.
     */
    public RankingElectionBuilder settle(Duration settle) {
        return with(settings.withSettle(settle));
    }

    /** How long who resigned does not stand again, unless it says for how long. 0 to 1 h, default 5 s. */
    public RankingElectionBuilder cooldown(Duration cooldown) {
        return with(settings.withCooldown(cooldown));
    }

    /** Where to count what this process sends and hears, for metrics. One for each election. */
    public RankingElectionBuilder tally(RankingTally own) {
        tally = own;
        return this;
    }

    private RankingElectionBuilder with(RankingSettings changed) {
        settings = changed;
        return this;
    }

    @Override
    RankingElectionBuilder self() {
        return this;
    }

    @Override
    MembershipElection.Manner manner(String words) {
        return new MembershipElection.Manner(words, settings.cooldown(), settings.safe());
    }

    @Override
    MembershipContest contest(Membership members, Threads running) {
        return new RankingContest(settings, members.me(), running.now(), tally);
    }
}
