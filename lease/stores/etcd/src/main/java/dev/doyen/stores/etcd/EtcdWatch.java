package dev.doyen.stores.etcd;

import dev.doyen.log.FaultLog;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.support.LaterThread;
import dev.doyen.store.support.LeaseWatchers;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import java.time.Duration;
import java.util.Optional;

/**
 * Announces changes of all keys of a store, with one watcher on the keys' prefix.
 *
 * <p>The first call of {@link #watch} starts the watcher. After a broken connection, jetcd tries to continue from the
 * last revision. The watcher ends if etcd has compacted that revision, if the server ends the stream, or if the server
 * has lost contact with the leader of its cluster. In these cases this class starts a new watcher. After each start the
 * class announces every watched election, because the class has possibly missed events.
 */
final class EtcdWatch implements AutoCloseable {

    private static final Duration AGAIN_AFTER = Duration.ofMillis(500);

    private final Watch client;
    private final String prefix;
    private final UnreadEvents unread = new UnreadEvents();
    private final FaultLog faults = new FaultLog(System.getLogger("dev.doyen"));
    private final LeaseWatchers watchers = new LeaseWatchers(faults);
    private final LaterThread later = new LaterThread("doyen-etcd-watch", faults);
    private boolean begun;
    private int generation;
    private boolean closed;

    EtcdWatch(Watch client, String prefix) {
        this.client = client;
        this.prefix = prefix;
    }

    LeaseStore.Watch watch(String key, Runnable changed) {
        LeaseStore.Watch watch = watchers.add(key, changed);
        synchronized (this) {
            if (!begun) {
                begun = true;
                begin();
            }
        }
        return watch;
    }

    /**
     * Returns the unread value in the last event of this key. The result is empty if the value was returned before or
     * is out of date.
     */
    Optional<KeyValue> takeEvent(String key) {
        return unread.take(key);
    }

    /** Records that this revision of the key was read or written. Older events are ignored from then on. */
    void recordRevision(String key, long revision) {
        unread.recordRevision(key, revision);
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            generation++;
        }
        later.close();
        client.close();
    }

    private synchronized void begin() {
        if (closed) {
            return;
        }
        int mine = ++generation;
        var options = WatchOption.builder()
                .isPrefix(true)
                .withCreateNotify(true)
                .withRequireLeader(true)
                .build();
        boolean watching = faults.survives(
                "starting a watch in etcd",
                () -> client.watch(
                        EtcdSettings.bytes(prefix), options, Watch.listener(this::changed, () -> ended(mine))));
        if (!watching) {
            // Ignore the end of a watcher whose start failed.
            generation++;
            later.after(AGAIN_AFTER, "starting a watch in etcd", this::begin);
        }
    }

    /**
     * Schedules the start of a new watcher. Another thread starts the watcher, because jetcd can hold its own lock
     * while it calls this method.
     */
    private void ended(int which) {
        synchronized (this) {
            if (closed || which != generation) {
                return;
            }
            generation++;
        }
        later.after(AGAIN_AFTER, "starting a watch in etcd", this::begin);
    }

    private void changed(WatchResponse response) {
        if (response.isCreatedNotify()) {
            watchers.announceAll();
        }
        for (WatchEvent event : response.getEvents()) {
            String key = event.getKeyValue().getKey().toString();
            if (event.getEventType() == WatchEvent.EventType.PUT && watchers.isWatched(key)) {
                unread.put(key, event.getKeyValue());
            } else {
                unread.take(key);
            }
            watchers.announce(key);
        }
    }
}
