package dev.doyen.stores.redis;

import dev.doyen.log.FaultLog;
import dev.doyen.store.LeaseStore.Watch;
import dev.doyen.store.support.LeaseWatchers;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;

/**
 * Announces changes when it receives the messages that each write publishes.
 *
 * <p>Messages are lost while the connection is broken. So the class announces every election after each new
 * subscription.
 */
final class RedisWatch extends RedisPubSubAdapter<String, String> {

    private final LeaseWatchers watchers = new LeaseWatchers(new FaultLog(System.getLogger("dev.doyen")));

    /**
     * Subscribes to the channel.
     *
     * <p>The caller must close the connection. Lettuce renews the subscription after a reconnection.
     */
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
