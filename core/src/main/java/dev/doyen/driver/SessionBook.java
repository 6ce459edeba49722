package dev.doyen.driver;

import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Moment;
import dev.doyen.lease.LeaseState;
import dev.doyen.lease.LeaseTiming;
import dev.doyen.lease.OwnSession;
import dev.doyen.lease.Priority;
import dev.doyen.lease.SessionSight;
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
 * The sessions that matter to the loops of one process (rule L12): its own, if it has one, and those of other processes
 * that hold a lease somebody here looks at. Each is a lease record of its own, kept or watched by a loop like any other.
 *
 * <p>Threads: everything on the loop thread, but for {@link #own} and {@link #latest}.
 */
public final class SessionBook {

    private final Threads threads;
    private final LeaseTiming timing;
    private final LoopContext context;
    private final Map<String, Follower> followers = new HashMap<>();
    private final Set<LeaseLoop> seats = new LinkedHashSet<>();

    /** All that the followers know. It is made anew when one of them learns something. */
    private volatile Map<String, SessionSight> seen = Map.of();

    private Sessions given = new Sessions(Optional.empty(), seen);

    private volatile @Nullable ProcessSession ownSession;

    SessionBook(Threads threads, LeaseStore store, StoreDesk desk, LeaseTiming timing, LongSupplier seeds) {
        this.threads = threads;
        this.timing = timing;
        this.context = LoopContext.ofSession(this, threads, store, desk, timing, seeds);
    }

    void begin(String process) {
        var session = new ProcessSession(this, context, process);
        ownSession = session;
        threads.loop(session::choose);
    }

    /** Gives the session back, once nothing is held under it any more, or a ttl after. Then calls {@code done}. */
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

    /** This process's session, if it is led; whether it still is, the caller asks at the time of use. Any thread. */
    Optional<OwnSession> own() {
        ProcessSession session = ownSession;
        return session == null ? Optional.empty() : session.own();
    }

    /** Returns all that is known now. Any thread. */
    Sessions latest() {
        return new Sessions(own(), seen);
    }

    /** Returns all that is known now. It is the same object until something changes, because each of very many loops keeps it. */
    @SuppressWarnings("ReferenceEquality") // The map is replaced when it changes.
    Sessions now() {
        Optional<OwnSession> own = own();
        if (given.seen() != seen || !given.own().equals(own)) {
            given = new Sessions(own, seen);
        }
        return given;
    }

    // ---- told by loops

    /** A loop that holds its lease under the own session begins. */
    void seated(LeaseLoop seat) {
        seats.add(seat);
    }

    void unseated(LeaseLoop seat) {
        seats.remove(seat);
        follow(seat, Optional.empty());
    }

    /** This loop's lease was last seen held under this session, and under none that it was before. */
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

    /** A term of a loop begins, or all its work has stopped. */
    void working(int more) {
        ProcessSession session = ownSession;
        if (session != null) {
            session.working(more);
        }
    }

    // ---- told by the own session

    /** Gained, lost, or given up with its record. */
    void ownChanged() {
        tellSeats(seat -> {
            follow(seat, seat.view().state().epoch());
            seat.wake();
        });
    }

    void ownDoubted(String reason) {
        tellSeats(seat -> seat.sessionDoubted(reason));
    }

    void ownRecovered() {
        tellSeats(LeaseLoop::sessionRecovered);
    }

    /** Each of them, whatever another one throws. */
    private void tellSeats(Consumer<LeaseLoop> call) {
        for (LeaseLoop seat : List.copyOf(seats)) {
            context.log().survives(seat.election(), "a change of the session", () -> call.accept(seat));
        }
    }

    private void rememberSeen() {
        Map<String, SessionSight> all = new HashMap<>();
        followers.forEach((name, follower) -> follower.sight.ifPresent(sight -> all.put(name, sight)));
        seen = all;
    }

    private String ownName() {
        ProcessSession session = ownSession;
        return session == null ? "" : session.name();
    }

    /** Watches another process's session for the loops that wait for its end. */
    private final class Follower implements LeaseListener {
        private final LeaseLoop loop;
        private final Set<LeaseLoop> dependents = new HashSet<>();
        private Optional<SessionSight> sight = Optional.empty();
        private boolean silent;
        private long fencing;

        Follower(String session) {
            loop = new LeaseLoop(context, session, Priority.DEFAULT, this);
            loop.start();
        }

        /** Returns true if nobody depends on it any more. */
        boolean forget(LeaseLoop dependent) {
            dependents.remove(dependent);
            if (dependents.isEmpty()) {
                loop.leave();
                return true;
            }
            return false;
        }

        /** Asks once for each epoch; the loop tries until it is done. */
        void fence(long epoch) {
            if (epoch > fencing) {
                fencing = epoch;
                loop.fence(epoch);
            }
        }

        /** Dependents are woken when the session ends or falls silent, and not by its signs of life. */
        @Override
        public void observed(LeaseState state, Moment now) {
            Optional<SessionSight> latest = state.asSession(timing.ttl());
            boolean silentNow = latest.filter(s -> s.isSilentAt(now)).isPresent();
            boolean news = (silentNow && !silent) || !endsLikeBefore(latest);
            silent = silentNow;
            if (!latest.equals(sight)) {
                sight = latest;
                rememberSeen();
            }
            if (news) {
                // Not within this step: what a dependent decides may come back to this loop.
                List.copyOf(dependents).forEach(LeaseLoop::wake);
            }
        }

        @Override
        public void told(ElectionEvent event) {
            // What there is to be known is read from the state.
        }

        /** A renewal changes nothing for those who wait for the end. */
        private boolean endsLikeBefore(Optional<SessionSight> latest) {
            return sight.isPresent()
                    && latest.isPresent()
                    && sight.get().term() == latest.get().term()
                    && sight.get().running() == latest.get().running();
        }
    }
}
