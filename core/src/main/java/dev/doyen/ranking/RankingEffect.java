package dev.doyen.ranking;

import dev.doyen.event.LossCause;
import java.util.Optional;

/** What a ranking machine wants done, in order. */
public sealed interface RankingEffect {

    /** Write follower data: it enters the member if it is not present, and gives a claim up if there is one. */
    record Follow(long seq, long term, boolean eligible) implements RankingEffect {}

    /** Write a claim. */
    record Claim(long seq, long term) implements RankingEffect {}

    /** Leave the presence set. */
    record Leave() implements RankingEffect {}

    /** Ping the hub; the answer comes back as {@link RankingInput.PingAnswered} with the moment of the sending. */
    record Ping() implements RankingEffect {}

    /** This member leads from now on, for as long as {@link RankingState#leadsAt} says. */
    record StartWork(long term) implements RankingEffect {}

    /** This member does not lead any more. The work stops before any later effect is carried out (rule K11). */
    record StopWork(long term, LossCause reason) implements RankingEffect {}

    /** Who leads, as this member sees it, is another now, or nobody. */
    record Leader(Optional<LeaderView> leader) implements RankingEffect {}
}
