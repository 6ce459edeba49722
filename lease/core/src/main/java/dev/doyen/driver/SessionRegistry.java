package dev.doyen.driver;

import dev.doyen.election.LeaseTiming;
import dev.doyen.election.Priority;
import dev.doyen.election.Threads;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Moment;
import dev.doyen.lease.LeaseState;
import dev.doyen.lease.ObservedSession;
import dev.doyen.lease.OwnSession;
import dev.doyen.lease.Sessions;
import dev.doyen.lease.StoreFault;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The sessions that the loops of one process need (rule L12).
 *
 * <p>The registry contains the session of this process, if the process has one. If another process holds the lease of
 * one of this process's elections under a session, the registry also observes that session. Each session is a lease
 * record, and a loop renews or observes it like any other lease record.
 *
 * <p>Threads: any thread may call {@link #begin}, {@link #close}, {@link #own} and {@link #latest}. Only the loop
 * thread calls the other methods.
 */
public final class SessionRegistry {

    private final Threads threads;
    private final LeaseTiming timing;
    private final LoopContext context;
    private final Map<String, Follower> followers = new HashMap<>();
    private final Set<LeaseLoop> loops = new LinkedHashSet<>();

    /** The sessions as the {@link Follower}s last read them. The map is replaced when a session changes. */
    private volatile Map<String, ObservedSession> seen = Map.of();

    private Sessions given = new Sessions(Optional.empty(), seen);

    private volatile @Nullable ProcessSession ownSession;

    SessionRegistry(
            Threads threads, LeaseStore store, StoreExecutor storeExecutor, LeaseTiming timing, LongSupplier seeds) {
        this.threads = threads;
        this.timing = timing;
        this.context = LoopContext.ofSession(this, threads, store, storeExecutor, timing, seeds);
    }

    void begin(String process) {
        var session = new ProcessSession(this, context, process);
        ownSession = session;
        threads.loop(session::choose);
    }

    /**
     * Releases the session after all work under it has stopped, or after one ttl. Calls {@code done} after the release,
     * or after the process has given up the release. Without a session, the method calls {@code done} at once on the
     * loop thread.
     */
    public void close(Runnable done) {
        threads.loop(() -> {
            ProcessSession session = ownSession;
            if (session == null) {
                done.run();
            } else {
                session.close(done);
            }
        });
    }

    /**
     * Returns the session of this process if the process holds it. Any thread may call this method.
     *
     * <p>The caller checks at each use whether the deadline has passed.
     */
    Optional<OwnSession> own() {
        ProcessSession session = ownSession;
        return session == null ? Optional.empty() : session.own();
    }

    /**
     * Returns the store fault that prevents this process from holding its session. The result is empty if there is
     * none. Any thread may call this method.
     */
    Optional<StoreFault> ownFault() {
        ProcessSession session = ownSession;
        return session == null ? Optional.empty() : session.storeFault();
    }

    /** Returns all sessions as last observed. Any thread may call this method. */
    Sessions latest() {
        return new Sessions(own(), seen);
    }

    /**
     * Returns all sessions as last observed.
     *
     * <p>The method returns the same object until a session changes. This saves memory, because very many loops keep a
     * reference to this object.
     */
    @SuppressWarnings("ReferenceEquality") // A change creates a new map.
    Sessions now() {
        Optional<OwnSession> own = own();
        if (given.seen() != seen || !given.own().equals(own)) {
            given = new Sessions(own, seen);
        }
        return given;
    }

    // ---- called by loops

    /** Adds a loop, which holds a lease only under the session of this process. */
    void join(LeaseLoop loop) {
        loops.add(loop);
    }

    void leave(LeaseLoop loop) {
        loops.remove(loop);
        follow(loop, Optional.empty());
    }

    /**
     * Sets the session that the record of this loop's election contained at the last read. The new session replaces any
     * earlier session.
     */
    void follow(LeaseLoop loop, Optional<LeaseRecord.Epoch> session) {
        Optional<String> name = session.map(LeaseRecord.Epoch::session).filter(each -> !each.equals(ownName()));
        for (var each : List.copyOf(followers.entrySet())) {
            if (name.filter(each.getKey()::equals).isEmpty() && each.getValue().forget(loop)) {
                followers.remove(each.getKey());
                rememberSeen();
            }
        }
        name.ifPresent(each ->
                followers.computeIfAbsent(each, Follower::new).dependents.add(loop));
    }

    void fence(LeaseRecord.Epoch session) {
        Follower follower = followers.get(session.session());
        if (follower != null) {
            follower.fence(session.term());
        }
    }

    /**
     * Adds {@code more} to the number of terms whose work runs. Called when a term begins, and when all its work has
     * stopped.
     */
    void working(int more) {
        ProcessSession session = ownSession;
        if (session != null) {
            session.working(more);
        }
    }

    // ---- called by the session of this process

    /** Updates all loops after this process has acquired, lost or left its session record. */
    void ownChanged() {
        forEachLoop(loop -> {
            follow(loop, loop.view().state().epoch());
            loop.wake();
        });
    }

    void ownDoubted(String reason) {
        forEachLoop(loop -> loop.sessionDoubted(reason));
    }

    void ownRecovered() {
        forEachLoop(LeaseLoop::sessionRecovered);
    }

    /** Calls each loop, even if the call of another loop throws. */
    private void forEachLoop(Consumer<LeaseLoop> call) {
        for (LeaseLoop loop : List.copyOf(loops)) {
            context.log().survives(loop.election(), "a change of the session", () -> call.accept(loop));
        }
    }

    private void rememberSeen() {
        Map<String, ObservedSession> all = new HashMap<>();
        followers.forEach((name, follower) -> follower.sight.ifPresent(sight -> all.put(name, sight)));
        seen = all;
    }

    private String ownName() {
        ProcessSession session = ownSession;
        return session == null ? "" : session.name();
    }

    /** Observes the session of another process. The dependent loops wait for the end of that session. */
    private final class Follower implements LeaseListener {
        private final LeaseLoop loop;
        private final Set<LeaseLoop> dependents = new LinkedHashSet<>();
        private Optional<ObservedSession> sight = Optional.empty();
        private boolean silent;
        private long fencing;

        Follower(String session) {
            loop = new LeaseLoop(context, session, Priority.DEFAULT, this);
            loop.start();
        }

        /** Removes a loop; returns true if no other loop needs this session. */
        boolean forget(LeaseLoop dependent) {
            dependents.remove(dependent);
            if (dependents.isEmpty()) {
                loop.leave();
                return true;
            }
            return false;
        }

        /** Fences an epoch. One request is enough, because the loop repeats the attempt until it succeeds. */
        void fence(long epoch) {
            if (epoch > fencing) {
                fencing = epoch;
                loop.fence(epoch);
            }
        }

        /**
         * Wakes the dependent loops if the session falls silent, or if {@code endsLikeBefore} is false. A renewal of
         * the session wakes no loop.
         */
        @Override
        public void observed(LeaseState state, Moment now) {
            Optional<ObservedSession> latest = state.asSession(timing.ttl());
            boolean silentNow = latest.filter(s -> s.isSilentAt(now)).isPresent();
            boolean changed = (silentNow && !silent) || !endsLikeBefore(latest);
            silent = silentNow;
            if (!latest.equals(sight)) {
                sight = latest;
                rememberSeen();
            }
            if (changed) {
                // The steps of the dependent loops can call this follower, so those steps must run after this step. The
                // order is correct, because a wake-up only queues a step.
                List.copyOf(dependents).forEach(LeaseLoop::wake);
            }
        }

        @Override
        public void onEvent(ElectionEvent event) {
            // The follower needs no events, because its method observed() receives each new state.
        }

        /** Returns true if the session stays known, and its term and {@code running} flag are unchanged. */
        private boolean endsLikeBefore(Optional<ObservedSession> latest) {
            return sight.isPresent()
                    && latest.isPresent()
                    && sight.get().term() == latest.get().term()
                    && sight.get().running() == latest.get().running();
        }
    }
}
