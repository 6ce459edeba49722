package dev.doyen.driver;

import dev.doyen.election.Priority;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Leader;
import dev.doyen.lease.Identity;
import dev.doyen.lease.OwnSession;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The session of this process (rule L12): its lease on one of the {@link SessionRecords}.
 *
 * <p>The record and the term in which this process leads it are the epoch of every lease that the process holds.
 *
 * <p>Threads: the loop thread, except for {@link #own}.
 */
final class ProcessSession implements LeaseListener, ElectionEvent.Cases {

    private final SessionRegistry book;
    private final LoopContext context;
    private final Identity me;
    private final SessionRecords records;

    private volatile @Nullable LeaseLoop loop;
    private String name = "";
    private int working;
    private long ending;
    private boolean moving;
    private @Nullable Runnable closing;

    ProcessSession(SessionRegistry book, LoopContext context, String process) {
        this.book = book;
        this.context = context;
        this.me = new Identity(process, UUID.randomUUID().toString());
        this.records = new SessionRecords(context, me.incarnation());
    }

    /**
     * Returns the session if this process leads it. Any thread.
     *
     * <p>The caller checks at each use whether the deadline has passed.
     */
    Optional<OwnSession> own() {
        LeaseLoop present = loop;
        return present == null
                ? Optional.empty()
                : present.leaderLease().map(leaderLease -> OwnSession.of(present.election(), leaderLease));
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
        // First, because this may throw. Then the search for a record starts again.
        LeaseLoop next = new LeaseLoop(context, record, Priority.DEFAULT, this);
        next.start();
        next.campaign(me);
        moving = false;
        // A follower of this record remains until this process leads it. Without it, elections would lose its last
        // epoch.
        name = record;
        loop = next;
    }

    /** Changes the number of terms that work under this session. */
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
        book.ownChanged();
    }

    @Override
    public void jeopardy(ElectionEvent.Jeopardy event) {
        book.ownDoubted(event.reason());
    }

    @Override
    public void recovered(ElectionEvent.Recovered event) {
        book.ownRecovered();
    }

    /**
     * Ends every term under the session.
     *
     * <p>The next epoch frees what this process holds in the old one. So it begins only after all work has stopped
     * (rule L12.4). Work that does not stop delays it for a ttl only, because others may take over after that.
     */
    @Override
    public void lost(ElectionEvent.Lost event) {
        ending = event.term();
        book.ownChanged();
        Duration patience = context.timing().ttl();
        context.threads().at(context.threads().now().nanos() + patience.toNanos(), () -> stop(event.term()));
        stopIfQuiet();
    }

    @Override
    public void overlapped(ElectionEvent.Overlapped event) {}

    @Override
    public void leaderChanged(ElectionEvent.LeaderChanged event) {}

    /** Looks for another record, because another process holds this one. */
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
            book.ownChanged();
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
