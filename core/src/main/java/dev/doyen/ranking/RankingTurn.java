package dev.doyen.ranking;

import dev.doyen.event.Moment;
import dev.doyen.ranking.RankingState.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One step in the making: the state's parts, as the rules change them, and the effects gathered on the way. Lives for the
 * length of one {@link RankingMachine#step}; only this package's rules touch it.
 */
final class RankingTurn {

    final RankingSettings settings;
    final Moment now;

    final Terms terms;
    final Sight sight;
    final Pen pen;
    final Office office = new Office(this);
    final Heirs heirs = new Heirs(this);
    final Candidacy candidacy = new Candidacy(this);

    @Nullable
    String key;

    Phase phase;
    boolean connected;

    @Nullable
    Tenure claim;

    @Nullable
    Long leaderlessSinceNanos;

    @Nullable
    Heir heir;

    boolean standsBack;
    long restUntilNanos;
    long writeAtNanos;
    long claimAtNanos;
    int failures;

    @Nullable
    LeaderView shown;

    private final List<RankingEffect> effects = new ArrayList<>();

    RankingTurn(RankingSettings settings, RankingState state, Moment now) {
        this.settings = settings;
        this.now = now;
        this.terms = new Terms(state);
        this.sight = new Sight(this, state);
        this.pen = new Pen(this, state);
        this.key = state.key;
        this.phase = state.phase;
        this.connected = state.connected;
        this.claim = state.claim;
        this.leaderlessSinceNanos = state.leaderlessSinceNanos;
        this.heir = state.heir;
        this.standsBack = state.standsBack;
        this.restUntilNanos = state.restUntilNanos;
        this.writeAtNanos = state.writeAtNanos;
        this.claimAtNanos = state.claimAtNanos;
        this.failures = state.failures;
        this.shown = state.shown;
    }

    /** Everything that follows from the facts, in the order of the rules. */
    void decide() {
        if (seesChannel()) {
            Member top = Winner.among(sight.members.values()).orElse(null);
            heirs.hearWord();
            office.judgeClaim(top);
            office.watchLeader(top);
            pen.write(top);
        }
        office.ping();
    }

    RankingStep finish() {
        return new RankingStep(new RankingState(this), effects, wakeAtNanos());
    }

    boolean seesChannel() {
        return phase == Phase.OPEN && connected && sight.synced;
    }

    /** This member as the channel shows it. */
    Optional<Member> mine() {
        return key == null ? Optional.empty() : Optional.ofNullable(sight.members.get(key));
    }

    void effect(RankingEffect effect) {
        effects.add(effect);
    }

    boolean isDue(long atNanos) {
        return now.nanos() - atNanos >= 0;
    }

    static long later(long oneNanos, long otherNanos) {
        return oneNanos - otherNanos >= 0 ? oneNanos : otherNanos;
    }

    /** The next moment at which time alone changes anything. */
    private long wakeAtNanos() {
        var moments = new ArrayList<Long>();
        Tenure claim = this.claim;
        if (claim != null) {
            moments.add(claim.proof().nanos() + claim.safe().toNanos());
            if (connected) {
                moments.add(claim.nextPingAtNanos());
            }
        }
        if (seesChannel()) {
            pen.wakeAtNanos().ifPresent(moments::add);
        }
        return moments.stream().min((one, other) -> Long.signum(one - other)).orElse(Long.MAX_VALUE);
    }
}
