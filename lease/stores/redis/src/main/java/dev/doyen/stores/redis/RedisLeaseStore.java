package dev.doyen.stores.redis;

import dev.doyen.log.FaultLog;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseRecordText;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.store.probe.RightsProbe;
import dev.doyen.store.support.LeaseFileNames;
import dev.doyen.store.support.PipelinedLeaseStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Stores leases in one Redis server.
 *
 * <p>For each election the store has a hash with a version and the record's text, without an expiry.
 * {@link RedisScript} changes the hash. The version is a random UUID, which is new for each write. So if the server
 * restarts with older data or without data, a compare-and-set that expects a lost version fails.
 *
 * <p>Threads: any number, over one connection. The watch uses a second connection. The store sends no request twice
 * (see {@link RedisSettings#options}). It replaces a connection whose server is silent (see {@link SilentConnection}).
 * When the store is opened, it reads the server's settings once, to determine its promises.
 */
public final class RedisLeaseStore extends PipelinedLeaseStore {

    /** The limit for concurrent calls in {@link #readAll} and {@link #compareAndSetAll}. */
    private static final int PIPELINED = 128;

    private static final int CONNECT_ATTEMPTS = 5;

    private final RedisSettings settings;
    private final RedisClient client;
    private final ClientResources resources;
    private final RedisAsyncCommands<String, String> redis;
    private final RedisScript script;
    private final RedisWatch watch;
    private final LeaseStore.Promises promises;
    private final RightsProbe rights = new RightsProbe(this);

    private RedisLeaseStore(RedisSettings settings, RedisClient client, ClientResources resources) {
        super("the Redis server " + settings.url().place(), settings.timeout(), PIPELINED);
        this.settings = settings;
        this.client = client;
        this.resources = resources;
        StatefulRedisConnection<String, String> connection = connected(client::connect);
        StatefulRedisPubSubConnection<String, String> announcing = connected(client::connectPubSub);
        this.redis = connection.async();
        this.script = new RedisScript(redis);
        // Load the script now, so that the first write needs only one request. If the server later loses the script,
        // the store sends the script again.
        allowed(() -> connection.sync().scriptLoad(RedisScript.TEXT));
        this.promises = promises(connection.sync());
        this.watch = RedisWatch.on(announcing, settings.channel());
    }

    static RedisLeaseStore open(RedisSettings settings) {
        ClientResources resources = settings.resources();
        RedisClient client = RedisClient.create(resources, settings.uri());
        try {
            client.setOptions(settings.options());
            return new RedisLeaseStore(settings, client, resources);
        } catch (RedisException e) {
            shutdown(client, resources, settings.timeout());
            Throwable cause = FaultLog.rootCause(e);
            if (RedisRefusal.isOne(cause)) {
                throw new StoreRefusedException(
                        "the Redis server " + settings.url().place() + " cannot be used: " + cause.getMessage(),
                        RedisRefusal.remedy(cause, settings),
                        e);
            }
            throw new StoreUnavailableException(
                    "the Redis server " + settings.url().place() + " cannot be used: " + whatHappened(e)
                            + "; check the address, the user, and that it runs",
                    e);
        }
    }

    /**
     * Connects, in at most {@link #CONNECT_ATTEMPTS} attempts. The method repeats an attempt only if the exception
     * contains no reason. Lettuce throws such an exception if the connection closes before the handshake is complete,
     * for example after a rejected password. Its root cause is a {@link RedisConnectionException}, or an
     * {@link IllegalStateException} if the connection closes before the handshake begins.
     */
    private static <T> T connected(Supplier<T> connect) {
        for (int attempt = 1; ; attempt++) {
            try {
                return connect.get();
            } catch (RedisConnectionException e) {
                Throwable cause = FaultLog.rootCause(e);
                boolean withoutReason =
                        cause instanceof RedisConnectionException || cause instanceof IllegalStateException;
                if (attempt == CONNECT_ATTEMPTS || !withoutReason) {
                    throw e;
                }
            }
        }
    }

    @Override
    protected List<CompletableFuture<VersionedLease>> sendReads(List<String> elections) {
        return elections.stream()
                .map(each -> redis.hmget(key(each), "version", "text")
                        .thenApply(answer -> lease(
                                each,
                                answer.get(0).getValueOrElse(""),
                                answer.get(1).getValueOrElse("")))
                        .toCompletableFuture())
                .toList();
    }

    @Override
    protected CompletableFuture<CasOutcome> send(LeaseStore.Write write) {
        String election = write.next().election();
        String version = UUID.randomUUID().toString();
        return script.run(
                        key(election),
                        write.expected().value(),
                        version,
                        LeaseRecordText.write(write.next()),
                        settings.channel(),
                        election)
                .thenApply(answer -> answer.get(0).equals(1L)
                        ? new CasOutcome.Written(new LeaseVersion(version))
                        : new CasOutcome.Conflict(lease(election, (String) answer.get(1), (String) answer.get(2))));
    }

    @Override
    protected Optional<StoreRefusedException> refusal(Throwable cause) {
        return RedisRefusal.isOne(cause)
                ? Optional.of(new StoreRefusedException(
                        String.valueOf(cause.getMessage()), RedisRefusal.remedy(cause, settings), cause))
                : Optional.empty();
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        return Optional.of(watch.watch(election, changed));
    }

    @Override
    public List<String> missingRights() {
        return rights.missing();
    }

    @Override
    public LeaseStore.Promises promises() {
        return promises;
    }

    @Override
    public void close() {
        shutdown(client, resources, settings.timeout());
    }

    private static void shutdown(RedisClient client, ClientResources resources, Duration timeout) {
        client.shutdown(Duration.ZERO, timeout);
        resources.shutdown(0, timeout.toMillis(), TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }

    private VersionedLease lease(String election, String version, String text) {
        if (version.isEmpty() && text.isEmpty()) {
            return VersionedLease.ABSENT;
        }
        LeaseRecord record = LeaseRecordText.readStored("the Redis key " + key(election), election, text);
        return VersionedLease.of(new LeaseVersion(version), record);
    }

    private String key(String election) {
        return settings.prefix() + ":" + LeaseFileNames.of(election);
    }

    /**
     * Reads the server's settings and determines the store's promises.
     *
     * <p>Managed servers refuse CONFIG, and some users have no right to INFO. A refusal does not end the opening, but
     * the store then promises no durable terms, and a remark states the reason.
     */
    private static LeaseStore.Promises promises(RedisCommands<String, String> redis) {
        Map<String, String> config = new HashMap<>();
        var info = new StringBuilder();
        for (String name : List.of("appendonly", "appendfsync", "no-appendfsync-on-rewrite", "maxmemory-policy")) {
            allowed(() -> config.putAll(redis.configGet(name)));
        }
        allowed(() -> info.append(redis.info("replication")));
        allowed(() -> info.append('\n').append(redis.info("cluster")));
        return RedisDurability.of(info.toString(), config);
    }

    /** Runs an optional request. If the server refuses the request, the method only logs the refusal. */
    private static void allowed(Runnable question) {
        try {
            question.run();
        } catch (io.lettuce.core.RedisCommandExecutionException e) {
            System.getLogger("dev.doyen").log(System.Logger.Level.DEBUG, "Redis rejects an optional request", e);
        }
    }
}
