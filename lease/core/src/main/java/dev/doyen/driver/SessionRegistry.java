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
import dev.doyen.store.Epoch;
import dev.doyen.store.LeaseStore;
import java.util.HashMap;
import java.util.HashSet;
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
 * <p>These are the session of this process, if it has one, and the sessions of other processes that hold a lease which
 * a loop here observes. Each is a lease record, and a loop renews or observes it like any other.
 *
 * <p>Threads: the loop thread, except for {@link #own} and {@link #latest}.
 */
public final class SessionRegistry {

    private final Threads threads;
    private final LeaseTiming timing;
    private final LoopContext context;
    private final Map<String, Follower> followers = new HashMap<>();
    private final Set<LeaseLoop> loops = new LinkedHashSet<>();

    /** The sessions as the followers last read them. Replaced when one of them changes. */
    private volatile Map<String, ObservedSession> seen = Map.of();

    private Sessions given = new Sessions(Optional.empty(), seen);

    private volatile @Nullable ProcessSession ownSession;

    SessionRegistry(Threads threads, LeaseStore store, StoreExecutor desk, LeaseTiming timing, LongSupplier seeds) {
        this.threads = threads;
        this.timing = timing;
        this.context = LoopContext.ofSession(this, threads, store, desk, timing, seeds);
    }

    void begin(String process) {
        var session = new ProcessSession(this, context, process);
        ownSession = session;
        threads.loop(session::choose);
    }

    /** Releases the session after all work under it has stopped, or after a ttl. Then calls {@code done}. */
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
     * Returns the session of this process if it leads it. Any thread.
     *
     * <p>The caller checks at each use whether the deadline has passed.
     */
    Optional<OwnSession> own() {
        ProcessSession session = ownSession;
        return session == null ? Optional.empty() : session.own();
    }

    /** Returns all sessions as known now. Any thread. */
    Sessions latest() {
        return new Sessions(own(), seen);
    }

    /**
     * Returns all sessions as known now.
     *
     * <p>Returns the same object until something changes, because very many loops keep it.
     */
    @SuppressWarnings("ReferenceEquality") // The map is replaced when it changes.
    Sessions now() {
        Optional<OwnSession> own = own();
        if (given.seen() != seen || !given.own().equals(own)) {
            given = new Sessions(own, seen);
        }
        return given;
    }

    // ---- called by loops

    /** Adds a loop that holds its lease under the session of this process. */
    void join(LeaseLoop loop) {
        loops.add(loop);
    }

    void leave(LeaseLoop loop) {
        loops.remove(loop);
        follow(loop, Optional.empty());
    }

    /** Sets the session under which this loop's lease was last seen. It replaces any earlier one. */
    void follow(LeaseLoop loop, Optional<Epoch> session) {
        Optional<String> name = session.map(Epoch::session).filter(each -> !each.equals(ownName()));
        for (var each : List.copyOf(followers.entrySet())) {
            if (name.filter(each.getKey()::equals).isEmpty() && each.getValue().forget(loop)) {
                followers.remove(each.getKey());
                rememberSeen();
            }
        }
        name.ifPresent(each ->
                followers.computeIfAbsent(each, Follower::new).dependents.add(loop));
    }

    void fence(Epoch session) {
        Follower follower = followers.get(session.session());
        if (follower != null) {
            follower.fence(session.term());
        }
    }

    /** Changes the number of terms that work: a term begins, or all its work has stopped. */
    void working(int more) {
        ProcessSession session = ownSession;
        if (session != null) {
            session.working(more);
        }
    }

    // ---- called by the session of this process

    /** Called after the session was acquired or lost, or its record was given up. */
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

    /** Calls each loop, even if the call of another one throws. */
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

    /** Observes the session of another process for the loops that wait for its end. */
    private final class Follower implements LeaseListener {
        private final LeaseLoop loop;
        private final Set<LeaseLoop> dependents = new HashSet<>();
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

        /** Wakes the dependent loops when the session ends or falls silent, but not when it was renewed. */
        @Override
        public void observed(LeaseState state, Moment now) {
            Optional<ObservedSession> latest = state.asSession(timing.ttl());
            boolean silentNow = latest.filter(s -> s.isSilentAt(now)).isPresent();
            boolean news = (silentNow && !silent) || !endsLikeBefore(latest);
            silent = silentNow;
            if (!latest.equals(sight)) {
                sight = latest;
                rememberSeen();
            }
            if (news) {
                // Not within this step, because the decision of a dependent may call this loop.
                List.copyOf(dependents).forEach(LeaseLoop::wake);
            }
        }

        @Override
        public void onEvent(ElectionEvent event) {
            // The follower reads the state instead.
        }

        /** Returns true unless the epoch or its end has changed. A renewal changes neither. */
        private boolean endsLikeBefore(Optional<ObservedSession> latest) {
            return sight.isPresent()
                    && latest.isPresent()
                    && sight.get().term() == latest.get().term()
                    && sight.get().running() == latest.get().running();
        }
    }
}
