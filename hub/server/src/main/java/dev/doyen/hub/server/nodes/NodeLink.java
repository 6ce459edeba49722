package dev.doyen.hub.server.nodes;

import dev.doyen.hub.step.NodeEffect;
import dev.doyen.log.FaultLog;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Connects a hub to the other nodes of the same hub.
 *
 * <p>The link joins the nodes, reads their log, and performs the hub's effects. If this node loses its membership, the
 * link informs the hub and joins again.
 *
 * <p>The hub's thread calls {@link #carry}, and a separate thread reads the log. The same thread must start and close
 * the link.
 */
public final class NodeLink implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(NodeLink.class.getName());
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration RECONNECT = Duration.ofMillis(100);
    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 2_000;
    private static final int MAX_WAITING_COMMANDS = 50_000;
    private static final long STOP_MILLIS = 2_000;

    private final FaultLog faults = new FaultLog(LOG);
    private final NodeSettings settings;
    private final ClientResources resources;
    private final RedisClient client;
    private volatile @Nullable NodeLife life;
    private volatile boolean isMember;
    private volatile boolean closed;
    private @Nullable Thread thread;

    /**
     * Creates the link and does not connect it.
     *
     * @throws IllegalArgumentException if the URL is invalid
     */
    public NodeLink(NodeSettings settings) {
        this.settings = settings;
        RedisURI uri = RedisURI.create(settings.redisUrl());
        uri.setTimeout(CONNECT);
        resources = ClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .reconnectDelay(Delay.constant(RECONNECT))
                .nettyCustomizer(new ResetAsClose())
                .build();
        client = RedisClient.create(resources, uri);
        client.setOptions(ClientOptions.builder()
                .socketOptions(SocketOptions.builder().connectTimeout(CONNECT).build())
                .requestQueueSize(MAX_WAITING_COMMANDS)
                // Set no command timeout, because a slow answer can still arrive. Heartbeats detect a lost
                // membership.
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .build());
    }

    /** Starts to join the nodes. The hub becomes a node when the join succeeds. */
    public void start(NodeInputs inputs) {
        var started = new Thread(() -> live(inputs), "doyen-nodes");
        started.setDaemon(true);
        thread = started;
        started.start();
    }

    /** Performs an effect of the hub. Drops the effect if this node is not a member. */
    public void carry(NodeEffect effect) {
        NodeLife now = life;
        if (now != null) {
            now.carry(effect);
        }
    }

    /**
     * Returns the reason why this node accepts no clients. The result is empty while this node is a member of the
     * group. Threads: any.
     */
    public Optional<String> fault() {
        return isMember
                ? Optional.empty()
                : Optional.of("this node has not joined the other nodes through Redis; it tries again");
    }

    private void live(NodeInputs inputs) {
        long pause = FIRST_PAUSE_MILLIS;
        while (!closed) {
            boolean wasIn = false;
            String why;
            try (var begun = NodeLife.begin(client, settings, inputs)) {
                life = begun;
                begun.joined();
                wasIn = true;
                isMember = true;
                pause = FIRST_PAUSE_MILLIS;
                why = begun.readUntilLost();
            } catch (MembershipLostException e) {
                why = e.sentence();
            } catch (RedisException | CancellationException | ExecutionException | TimeoutException e) {
                why = "this node cannot reach the others: " + reason(e);
            } catch (InterruptedException e) {
                return;
            } catch (Throwable e) {
                why = "the link to them failed: " + e;
                faults.report("the link to the other nodes", e);
            } finally {
                isMember = false;
                life = null;
            }
            if (closed) {
                return;
            }
            String reason = why;
            faults.survives(
                    "a line of the log",
                    () -> LOG.log(Level.WARNING, "this hub has lost the connection to the other nodes: " + reason));
            try {
                if (wasIn) {
                    inputs.outOfTouch(why).get();
                }
            } catch (InterruptedException e) {
                return;
            } catch (Throwable e) {
                faults.report("removing this hub from the nodes", e);
            }
            try {
                Thread.sleep(pause);
            } catch (InterruptedException e) {
                return;
            }
            pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        }
    }

    private static String reason(Exception e) {
        Throwable cause = FaultLog.rootCause(e);
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    /** Leaves the group of nodes. Clients can resume this node's connections on the other nodes. */
    @Override
    public void close() {
        closed = true;
        NodeLife now = life;
        if (now != null) {
            now.leave();
        }
        Thread reading = thread;
        if (reading != null) {
            reading.interrupt();
            try {
                reading.join(STOP_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        client.shutdown(Duration.ZERO, Duration.ofMillis(STOP_MILLIS));
        resources.shutdown(0, STOP_MILLIS, TimeUnit.MILLISECONDS);
    }
}
