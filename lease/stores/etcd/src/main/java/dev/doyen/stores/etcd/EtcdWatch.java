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
 * Announces changes of all keys of a store, by one watcher on their prefix.
 *
 * <p>The first watch starts it. After a broken connection jetcd continues from the last revision, if it considers this
 * possible. It gives up if that revision was compacted, if the server ends the stream, or if a member has no leader.
 * Then this class starts a new watcher. Each start announces every election, because events may be missing.
 */
final class EtcdWatch implements AutoCloseable {

    private static final Duration AGAIN_AFTER = Duration.ofMillis(500);

    private final Watch client;
    private final String prefix;
    private final UnreadEvents news = new UnreadEvents();
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

    /** Returns the value in the last event of this key, if it was not taken yet. The next read returns it. */
    Optional<KeyValue> takeNews(String key) {
        return news.take(key);
    }

    /** Notes that this revision of the key was read or written, so that older events are ignored. */
    void know(String key, long revision) {
        news.know(key, revision);
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
                "the start of a watch in etcd",
                () -> client.watch(
                        EtcdSettings.bytes(prefix), options, Watch.listener(this::changed, () -> ended(mine))));
        if (!watching) {
            // Ignore the end of a watcher that was only partly started.
            generation++;
            later.after(AGAIN_AFTER, "the start of a watch in etcd", this::begin);
        }
    }

    /** Schedules a new watcher. jetcd may call this under its own lock, so the start runs on another thread. */
    private void ended(int which) {
        synchronized (this) {
            if (closed || which != generation) {
                return;
            }
            generation++;
        }
        later.after(AGAIN_AFTER, "the start of a watch in etcd", this::begin);
    }

    private void changed(WatchResponse response) {
        if (response.isCreatedNotify()) {
            watchers.announceAll();
        }
        for (WatchEvent event : response.getEvents()) {
            String key = event.getKeyValue().getKey().toString();
            if (event.getEventType() == WatchEvent.EventType.PUT && watchers.isWatched(key)) {
                news.put(key, event.getKeyValue());
            } else {
                news.take(key);
            }
            watchers.announce(key);
        }
    }
}
