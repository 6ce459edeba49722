package dev.doyen.roster;

import dev.doyen.event.LossCause;
import dev.doyen.membership.Member;
import dev.doyen.ranking.LeaderView;
import java.time.Duration;
import java.util.Optional;

/** What a roster machine wants done, in order. */
public sealed interface RosterEffect {

    /** Send this. It may be lost. */
    record Send(Member to, RosterMessage message) implements RosterEffect {}

    /** This member leads from now on, for as long as {@link RosterState#leadsAt} says. */
    record StartWork(long term) implements RosterEffect {}

    /** This member does not lead any more. The work stops before anything is sent after this (K11). */
    record StopWork(long term, LossCause reason) implements RosterEffect {}

    /** This member still leads, for {@code remaining} at most unless all members answer: some have not for 0.4 ttl (V10). */
    record Jeopardy(long term, Duration remaining) implements RosterEffect {}

    /** All have answered again, after {@link Jeopardy}. */
    record Recovered(long term) implements RosterEffect {}

    /** Who leads, as this member sees it, is another now, or nobody. */
    record Leader(Optional<LeaderView> leader) implements RosterEffect {}
}
