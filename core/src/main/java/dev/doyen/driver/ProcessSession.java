package dev.doyen.driver;

import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Leader;
import dev.doyen.lease.Grant;
import dev.doyen.lease.Identity;
import dev.doyen.lease.Priority;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * This process's session (rule L12): a lease of its own on one of a row of records, {@code ~session/1} and on. Records
 * given back are taken again, so there are never more than processes that lived at one time; the term goes on rising
 * through all of them, and is the epoch.
 *
 * <p>Threads: everything on the loop thread, but for {@link #grant}.
 */
final class ProcessSession implements LeaseListener, ElectionEvent.Cases {

    /** Records are looked at so many at a time, and one that nobody holds is chosen among the first of them. */
    private static final int ROW = 16;

    private static final int MAX_ROWS = 256;
    private static final int FEW = 4;

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    private final SessionBook book;
    private final LoopContext context;
    private final Identity me;

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
    }

    Optional<Grant> grant() {
        LeaseLoop present = loop;
        return present == null ? Optional.empty() : present.grant();
    }

    String name() {
        return name;
    }

    /** Looks for a record that nobody holds, and stands for it. */
    void choose() {
        boolean accepted = context.threads().store(() -> {
            Optional<String> free;
            try {
                free = Optional.of(freeRecord());
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, "no session record could be chosen: " + e + "; trying again");
                free = Optional.empty();
            }
            Optional<String> found = free;
            context.threads().loop(() -> found.ifPresentOrElse(this::stand, this::chooseLater));
        });
        if (!accepted) {
            chooseLater();
        }
    }

    private void chooseLater() {
        if (closing != null) {
            end();
            return;
        }
        long pause = context.timing().pollEvery().toNanos();
        context.threads().at(context.threads().now().nanos() + pause, this::choose);
    }

    private String freeRecord() {
        for (int row = 0; row < MAX_ROWS; row++) {
            List<String> names = new ArrayList<>();
            for (int i = 1; i <= ROW; i++) {
                names.add("~session/" + (row * ROW + i));
            }
            Map<String, VersionedLease> found = book.store().readAll(names);
            // Those given back come first, so that there are no more records than there need be.
            List<String> free = names.stream()
                    .filter(each -> isFree(found.get(each)))
                    .sorted(Comparator.comparing(each -> isAbsent(found.get(each))))
                    .toList();
            if (!free.isEmpty()) {
                // Any of the first few, so that processes that start together do not all want the same one.
                int few = isAbsent(found.get(free.get(0))) ? FEW : 1;
                return free.get((int) Long.remainderUnsigned(context.seeds().getAsLong(), Math.min(few, free.size())));
            }
        }
        throw new StoreUnavailableException("all " + ROW * MAX_ROWS + " session records are held");
    }

    private static boolean isAbsent(@Nullable VersionedLease lease) {
        return lease == null || lease.record().isEmpty();
    }

    private static boolean isFree(@Nullable VersionedLease lease) {
        return lease == null || lease.record().filter(LeaseRecord::isHeld).isEmpty();
    }

    private void stand(String record) {
        if (closing != null) {
            end();
            return;
        }
        moving = false;
        name = record;
        LeaseLoop next = new LeaseLoop(context, record, Priority.DEFAULT, this);
        loop = next;
        next.start();
        next.stand(me);
        book.ownChanged();
    }

    /** Terms that work under this session: more of them, or fewer. */
    void working(int more) {
        working += more;
        stopIfQuiet();
    }

    void close(Runnable done) {
        closing = done;
        LeaseLoop present = loop;
        if (present != null) {
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
