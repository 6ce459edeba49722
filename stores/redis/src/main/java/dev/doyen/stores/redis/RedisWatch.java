package dev.doyen.stores.redis;

import dev.doyen.store.FaultLog;
import dev.doyen.store.LeaseStore.Watch;
import dev.doyen.store.LeaseWatchers;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;

/**
 * Announces changes by the messages that each write publishes. Messages sent while the connection is down are lost, so
 * each time the subscription is made again, every election may have changed.
 */
final class RedisWatch extends RedisPubSubAdapter<String, String> {

    private final LeaseWatchers watchers = new LeaseWatchers(new FaultLog(System.getLogger("dev.doyen")));

    /** Subscribes; the connection stays the caller's to close, and subscribes again by itself when it is back. */
    static RedisWatch on(StatefulRedisPubSubConnection<String, String> connection, String channel) {
        var watch = new RedisWatch();
        connection.addListener(watch);
        connection.sync().subscribe(channel);
        return watch;
    }

    Watch watch(String election, Runnable changed) {
        return watchers.add(election, changed);
    }

    @Override
    public void message(String channel, String election) {
        watchers.announce(election);
    }

    @Override
    public void subscribed(String channel, long count) {
        watchers.announceAll();
    }
}
