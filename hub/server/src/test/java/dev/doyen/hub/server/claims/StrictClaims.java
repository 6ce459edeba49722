package dev.doyen.hub.server.claims;

import dev.doyen.Control;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.Elections;
import dev.doyen.elector.metrics.StoreTally;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.hub.step.Claimant;
import dev.doyen.store.LeaseNotes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * In-memory claims that fail on many forbidden calls, such as a claim after {@link #close}. Each claim is answered at
 * once, on the caller's thread, unless {@link #delayNextGrant} was called.
 */
public final class StrictClaims implements Claims {

    private static final Instant AT = Instant.parse("2026-11-21T08:00:00Z");

    private final Map<String, Long> terms = new LinkedHashMap<>();
    private final Map<String, Claimant> holders = new LinkedHashMap<>();
    private final Map<String, SavedState> left = new LinkedHashMap<>();
    private final List<Claimant> abandoned = new ArrayList<>();
    private @Nullable ClaimOutcomes outcomes;
    private @Nullable Consumer<ElectionView> changes;
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private boolean delaysGrant;
    /** Reports the delayed grant; does nothing if no grant is delayed. */
    private Runnable delayedGrant = () -> {};

    private boolean closed;

    /** Creates the claims with one election, which has no leader. */
    public static StrictClaims withElection(String election) {
        var claims = new StrictClaims();
        claims.terms.put(election, 0L);
        return claims;
    }

    @Override
    public synchronized void start(ClaimOutcomes toOutcomes, Consumer<ElectionView> toChanges) {
        check(outcomes == null && !closed, "start is called once, before anything else");
        outcomes = toOutcomes;
        changes = toChanges;
        terms.keySet().forEach(name -> toChanges.accept(view(name)));
    }

    @Override
    public synchronized void claim(Claimant claimant) {
        check(outcomes != null && !closed, "claim comes after start and before close");
        var holder = holders.get(claimant.election());
        check(!claimant.equals(holder), "a holder does not claim again");
        if (holder != null) {
            outcomes.refused(claimant, Optional.of(new Leader(holder.clientId(), term(claimant.election()))));
            return;
        }
        terms.merge(claimant.election(), 1L, Long::sum);
        holders.put(claimant.election(), claimant);
        delayedGrant.run();
        report(outcomes, claimant, term(claimant.election()), left(claimant.election()));
        notifyChange(claimant.election());
    }

    private void report(ClaimOutcomes receiver, Claimant claimant, long term, SavedState state) {
        Runnable grant = () -> receiver.granted(claimant, term, state);
        delayedGrant = delaysGrant ? grant : () -> {};
        if (!delaysGrant) {
            grant.run();
        }
        delaysGrant = false;
    }

    /**
     * Delays the next grant until the hub submits another claim for a free slot. The hub then receives the grant late,
     * as if its queue were long.
     */
    public synchronized void delayNextGrant() {
        delaysGrant = true;
    }

    @Override
    public synchronized void release(Claimant claimant) {
        check(outcomes != null && !closed, "release comes after start and before close");
        if (holders.remove(claimant.election(), claimant)) {
            notifyChange(claimant.election());
        }
    }

    /** Ends a claim, as if the store had ended it. */
    public synchronized void lose(String election, LossCause cause) {
        var holder = holders.remove(election);
        check(holder != null && outcomes != null, "only a held claim can be lost");
        outcomes.lost(holder, term(election), cause);
        notifyChange(election);
    }

    public synchronized Optional<Claimant> holder(String election) {
        return Optional.ofNullable(holders.get(election));
    }

    public synchronized boolean closed() {
        return closed;
    }

    @Override
    public synchronized void close() {
        holders.clear();
        closed = true;
    }

    /** Returns the claims that the hub has abandoned. {@link ClaimRegistry} lets the leases of such claims expire. */
    public synchronized List<Claimant> abandoned() {
        return List.copyOf(abandoned);
    }

    @Override
    public synchronized void abandon(Claimant claimant) {
        check(!closed, "abandon comes before close");
        abandoned.add(claimant);
    }

    @Override
    public synchronized void abandonAll() {
        check(!closed, "abandonAll comes before close");
        abandoned.addAll(holders.values());
    }

    @Override
    public synchronized void save(Claimant claimant, long term, long number, SavedState state) {
        if (claimant.equals(holders.get(claimant.election())) && term == term(claimant.election())) {
            check(outcomes != null && !closed, "save comes after start and before close");
            left.put(claimant.election(), state);
            outcomes.saved(claimant, term, number);
        }
    }

    @Override
    public synchronized SavedState left(String election) {
        return left.getOrDefault(election, SavedState.EMPTY);
    }

    /** Reports this fault of the store from now on. */
    public void fail(String fault) {
        faults.add(fault);
    }

    @Override
    public List<String> faults() {
        return List.copyOf(faults);
    }

    /** Runs the command at once, with a control that changes nothing. */
    @Override
    public <T> T execute(String election, String by, Function<Control, T> action) {
        return action.apply(new Control() {
            @Override
            public Optional<Leader> resign(String reason) {
                return Optional.empty();
            }

            @Override
            public Optional<Leader> transferTo(String id, String reason) {
                return Optional.empty();
            }

            @Override
            public void pause(String reason) {}

            @Override
            public Optional<LeaseNotes.Pause> resume() {
                return Optional.empty();
            }
        });
    }

    /** Returns an empty result, because no election is ever paused. */
    @Override
    public Optional<String> paused(String election) {
        return Optional.empty();
    }

    @Override
    public synchronized ClaimCounts counts() {
        return new ClaimCounts(holders.size(), 0, List.of(), StoreTally.NONE);
    }

    @Override
    public Elections elections() {
        return new Elections() {
            @Override
            public Optional<ElectionView> find(String name) {
                synchronized (StrictClaims.this) {
                    return terms.containsKey(name) ? Optional.of(view(name)) : Optional.empty();
                }
            }

            @Override
            public List<ElectionView> list() {
                synchronized (StrictClaims.this) {
                    return terms.keySet().stream().map(StrictClaims.this::view).toList();
                }
            }
        };
    }

    private void notifyChange(String election) {
        check(changes != null, "a change comes after start");
        changes.accept(view(election));
    }

    private long term(String election) {
        return terms.getOrDefault(election, 0L);
    }

    private ElectionView view(String name) {
        var leader = Optional.ofNullable(holders.get(name)).map(holder -> new Leader(holder.clientId(), term(name)));
        return new ElectionView(name, leader, term(name), AT, AT);
    }

    private static void check(boolean kept, String rule) {
        if (!kept) {
            throw new IllegalStateException(rule);
        }
    }
}
