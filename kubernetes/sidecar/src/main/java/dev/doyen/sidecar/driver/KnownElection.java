package dev.doyen.sidecar.driver;

import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.Elections;
import dev.doyen.elector.metered.MeteredStore;
import dev.doyen.event.Explanation;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.event.Leader;
import dev.doyen.sidecar.Reported;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The election state that a sidecar reports to clients.
 *
 * <p>In {@code Mode.LEASE}, each query of the leader checks whether the candidate leads. So a process that was
 * suspended does not report an expired leadership.
 *
 * <p>Threads: any thread may read the state. The sidecar's thread writes the state.
 */
final class KnownElection implements Elections {

    /** The reasons that apply only to an election with a leader. These reasons cannot explain a missing leader. */
    private static final Set<Reason> LED = EnumSet.of(Reason.LEADING, Reason.IN_JEOPARDY, Reason.HELD, Reason.ASKING);

    /** The reasons that apply before a candidate has sent its step-down request to a leader (rule M8). */
    private static final Set<Reason> BEFORE_REQUEST =
            EnumSet.of(Reason.ASKING, Reason.UNHEALTHY, Reason.NOT_SEEN, Reason.STORE_AWAY, Reason.STORE_REFUSES);

    /** The reasons that apply while the candidate has no current record. */
    private static final Set<Reason> UNREAD = EnumSet.of(Reason.NOT_SEEN, Reason.STORE_AWAY, Reason.STORE_REFUSES);

    private final String election;
    private volatile Reported reported;
    private volatile Instant since = Instant.now();
    private volatile long lastTerm;
    private volatile Optional<String> remark = Optional.empty();
    private volatile @Nullable LeaseCandidate candidate;
    private volatile @Nullable MeteredStore store;

    /** The reason why the store could not be opened. The candidate replaces this reason. */
    private volatile Optional<Explanation> unopened = Optional.empty();

    KnownElection(String election, Reported reported) {
        this.election = election;
        this.reported = reported;
    }

    /** Sets the candidate and the store whose state this object reports. */
    void open(LeaseCandidate own, MeteredStore from) {
        store = from;
        candidate = own;
    }

    /** Records that the store could not be opened. */
    void cannotOpen(StoreUnavailableException fault) {
        Reason reason = fault instanceof StoreRefusedException ? Reason.STORE_REFUSES : Reason.STORE_AWAY;
        unopened = Optional.of(new Explanation(reason, "the store cannot be opened yet: " + fault.getMessage()));
    }

    /**
     * Records that the leases do not expire, and stores the reason {@code why}. The caller must call this method before
     * the first observation.
     */
    void nonExpiring(String why) {
        remark = Optional.of(why);
        reported = reported.nonExpiring();
    }

    /**
     * Returns the reason why the store supports only non-expiring leases.
     *
     * <p>The result is empty if the store supports other leases, or has not been opened yet.
     */
    Optional<String> remark() {
        return remark;
    }

    /** Returns true if the candidate has read the record, and nobody leads. */
    boolean isVacant() {
        var own = candidate;
        return own != null
                && own.leader().isEmpty()
                && !UNREAD.contains(own.explain().reason());
    }

    /**
     * Returns true if a candidate of an older generation possibly leads without a step-down request in its record.
     *
     * <p>An unhealthy candidate sends no request, so the result is also true while this candidate is unhealthy.
     */
    boolean mustAsk() {
        var own = candidate;
        return own == null || BEFORE_REQUEST.contains(own.explain().reason());
    }

    Reported reported() {
        return reported;
    }

    /** Sets the state to report. Returns true if the leader has changed, possibly to no leader. */
    boolean report(Reported next) {
        var before = reported.reportedLeader(true);
        var after = next.reportedLeader(true);
        if (!after.equals(before)) {
            since = Instant.now();
            after.ifPresent(leader -> lastTerm = Math.max(lastTerm, leader.term()));
        }
        reported = next;
        return !after.equals(before);
    }

    @Override
    public Optional<ElectionView> find(String name) {
        return name.equals(election) ? view() : Optional.empty();
    }

    @Override
    public List<ElectionView> list() {
        return view().stream().toList();
    }

    @Override
    public Optional<List<LeaseNotes.PastTerm>> history(String name) {
        return Optional.ofNullable(candidate)
                .filter(own -> name.equals(election))
                .map(LeaseCandidate::history);
    }

    @Override
    public Optional<Explanation> whyUnknown(String name) {
        if (!name.equals(election)) {
            return Optional.empty();
        }
        var own = candidate;
        return own == null ? unopened : Optional.of(own.explain());
    }

    /** Returns the state to report now; empty before the first answer of the store. */
    Optional<ElectionView> view() {
        var from = store;
        return from == null ? Optional.empty() : from.answeredAt().map(this::view);
    }

    private ElectionView view(Instant answeredAt) {
        var own = candidate;
        var leadership = own == null ? Optional.<LeaseLeadership>empty() : own.leadership();
        var leader = reported.reportedLeader(leadership.isPresent());
        var noLeader = leader.isPresent() || own == null
                ? Optional.<Explanation>empty()
                : Optional.of(own.explain()).filter(why -> !LED.contains(why.reason()));
        return new ElectionView(
                election,
                leader,
                leader.map(Leader::term).orElse(lastTerm),
                since,
                answeredAt,
                leader.flatMap(named -> leadership
                        .filter(held ->
                                held.term() == named.term() && named.id().equals(reported.ownId()))
                        .map(LeaseLeadership::remaining)),
                remark,
                noLeader);
    }
}
