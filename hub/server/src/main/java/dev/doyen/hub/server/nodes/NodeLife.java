package dev.doyen.hub.server.nodes;

import dev.doyen.hub.log.Joined;
import dev.doyen.hub.log.LogPosition;
import dev.doyen.hub.log.Logged;
import dev.doyen.hub.step.NodeEffect;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.SetArgs;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One membership of this node in the group, from the join to the loss.
 *
 * <p>If a connection to Redis fails for less than the ttl, the Redis client reconnects and repeats all unanswered
 * requests. The functions in Redis are idempotent.
 *
 * <p>The hub's thread calls {@link #carry}. The thread that closes the link and the reader thread call {@link #leave}.
 * The reader thread calls all other methods. The Redis client's threads deliver answers.
 */
final class NodeLife implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(NodeLife.class.getName());
    private static final String FIELD = "e";
    /** The size of a full batch. {@link #checked} requires that it is less than the minimum length of the log. */
    private static final int ENTRIES_AT_ONCE = 500;

    private static final long BLOCK_MILLIS = 500;
    private static final long LOOK_MILLIS = 100;
    private static final long ANSWER_SECONDS = 5;
    private static final long SNAPSHOT_LOOK_MILLIS = 10;
    private static final long SNAPSHOT_KEPT_MILLIS = 60_000;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final NodeSettings settings;
    private final NodeInputs inputs;
    private final HubFunctions functions;
    private final StatefulRedisConnection<String, String> connection;
    private final StatefulRedisConnection<String, String> reading;
    private final Membership membership;
    private final boolean hasOthers;
    private final Set<String> enrolled = ConcurrentHashMap.newKeySet();
    private LogPosition read;
    private long beatenNanos;
    private long nextBeatNanos;
    private long nextKeepNanos;
    private @Nullable RedisFuture<List<String>> beat;
    private long beatSentNanos;
    private volatile @Nullable String lost;

    /** The next entries after a position. A batch is incomplete if the log has lost entries before the batch. */
    private record Batch(List<Logged> entries, boolean isComplete) {}

    private NodeLife(
            NodeSettings settings,
            NodeInputs inputs,
            StatefulRedisConnection<String, String> connection,
            StatefulRedisConnection<String, String> reading)
            throws InterruptedException, ExecutionException, TimeoutException {
        this.settings = settings;
        this.inputs = inputs;
        this.functions = new HubFunctions(settings);
        this.connection = connection;
        this.reading = reading;
        answer(connection.async().functionLoad(HubFunctions.library(), true));
        String node = random();
        beatenNanos = System.nanoTime();
        List<String> joined = answer(functions.join(connection.async(), node, random()));
        membership = new Membership(node, joined.get(0));
        read = LogPosition.parse(joined.get(1));
        hasOthers = !joined.get(2).equals("0");
        nextKeepNanos = beatenNanos + settings.stateKept().toNanos() / 2;
    }

    /** Connects to Redis and joins the nodes. The hub receives its first input in {@link #joined}. */
    static NodeLife begin(RedisClient client, NodeSettings settings, NodeInputs inputs)
            throws InterruptedException, ExecutionException, TimeoutException {
        StatefulRedisConnection<String, String> connection = client.connect();
        StatefulRedisConnection<String, String> reading = null;
        try {
            reading = client.connect();
            return new NodeLife(settings, inputs, connection, reading);
        } catch (Throwable e) {
            connection.closeAsync();
            if (reading != null) {
                reading.closeAsync();
            }
            throw e;
        }
    }

    /** Passes the snapshot of another node and the past log entries to the hub. */
    void joined() throws InterruptedException, ExecutionException, TimeoutException, MembershipLostException {
        String snapshot = hasOthers ? snapshot() : null;
        List<Logged> past = past();
        beatUntilDone(inputs.joined(new Joined(membership.node(), membership.series(), read, past, snapshot)));
        LOG.log(
                Level.INFO,
                "this hub is node " + membership.node() + " of " + settings.name()
                        + (snapshot == null ? ", the only one" : ""));
    }

    /** Returns another node's snapshot; null if no other node is alive. Leaves the group if no snapshot arrives. */
    private @Nullable String snapshot()
            throws InterruptedException, ExecutionException, TimeoutException, MembershipLostException {
        // The node that writes the snapshot can be busy for up to one ttl.
        long until = System.nanoTime()
                + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS)
                + settings.ttl().toNanos();
        while (until - System.nanoTime() > 0) {
            String shown = answer(connection.async().get(snapshotKey(membership.node())));
            if (shown != null) {
                return shown;
            }
            beatWhenDue();
            if (answer(connection.async().scard(settings.log() + ":nodes")) <= 1) {
                return null;
            }
            Thread.sleep(SNAPSHOT_LOOK_MILLIS);
        }
        leave();
        throw new MembershipLostException("the other nodes sent no snapshot");
    }

    private List<Logged> past() throws InterruptedException, ExecutionException, TimeoutException {
        var past = new ArrayList<Logged>();
        LogPosition from = LogPosition.START;
        while (true) {
            beatWhenDue();
            var range =
                    Range.from(Range.Boundary.excluding(from.toString()), Range.Boundary.excluding(read.toString()));
            List<StreamMessage<String, String>> page =
                    answer(reading.async().xrange(settings.log(), range, Limit.from(ENTRIES_AT_ONCE)));
            past.addAll(entries(page));
            if (page.size() < ENTRIES_AT_ONCE) {
                return past;
            }
            from = past.get(past.size() - 1).position();
        }
    }

    /** Reads the log until this node is no longer a member. Returns the reason. */
    String readUntilLost() throws InterruptedException, ExecutionException {
        Future<Batch> next = null;
        while (lost == null) {
            beatWhenDue();
            if (next == null) {
                next = batchAfter(read);
            }
            try {
                Batch batch = next.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                next = null;
                process(batch);
            } catch (TimeoutException e) {
                // There is no new entry, or the connection has failed. The heartbeats distinguish the two cases.
            }
        }
        return lost;
    }

    /** Passes a batch to the hub. If entries before the batch are missing, this node leaves the group instead. */
    private void process(Batch batch) throws InterruptedException, ExecutionException {
        List<Logged> entries = batch.entries();
        if (!batch.isComplete()) {
            lose("this node has missed entries that the nodes' log no longer contains; reconnect");
            // Leave now. Otherwise, when this node joins again, it can wait for a snapshot from its old membership.
            leave();
        } else if (!entries.isEmpty()) {
            beatUntilDone(inputs.logged(entries));
            read = entries.get(entries.size() - 1).position();
        }
    }

    private Future<Batch> batchAfter(LogPosition position) {
        var args = XReadArgs.Builder.block(BLOCK_MILLIS).count(ENTRIES_AT_ONCE);
        return reading.async()
                .xread(args, from(position))
                .thenCompose(messages -> checked(position, entries(messages)))
                .toCompletableFuture();
    }

    /**
     * Checks that the log has not lost entries between a position and the entries that Redis returned.
     *
     * <p>A truncated log still contains more entries than a full batch. So if entries after the position are missing,
     * the batch is full. Redis removes the oldest entries first. So if the entry at the position still exists, no later
     * entry is missing.
     */
    private CompletionStage<Batch> checked(LogPosition position, List<Logged> entries) {
        if (entries.size() < ENTRIES_AT_ONCE) {
            return CompletableFuture.completedFuture(new Batch(entries, true));
        }
        var only = Range.create(position.toString(), position.toString());
        return reading.async().xrange(settings.log(), only).thenApply(found -> new Batch(entries, !found.isEmpty()));
    }

    /** Sends heartbeats while the hub works, because the work can take longer than the ttl. */
    private void beatUntilDone(Future<?> taken) throws InterruptedException, ExecutionException {
        while (true) {
            beatWhenDue();
            try {
                taken.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                // The hub has not finished yet.
            }
        }
    }

    /**
     * Sends a heartbeat if a heartbeat is due. If Redis has answered no heartbeat within the ttl, this node loses its
     * membership. The method also extends the expiry of the data about this node's connections.
     *
     * <p>The ttl counts from the time at which the last answered heartbeat was sent, because the time of its arrival at
     * Redis is unknown.
     */
    private void beatWhenDue() {
        long now = System.nanoTime();
        if (now - nextBeatNanos >= 0 && beat == null) {
            beatSentNanos = now;
            nextBeatNanos = now + settings.ttl().toNanos() / 4;
            beat = functions.beat(connection.async(), membership, read);
        }
        if (beat != null && beat.isDone()) {
            taken(beat, () -> beatenNanos = beatSentNanos);
            beat = null;
        }
        if (now - beatenNanos > settings.ttl().toNanos()) {
            lose("Redis did not answer for " + settings.ttl().toMillis() + " ms; reconnect");
        }
        if (now - nextKeepNanos >= 0) {
            nextKeepNanos = now + settings.stateKept().toNanos() / 2;
            for (String enrolledId : enrolled) {
                connection.async().pexpire(settings.log() + ":conn:" + enrolledId, settings.stateKept());
            }
        }
    }

    private void taken(RedisFuture<List<String>> answer, Runnable ok) {
        try {
            HubFunctions.declined(answer.toCompletableFuture().join());
            ok.run();
        } catch (MembershipLostException e) {
            lose(e.sentence());
        } catch (RuntimeException e) {
            lose("Redis refused: " + e.getMessage());
        }
    }

    void carry(NodeEffect effect) {
        try {
            effect.accept(new Carrying());
        } catch (RedisException e) {
            // Too many commands wait for Redis.
            lose("Redis does not keep up: " + e.getMessage());
        } catch (Throwable e) {
            // The other nodes never receive this change. Therefore this node joins again and reads their state.
            lose("a change could not be sent: " + e);
        }
    }

    /** Performs each effect as one function call. All calls use one connection, which preserves their order. */
    private final class Carrying implements NodeEffect.Cases {

        @Override
        public void append(NodeEffect.Append append) {
            long number = append.proposal().number();
            send(number, functions.append(connection.async(), membership, append.proposal()));
        }

        @Override
        public void takeOver(NodeEffect.TakeOver takeOver) {
            send(takeOver.number(), functions.take(connection.async(), membership, takeOver));
        }

        @Override
        public void enroll(NodeEffect.Enroll enroll) {
            enrolled.add(enroll.connectionId());
            check(functions.enroll(connection.async(), membership, enroll));
        }

        @Override
        public void discharge(NodeEffect.Discharge discharge) {
            enrolled.remove(discharge.connectionId());
            check(functions.discharge(connection.async(), membership, discharge.connectionId()));
        }

        @Override
        public void show(NodeEffect.Show show) {
            var kept = SetArgs.Builder.px(SNAPSHOT_KEPT_MILLIS);
            connection
                    .async()
                    .set(snapshotKey(show.node()), show.snapshot(), kept)
                    .exceptionally(e -> {
                        lose("Redis refused a snapshot: " + e.getMessage());
                        return "";
                    });
        }

        private void check(RedisFuture<List<String>> future) {
            send(-1, future);
        }

        private void send(long number, RedisFuture<List<String>> future) {
            future.whenComplete((answer, failed) -> {
                if (failed != null) {
                    lose("Redis refused: " + failed.getMessage());
                    return;
                }
                try {
                    var why = HubFunctions.declined(answer);
                    if (number >= 0) {
                        why.ifPresent(declined -> inputs.declined(number, declined));
                    }
                } catch (MembershipLostException e) {
                    lose(e.sentence());
                }
            });
        }
    }

    private void lose(String why) {
        if (lost == null) {
            lost = why;
        }
    }

    /** Notifies the other nodes that this node leaves, if Redis answers in time. */
    void leave() {
        try {
            answer(functions.leave(connection.async(), membership));
        } catch (RedisException | CancellationException | ExecutionException | TimeoutException e) {
            LOG.log(Level.DEBUG, "the other nodes will remove this node", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        lose("this node is shutting down; reconnect");
    }

    @Override
    public void close() {
        connection.closeAsync();
        reading.closeAsync();
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private XReadArgs.StreamOffset<String>[] from(LogPosition position) {
        // The method xread requires an array of a generic type, and Java offers no other way to create one.
        return new XReadArgs.StreamOffset[] {XReadArgs.StreamOffset.from(settings.log(), position.toString())};
    }

    private String snapshotKey(String node) {
        return settings.log() + ":snapshot:" + node;
    }

    private static List<Logged> entries(@Nullable List<StreamMessage<String, String>> messages) {
        var entries = new ArrayList<Logged>();
        if (messages != null) {
            for (StreamMessage<String, String> message : messages) {
                String text = message.getBody().get(FIELD);
                if (text != null) {
                    entries.add(new Logged(LogPosition.parse(message.getId()), text));
                }
            }
        }
        return entries;
    }

    private static <T> T answer(Future<T> future) throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    }

    /** Returns a new random id. */
    private static String random() {
        byte[] bytes = new byte[9];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
