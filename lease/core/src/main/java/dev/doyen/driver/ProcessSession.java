package dev.doyen.driver;

import dev.doyen.election.Priority;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Leader;
import dev.doyen.lease.Identity;
import dev.doyen.lease.OwnSession;
import dev.doyen.lease.StoreFault;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The session of this process (rule L12): its lease on one of the {@link SessionRecords}.
 *
 * <p>The process holds its session like the leader of an election: it acquires the session record and renews it. The
 * name of the record and the term of the process in this record form an epoch. The record of every lease that this
 * process holds contains this epoch.
 *
 * <p>Threads: the loop thread, except for {@link #own}.
 */
final class ProcessSession implements LeaseListener, ElectionEvent.Cases {

    private final SessionRegistry registry;
    private final LoopContext context;
    private final Identity me;
    private final SessionRecords records;

    private volatile @Nullable LeaseLoop loop;
    private String name = "";
    private int working;
    private long ending;
    private boolean moving;
    private @Nullable Runnable closing;

    ProcessSession(SessionRegistry registry, LoopContext context, String process) {
        this.registry = registry;
        this.context = context;
        this.me = new Identity(process, UUID.randomUUID().toString());
        this.records = new SessionRecords(context, me.incarnation());
    }

    /**
     * Returns the session if this process holds it. Any thread may call this method.
     *
     * <p>The caller checks at each use whether the deadline has passed.
     */
    Optional<OwnSession> own() {
        LeaseLoop present = loop;
        return present == null
                ? Optional.empty()
                : present.leaderLease().map(leaderLease -> OwnSession.of(present.election(), leaderLease));
    }

    /** Returns the present fault of the store; empty if there is none. Any thread may call this method. */
    Optional<StoreFault> storeFault() {
        LeaseLoop present = loop;
        return present == null ? records.storeFault() : present.view().state().storeFault();
    }

    String name() {
        return name;
    }

    /** Finds a record that nobody holds, and campaigns for it. */
    void choose() {
        records.choose(this::campaign);
    }

    private void campaign(String record) {
        if (closing != null) {
            return;
        }
        // Create the loop first. If this statement throws, the search for a record starts again.
        LeaseLoop next = new LeaseLoop(context, record, Priority.DEFAULT, this);
        next.start();
        next.campaign(me);
        moving = false;
        // The registry can still be observing this record as the session of another process. The registry continues to
        // observe the record until this process holds it, because until then the elections need the last observed
        // epoch.
        name = record;
        loop = next;
    }

    /** Adds {@code more} to the number of terms whose work runs under this session. {@code more} can be negative. */
    void working(int more) {
        working += more;
        stopIfQuiet();
    }

    void close(Runnable done) {
        closing = done;
        records.close();
        LeaseLoop present = loop;
        if (present == null) {
            end();
        } else {
            present.leave();
        }
    }

    // ---- events of the session's loop

    @Override
    public void onEvent(ElectionEvent event) {
        event.accept(this);
    }

    @Override
    public void elected(ElectionEvent.Elected event) {
        registry.ownChanged();
    }

    @Override
    public void jeopardy(ElectionEvent.Jeopardy event) {
        registry.ownDoubted(event.reason());
    }

    @Override
    public void recovered(ElectionEvent.Recovered event) {
        registry.ownRecovered();
    }

    /**
     * Ends every term under the session.
     *
     * <p>When the next epoch begins, other processes may acquire the leases that this process holds in the old epoch.
     * So the next epoch begins only after all work has stopped (rule L12.4). If the work does not stop, the next epoch
     * may begin after one ttl. After this time, other processes may fence the session and take over in any case.
     */
    @Override
    public void lost(ElectionEvent.Lost event) {
        ending = event.term();
        registry.ownChanged();
        Duration patience = context.timing().ttl();
        long end = context.threads().now().nanos() + patience.toNanos();
        context.log()
                .survives(
                        "",
                        "a timer",
                        () -> Timers.at(context.threads(), context.log(), end, () -> stop(event.term())));
        stopIfQuiet();
    }

    @Override
    public void overlapped(ElectionEvent.Overlapped event) {}

    @Override
    public void leaderChanged(ElectionEvent.LeaderChanged event) {}

    /** Searches for another record, because another process holds this record. */
    @Override
    public void blocked(Leader by) {
        LeaseLoop present = loop;
        if (present != null && !moving && closing == null) {
            moving = true;
            present.leave();
        }
    }

    @Override
    public void ended() {
        loop = null;
        name = "";
        if (closing != null) {
            end();
        } else {
            registry.ownChanged();
            choose();
        }
    }

    private void end() {
        Runnable done = closing;
        closing = () -> {};
        if (done != null) {
            done.run();
        }
    }

    private void stopIfQuiet() {
        if (working == 0 && ending != 0) {
            stop(ending);
        }
    }

    private void stop(long term) {
        LeaseLoop present = loop;
        if (ending == term && present != null) {
            ending = 0;
            present.workStopped(term);
        }
    }
}
