package dev.doyen.hub.server.websocket;

import dev.doyen.hub.claim.HeldClaim;
import dev.doyen.hub.step.SessionId;
import dev.doyen.log.FaultLog;
import io.netty.util.concurrent.EventExecutor;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Disconnects the clients of a hub that shuts down, evenly during a given time.
 *
 * <p>The even pace limits the load on the hubs to which the clients reconnect. The drain does not disconnect leaders.
 * {@link HubLoop#stop} disconnects the leaders after the drain. Each leader is then replaced only once, by a client
 * that has already moved (rule C20).
 *
 * <p>Only the hub's thread calls the methods, except {@link #start} and {@link #hurry}. A drain ends by itself when its
 * time has passed.
 */
final class Drain {

    private static final System.Logger LOG = System.getLogger(Drain.class.getName());

    private final FaultLog faults = new FaultLog(LOG);
    private final DrainRate pace;
    private final EventExecutor hubThread;
    private final Supplier<Collection<Session>> sessions;
    private final Supplier<List<HeldClaim>> claims;
    private final Consumer<Session> end;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private int notified;

    /**
     * Creates a drain.
     *
     * @param end the action that ends one session and removes it from {@code sessions}
     */
    Drain(
            DrainRate pace,
            EventExecutor hubThread,
            Supplier<Collection<Session>> sessions,
            Supplier<List<HeldClaim>> claims,
            Consumer<Session> end) {
        this.pace = pace;
        this.hubThread = hubThread;
        this.sessions = sessions;
        this.claims = claims;
        this.end = end;
    }

    /** Starts the drain. The future completes when only leaders are left. */
    CompletableFuture<Void> start() {
        hubThread.execute(() -> {
            int clients = sessions.get().size();
            if (clients > 0) {
                LOG.log(Level.INFO, "draining: {0} clients are asked to reconnect, leaders last", clients);
            }
            tick();
        });
        return done;
    }

    void hurry() {
        hubThread.execute(() -> {
            if (!done.isDone()) {
                LOG.log(Level.INFO, "draining at once, after a second signal: {0} clients were asked so far", notified);
                pace.hurry();
                tick();
            }
        });
    }

    private void tick() {
        if (done.isDone()) {
            return;
        }
        var leading = new HashSet<SessionId>();
        for (var claim : claims.get()) {
            if (claim.session() != null) {
                leading.add(claim.session());
            }
        }
        var waiting = sessions.get().stream()
                .filter(session -> !leading.contains(session.id()))
                .toList();
        int now = pace.next(waiting.size());
        waiting.subList(0, now).forEach(session -> faults.survives("ending a session", () -> end.accept(session)));
        notified += now;
        if (now < waiting.size()) {
            hubThread.schedule(this::tick, DrainRate.TICK_MILLIS, TimeUnit.MILLISECONDS);
            return;
        }
        if (notified > 0) {
            LOG.log(
                    Level.INFO,
                    "drained: {0} clients were asked to reconnect; {1} leaders are asked now",
                    notified,
                    leading.size());
        }
        done.complete(null);
    }
}
