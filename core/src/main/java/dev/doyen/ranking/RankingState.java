package dev.doyen.ranking;

import dev.doyen.event.Moment;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What a ranking machine knows between two inputs. Only the machine makes one; a driver keeps it and asks who leads. */
public final class RankingState {

    final @Nullable String key;
    final Phase phase;
    final boolean connected;
    final boolean synced;
    final Map<String, Member> members;
    /** What was heard while a sync was under way; empty in place of a member that left. */
    final Map<String, Optional<Member>> overlay;
    /** A stamped claim or a refusal was seen: this hub grants claims to one member at a time. */
    final boolean exclusive;

    final long maxTerm;
    final long lastLedTerm;
    final long seq;
    final @Nullable Tenure claim;
    final @Nullable Write outstanding;
    final @Nullable Long leaderlessSinceNanos;
    final @Nullable Heir heir;
    /** Whether it was told not to stand (rule V9). */
    final boolean standsBack;

    final long restUntilNanos;
    final long writeAtNanos;
    final long claimAtNanos;
    final int failures;
    final @Nullable LeaderView shown;

    /** Whether the member takes part at all (rule K16). */
    enum Phase {
        OPEN,
        FROZEN,
        CLOSED
    }

    /** A write that nothing has ended yet (rule K2). */
    record Write(long seq, long atNanos) {}

    RankingState(Moment now, long lastSeq) {
        key = null;
        phase = Phase.OPEN;
        connected = false;
        synced = false;
        members = Map.of();
        overlay = Map.of();
        exclusive = false;
        maxTerm = 0;
        lastLedTerm = 0;
        seq = lastSeq;
        claim = null;
        outstanding = null;
        leaderlessSinceNanos = null;
        heir = null;
        standsBack = false;
        restUntilNanos = now.nanos();
        writeAtNanos = now.nanos();
        claimAtNanos = now.nanos();
        failures = 0;
        shown = null;
    }

    RankingState(RankingTurn turn) {
        key = turn.key;
        phase = turn.phase;
        connected = turn.connected;
        synced = turn.sight.synced;
        members = turn.sight.members;
        overlay = turn.sight.overlay;
        exclusive = turn.terms.exclusive;
        maxTerm = turn.terms.max;
        lastLedTerm = turn.terms.lastLed;
        seq = turn.pen.seq;
        claim = turn.claim;
        outstanding = turn.pen.outstanding;
        leaderlessSinceNanos = turn.leaderlessSinceNanos;
        heir = turn.heir;
        standsBack = turn.standsBack;
        restUntilNanos = turn.restUntilNanos;
        writeAtNanos = turn.writeAtNanos;
        claimAtNanos = turn.claimAtNanos;
        failures = turn.failures;
        shown = turn.shown;
    }

    /** Whether this member leads at that moment (rule K9). To be asked before each act; false is only doubt. */
    public boolean leadsAt(Moment now) {
        return !remainingAt(now).isZero();
    }

    /** For how long it may still count on leading; zero if it does not lead. */
    public Duration remainingAt(Moment now) {
        return claim == null || !claim.leads() ? Duration.ZERO : claim.remainingAt(now);
    }

    /** The term in which this member leads, while {@link #leadsAt} says so. */
    public OptionalLong leading() {
        return claim == null || !claim.leads() ? OptionalLong.empty() : OptionalLong.of(claim.ledTerm());
    }

    /** Whether this member would lead, as far as it is asked: false while it stands back, or has resigned lately. */
    public boolean standsAt(Moment now) {
        return !standsBack && now.nanos() - restUntilNanos >= 0;
    }

    /** The leader as this member sees it. */
    public Optional<LeaderView> leader() {
        return Optional.ofNullable(shown);
    }

    /** The members in its sight, itself included; what it saw last, if it cannot see the channel now. */
    public Collection<Member> members() {
        return members.values();
    }

    /** The greatest term this member knows of. */
    public long seenTerm() {
        return maxTerm;
    }

    /** The number of its last write. */
    public long seq() {
        return seq;
    }
}
