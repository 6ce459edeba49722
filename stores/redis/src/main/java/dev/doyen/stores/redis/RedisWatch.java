package dev.doyen.stores.redis;

import dev.doyen.store.FaultLog;
import dev.doyen.store.LeaseStore.Watch;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Announces changes by the messages that each write publishes. Messages sent while the connection is down are lost, so
 * each time the subscription is made again, every election may have changed.
 */
final class RedisWatch extends RedisPubSubAdapter<String, String> {

    private final Map<String, List<Runnable>> watchers = new ConcurrentHashMap<>();
    private final FaultLog faults = new FaultLog(System.getLogger("dev.doyen"));

    /** Subscribes; the connection stays the caller's to close, and subscribes again by itself when it is back. */
    static RedisWatch on(StatefulRedisPubSubConnection<String, String> connection, String channel) {
        var watch = new RedisWatch();
        connection.addListener(watch);
        connection.sync().subscribe(channel);
        return watch;
    }

    Watch watch(String election, Runnable changed) {
        List<Runnable> list = watchers.computeIfAbsent(election, e -> new CopyOnWriteArrayList<>());
        list.add(changed);
        return () -> list.remove(changed);
    }

    @Override
    public void message(String channel, String election) {
        announce(watchers.getOrDefault(election, List.of()));
    }

    @Override
    public void subscribed(String channel, long count) {
        watchers.values().forEach(this::announce);
    }

    private void announce(List<Runnable> changed) {
        faults.runAll("a watcher of a lease", changed);
    }
}
