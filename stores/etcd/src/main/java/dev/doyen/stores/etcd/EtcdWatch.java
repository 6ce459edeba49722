package dev.doyen.stores.etcd;

import dev.doyen.store.FaultLog;
import dev.doyen.store.LaterThread;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseWatchers;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import java.time.Duration;
import java.util.Optional;

/**
 * Announces changes of all keys of a store by one watcher over their prefix, made with the first watch.
 *
 * <p>jetcd takes it up again from the last revision seen, as long as it thinks that this can succeed. It gives up when that
 * revision was compacted, when the server ends the stream, when a member has no leader; then a new watcher is made here.
 * After either, every election is announced, for what happened between is not known for sure.
 */
final class EtcdWatch implements AutoCloseable {

    private static final Duration AGAIN_AFTER = Duration.ofMillis(500);

    private final Watch client;
    private final String prefix;
    private final News news = new News();
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

    /** What was announced of this key last, if nobody has taken it yet: the answer to a read that follows a notice. */
    Optional<KeyValue> takeNews(String key) {
        return news.take(key);
    }

    /** This revision of the key was read or written: what was announced before it is no news. */
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
            // The end of a watcher that was half made is ignored.
            generation++;
            later.after(AGAIN_AFTER, "the start of a watch in etcd", this::begin);
        }
    }

    /** Called by jetcd, perhaps under a lock of its own: what follows happens elsewhere. */
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
