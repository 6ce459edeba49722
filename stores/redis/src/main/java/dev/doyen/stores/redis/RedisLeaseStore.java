package dev.doyen.stores.redis;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseFileNames;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseRecordText;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.LeaseWrite;
import dev.doyen.store.StorePromises;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Leases in one Redis server: a hash per election with its version and its text, changed by {@link RedisScript}, without
 * expiry. A version is a random UUID of the write, so that a server which came back without its data, or with older
 * data, is found out by the next compare-and-set.
 *
 * <p>Threads: any number, over one connection and a second one for the watch. Nothing is sent twice:
 * {@link RedisSettings#options}. What the server's settings let it promise is read once, when the store is opened.
 */
public final class RedisLeaseStore implements LeaseStore {

    /** How many calls are under way at a time in {@link #readAll} and {@link #compareAndSetAll}. */
    private static final int PIPELINED = 128;

    private final RedisSettings settings;
    private final RedisClient client;
    private final RedisAsyncCommands<String, String> redis;
    private final RedisScript script;
    private final RedisWatch watch;
    private final StorePromises promises;

    private RedisLeaseStore(RedisSettings settings, RedisClient client) {
        this.settings = settings;
        this.client = client;
        StatefulRedisConnection<String, String> connection = client.connect();
        StatefulRedisPubSubConnection<String, String> announcing = client.connectPubSub();
        this.redis = connection.async();
        this.script = new RedisScript(redis);
        // Saves the first write a second question; a server that forgets it is asked again.
        allowed(() -> connection.sync().scriptLoad(RedisScript.TEXT));
        this.promises = promises(connection.sync());
        this.watch = RedisWatch.on(announcing, channel());
    }

    static RedisLeaseStore open(RedisSettings settings) {
        RedisClient client = RedisClient.create(settings.uri());
        try {
            client.setOptions(settings.options());
            return new RedisLeaseStore(settings, client);
        } catch (RedisException e) {
            client.shutdown(Duration.ZERO, settings.timeout());
            throw new StoreUnavailableException(
                    "the Redis server " + settings.url().place() + " cannot be used: " + whatHappened(e)
                            + "; check the address, the user, and that it runs",
                    e);
        }
    }

    @Override
    public VersionedLease read(String election) {
        return readAll(List.of(election)).values().iterator().next();
    }

    @Override
    public Map<String, VersionedLease> readAll(Collection<String> elections) {
        long deadline = deadline();
        Map<String, VersionedLease> found = new LinkedHashMap<>();
        for (List<String> some : chunks(List.copyOf(elections))) {
            Map<String, Future<List<KeyValue<String, String>>>> asked = new LinkedHashMap<>();
            try {
                some.forEach(each -> asked.put(each, redis.hmget(key(each), "version", "text")));
                for (var each : asked.entrySet()) {
                    List<KeyValue<String, String>> answer = await(each.getValue(), deadline);
                    found.put(
                            each.getKey(),
                            lease(
                                    each.getKey(),
                                    answer.get(0).getValueOrElse(""),
                                    answer.get(1).getValueOrElse("")));
                }
            } catch (ExecutionException | TimeoutException | RedisException e) {
                throw new StoreUnavailableException(
                        "the Redis server " + settings.url().place() + " did not answer a read: " + whatHappened(e), e);
            }
        }
        return found;
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        if (!next.election().equals(election)) {
            throw new IllegalArgumentException("a record of \"" + next.election() + "\" for \"" + election + "\"");
        }
        return compareAndSetAll(List.of(new LeaseWrite(expected, next))).get(0);
    }

    @Override
    public List<CasOutcome> compareAndSetAll(List<LeaseWrite> writes) {
        long deadline = deadline();
        List<CasOutcome> outcomes = new ArrayList<>();
        for (List<LeaseWrite> some : chunks(writes)) {
            List<Sent> sent = new ArrayList<>();
            some.forEach(each -> sent.add(send(each)));
            sent.forEach(each -> outcomes.add(outcome(each, deadline)));
        }
        return outcomes;
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        return Optional.of(watch.watch(election, changed));
    }

    @Override
    public StorePromises promises() {
        return promises;
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, settings.timeout());
    }

    /** A write on its way, and the version it will have. */
    private record Sent(String election, String version, CompletableFuture<List<Object>> answer) {}

    private Sent send(LeaseWrite write) {
        String election = write.next().election();
        String version = UUID.randomUUID().toString();
        CompletableFuture<List<Object>> answer;
        try {
            answer = script.run(
                    key(election),
                    write.expected().value(),
                    version,
                    LeaseRecordText.write(write.next()),
                    channel(),
                    election);
        } catch (RedisException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return new Sent(election, version, answer);
    }

    private CasOutcome outcome(Sent sent, long deadline) {
        try {
            List<Object> answer = await(sent.answer(), deadline);
            return answer.get(0).equals(1L)
                    ? new CasOutcome.Written(new LeaseVersion(sent.version()))
                    : new CasOutcome.Conflict(lease(sent.election(), (String) answer.get(1), (String) answer.get(2)));
        } catch (ExecutionException | TimeoutException | StoreUnavailableException e) {
            return new CasOutcome.Unknown("the lease of \"" + sent.election() + "\" could not be written to "
                    + settings.url().place() + ": " + whatHappened(e));
        }
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

    /** Channels are none of the keys, and shared by all databases of a server. */
    private String channel() {
        return settings.prefix() + ":changes@" + settings.database();
    }

    private long deadline() {
        return System.nanoTime() + settings.timeout().toNanos();
    }

    private static <T> T await(Future<T> answer, long deadline) throws ExecutionException, TimeoutException {
        try {
            return answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("interrupted while waiting for Redis", e);
        }
    }

    /** Managed servers forbid CONFIG, and some users may not even ask INFO: that is a doubt, not a fault. */
    private static StorePromises promises(RedisCommands<String, String> redis) {
        Map<String, String> config = new HashMap<>();
        var info = new StringBuilder();
        for (String name : List.of("appendonly", "appendfsync", "no-appendfsync-on-rewrite", "maxmemory-policy")) {
            allowed(() -> config.putAll(redis.configGet(name)));
        }
        allowed(() -> info.append(redis.info("replication")));
        allowed(() -> info.append('\n').append(redis.info("cluster")));
        return RedisPromises.of(info.toString(), config);
    }

    /** Asks what the store can do without. */
    private static void allowed(Runnable question) {
        try {
            question.run();
        } catch (io.lettuce.core.RedisCommandExecutionException e) {
            System.getLogger("dev.doyen")
                    .log(System.Logger.Level.DEBUG, "Redis refuses what is only asked for comfort", e);
        }
    }

    /** The innermost cause says it best: what is around it says only that a connection or a call failed. */
    private static String whatHappened(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof TimeoutException
                ? "no answer in time"
                : cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }

    private static <T> List<List<T>> chunks(List<T> all) {
        List<List<T>> chunks = new ArrayList<>();
        for (int i = 0; i < all.size(); i += PIPELINED) {
            chunks.add(all.subList(i, Math.min(all.size(), i + PIPELINED)));
        }
        return chunks;
    }
}
