package dev.doyen.driver;

import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Leader;
import dev.doyen.lease.Identity;
import dev.doyen.lease.OwnSession;
import dev.doyen.lease.Priority;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * This process's session (rule L12): a lease of its own on one of the {@link SessionRecords}. The record and the term in
 * which this process leads it are the epoch of every lease that it holds.
 *
 * <p>Threads: everything on the loop thread, but for {@link #own}.
 */
final class ProcessSession implements LeaseListener, ElectionEvent.Cases {

    private final SessionBook book;
    private final LoopContext context;
    private final Identity me;
    private final SessionRecords records;

    private volatile @Nullable LeaseLoop loop;
    private String name = "";
    private int working;
    private long ending;
    private boolean moving;
    private @Nullable Runnable closing;

    ProcessSession(SessionBook book, LoopContext context, String process) {
        this.book = book;
        this.context = context;
        this.me = new Identity(process, UUID.randomUUID().toString());
        this.records = new SessionRecords(context, me.incarnation());
    }

    /** The session, if it is led; whether it still is, the caller asks at the time of use. Any thread. */
    Optional<OwnSession> own() {
        LeaseLoop present = loop;
        return present == null
                ? Optional.empty()
                : present.grant().map(grant -> OwnSession.of(present.election(), grant));
    }

    String name() {
        return name;
    }

    /** Finds a record that nobody holds, and campaigns for it. */
    void choose() {
        records.choose(this::stand);
    }

    private void stand(String record) {
        if (closing != null) {
            return;
        }
        // First, because it may throw: then the search for a record begins again.
        LeaseLoop next = new LeaseLoop(context, record, Priority.DEFAULT, this);
        next.start();
        next.stand(me);
        moving = false;
        // A follower of this record stays until this process leads it. Elections would forget its last epoch otherwise.
        name = record;
        loop = next;
    }

    /** Terms that work under this session: more of them, or fewer. */
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

    // ---- as the session's loop tells it

    @Override
    public void told(ElectionEvent event) {
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
     * Every term under the session ends with it. A new epoch frees what was held in the old one, so it is not begun
     * before all work has stopped; nor kept from beginning by work that never does, once others may take over anyway.
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

    /** Somebody else has this record: there are others. */
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
