package dev.doyen.server.sidecar.driver;

import dev.doyen.Candidate;
import dev.doyen.Leadership;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.Elections;
import dev.doyen.event.Leader;
import dev.doyen.server.sidecar.Reported;
import dev.doyen.store.PastTerm;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The one election of a sidecar, as it is told to others. That the own candidate leads is asked of it at each question,
 * so that a process which stood still does not tell of a leadership that has run out.
 *
 * <p>Threads: any may ask; the sidecar's thread writes.
 */
final class KnownElection implements Elections {

    private final String election;
    private volatile Reported reported;
    private volatile Instant since = Instant.now();
    private volatile long lastTerm;
    private volatile Optional<String> remark = Optional.empty();
    private volatile @Nullable Candidate candidate;
    private volatile @Nullable MeteredStore store;

    KnownElection(String election, Reported reported) {
        this.election = election;
        this.reported = reported;
    }

    /** From here on there is something to know. */
    void open(Candidate own, MeteredStore from) {
        store = from;
        candidate = own;
    }

    /** Whoever leads does so for life, for this reason. To be said before anything is known. */
    void forLife(String why) {
        remark = Optional.of(why);
        reported = reported.forLife();
    }

    /** Why leaders lead for life here, though that was not asked for. */
    Optional<String> remark() {
        return remark;
    }

    Reported reported() {
        return reported;
    }

    /** Returns whether another is named now than before, or nobody. */
    boolean report(Reported next) {
        var before = reported.told(true);
        var after = next.told(true);
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
    public Optional<List<PastTerm>> history(String name) {
        return Optional.ofNullable(candidate)
                .filter(own -> name.equals(election))
                .map(Candidate::history);
    }

    /** What is told now; empty before the store's first answer. */
    Optional<ElectionView> view() {
        var from = store;
        return from == null ? Optional.empty() : from.answeredAt().map(this::view);
    }

    private ElectionView view(Instant answeredAt) {
        var own = candidate;
        var leadership = own == null ? Optional.<Leadership>empty() : own.leadership();
        var leader = reported.told(leadership.isPresent());
        return new ElectionView(
                election,
                leader,
                leader.map(Leader::term).orElse(lastTerm),
                since,
                answeredAt,
                leader.flatMap(named -> leadership
                        .filter(held ->
                                held.term() == named.term() && named.id().equals(reported.ownId()))
                        .map(Leadership::remaining)),
                remark);
    }
}
