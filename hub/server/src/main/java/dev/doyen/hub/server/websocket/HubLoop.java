package dev.doyen.hub.server.websocket;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.hub.Hub;
import dev.doyen.hub.HubCounts;
import dev.doyen.hub.auth.ClientIdentity;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.auth.IssuerKeys;
import dev.doyen.hub.claim.HeldClaim;
import dev.doyen.hub.connection.ConnectRequest;
import dev.doyen.hub.log.Declined;
import dev.doyen.hub.log.Joined;
import dev.doyen.hub.log.Logged;
import dev.doyen.hub.rest.RestAnswer;
import dev.doyen.hub.rest.RestRequest;
import dev.doyen.hub.server.claims.ClaimOutcomes;
import dev.doyen.hub.server.claims.Claims;
import dev.doyen.hub.server.issuers.IssuerKeySources;
import dev.doyen.hub.server.nodes.NodeInputs;
import dev.doyen.hub.server.revocations.RevocationFile;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.HubEffect;
import dev.doyen.hub.step.NodeEffect;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.step.SlotStepDown;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.FrameCodec;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.log.FaultLog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Owns the hub on one thread. The loop takes inputs in order and performs their effects.
 *
 * <p>The loop reads the monotonic clock and the wall clock once per input. If the hub throws on an input of a session,
 * the loop ends that session. No exception from the hub ends this loop. The queue of the loop is bounded by the limits
 * of sessions and requests ({@link WaitingInputs}, {@link RestLimits}) and one claim per member.
 *
 * <p>The class is longer than most classes, because each kind of input and effect has its own method.
 *
 * <p>Threads: any. But the hub's thread must not call a method that waits.
 */
public final class HubLoop implements ClaimOutcomes, NodeInputs, IssuerKeySources.Receiver {

    private static final System.Logger LOG = System.getLogger(HubLoop.class.getName());
    private static final long SETTLE_MILLIS = 500;
    private static final long SETTLE_LOOK_MILLIS = 2;
    private static final long STOP_MILLIS = 1_500;
    private static final String SHUTTING_DOWN = "the hub is shutting down; reconnect";
    private static final ErrorInfo REQUEST_FAILED =
            ErrorCode.INTERNAL.because("the hub failed on this request; its log has the reason");

    /**
     * The pause after a failed wake-up of the hub, in nanoseconds. Without the pause, a repeated failure would use a
     * whole CPU.
     */
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The time that an input may wait for the hub's thread. After a longer wait, the hub counts as unhealthy. */
    private static final Duration MAX_DELAY = Duration.ofSeconds(10);

    private final FaultLog faults = new FaultLog(LOG);
    private final HubInputs hub;
    private final FrameEncoder codec;
    private final Claims claims;
    private final DefaultEventExecutor thread = new DefaultEventExecutor(new DefaultThreadFactory("doyen-hub", true));
    private final QueueProbe probe = new QueueProbe(thread, System::nanoTime, MAX_DELAY);
    private final LoopLag lag = new LoopLag(System.nanoTime());
    private final Entropy entropy = new Entropy();

    // The hub's thread owns the fields below, except the volatile fields.
    private final Map<SessionId, Session> sessions = new HashMap<>();
    /** The sessions that a drain has ended. */
    private final List<Session> rejected = new ArrayList<>();

    private final Map<Long, PendingRequest> pendingRequests = new HashMap<>();
    private long lastRequest;
    private final OutboundBytes outboundBytes = new OutboundBytes();
    private final Outbox outbox = new Outbox(outboundBytes);
    private final Effects effects = new Effects();
    private final Map<Long, CompletableFuture<HubEffect.SteppedDown>> orders = new HashMap<>();
    private long lastOrder;
    private final List<HubTap> taps = new ArrayList<>();
    /** The channel of the current input; null if the loop does not know the channel. */
    private @Nullable String channel;

    private volatile @Nullable RevocationFile revocations;
    /**
     * Completes when the newest write of revocations has ended. The answers to requests wait for this future. A failed
     * write does not affect requests that arrive after the failure.
     */
    private CompletableFuture<Void> stored = CompletableFuture.completedFuture(null);

    private volatile Consumer<NodeEffect> amongNodes = effect -> {
        throw new IllegalStateException("this hub has no other nodes");
    };
    private volatile @Nullable Drain drain;
    /** The counts after the last inputs. */
    private volatile HubCounts counts;

    private boolean handOverDue;
    private boolean stopped;
    private long alarmNanos;
    private boolean alarmSet;

    public HubLoop(Hub hub, FrameCodec codec, Claims claims) {
        this(HubInputs.of(hub), codec::encode, claims);
    }

    HubLoop(HubInputs hub, FrameEncoder codec, Claims claims) {
        this.hub = hub;
        this.codec = codec;
        this.claims = claims;
        this.counts = hub.counts();
    }

    void opened(Session session, ConnectRequest request) {
        input(
                () -> {
                    sessions.put(session.id(), session);
                    decide(session, at -> hub.opened(at, session.id(), request, entropy.next()));
                },
                () -> session.eventLoop().execute(() -> session.end(shutDownFrame(session))));
    }

    /**
     * A request that waits for its answer. The hub's thread calls the methods, with two exceptions. If the answer waits
     * for the storage of revocations, the thread of the {@link RevocationFile} calls {@link #answered} or {@link
     * #failed}. If the hub has stopped, the thread that passes the request can call {@link #failed}.
     */
    interface PendingRequest {
        void answered(RestAnswer answer);

        /** Returns the client's address; empty if it is unknown. */
        String address();

        /**
         * Called if the hub has stopped, has failed on the request, or could not store the revocations. The error
         * contains the reason.
         */
        void failed(ErrorInfo error);
    }

    void requested(RestRequest request, PendingRequest pending) {
        input(
                () -> {
                    long id = ++lastRequest;
                    pendingRequests.put(id, pending);
                    if (stored.isCompletedExceptionally()) {
                        stored = CompletableFuture.completedFuture(null);
                    }
                    try {
                        carryOut(hub.requested(now(), id, request, entropy.next()));
                    } catch (Throwable e) {
                        faults.report("handling a request", e);
                        pendingRequests.remove(id);
                        pending.failed(REQUEST_FAILED);
                    }
                },
                () -> pending.failed(ErrorCode.UNAVAILABLE.because(
                        "the hub is shutting down and has not carried out the request; try again in a second")));
    }

    /** Replaces the keys of the hub. The method does not wait until the hub uses the new keys. */
    public void keysChanged(HubKeys keys) {
        input(() -> decide(at -> hub.keysChanged(at, keys)));
    }

    @Override
    public void issuerKeysChanged(String issuer, IssuerKeys keys) {
        input(() -> decide(at -> hub.issuerKeysChanged(at, issuer, keys)));
    }

    @Override
    public boolean takeUnknownKey(String issuer) {
        var answer = new CompletableFuture<Boolean>();
        input(
                () -> {
                    try {
                        answer.complete(hub.takeUnknownKey(issuer));
                    } finally {
                        // Without this call, the caller would wait forever if the hub fails.
                        answer.complete(false);
                    }
                },
                () -> answer.complete(false));
        return answer.join();
    }

    /** Discards the answer to a request, because its caller has stopped waiting. */
    void forget(PendingRequest pending) {
        input(() -> pendingRequests.values().remove(pending));
    }

    void received(Session session, ProtocolMessage message, int bytes) {
        input(() -> {
            session.waiting().taken(bytes);
            channel = message.channel();
            taps.forEach(tap -> tap.received(message));
            decideIfOpen(session, at -> hub.received(at, session.id(), message));
        });
    }

    void garbled(Session session, String reason, int bytes) {
        input(() -> {
            session.waiting().taken(bytes);
            decideIfOpen(session, at -> hub.garbled(at, session.id(), reason));
        });
    }

    /** Reports malformed input, and ends the session, because later input cannot be decoded. */
    void unreadable(Session session, String reason) {
        input(() -> {
            decideIfOpen(session, at -> hub.garbled(at, session.id(), reason));
            end(session, ErrorCode.UNAVAILABLE, reason);
        });
    }

    /** Reports that the socket has taken all frames before {@link HubEffect.AwaitFlush}. */
    void flushed(Session session) {
        input(() -> decideIfOpen(session, at -> hub.flushed(at, session.id())));
    }

    void lost(Session session) {
        input(() -> {
            if (sessions.remove(session.id()) != null) {
                decide(session, at -> hub.socketLost(at, session.id()));
            }
        });
    }

    /** Handles the end of a socket that its {@link Session} has dropped. The {@code frame} contains the reason. */
    void dropped(Session session, ProtocolMessage frame) {
        input(() -> {
            if (sessions.remove(session.id()) != null) {
                reportRejection(session, frame);
                decide(session, at -> hub.socketLost(at, session.id()));
            }
        });
    }

    @Override
    public void granted(Claimant claimant, long term, SavedState left) {
        input(() -> {
            if (!decide(at -> hub.claimGranted(at, claimant, term, left))) {
                // The client does not know that it leads. Without these calls, the lease would be renewed forever.
                decide(at -> hub.claimLost(at, claimant, term, LossCause.EXPIRED));
                claims.release(claimant);
            }
        });
    }

    @Override
    public void saved(Claimant claimant, long term, long number) {
        input(() -> decide(at -> hub.stateSaved(at, claimant, term, number)));
    }

    @Override
    public void refused(Claimant claimant, Optional<Leader> holder) {
        input(() -> {
            channel = claimant.channel();
            decide(at -> hub.claimRefused(at, claimant, holder));
        });
    }

    @Override
    public void lost(Claimant claimant, long term, LossCause cause) {
        input(() -> decide(at -> hub.claimLost(at, claimant, term, cause)));
    }

    @Override
    public void paused(Claimant claimant, String why) {
        input(() -> {
            channel = claimant.channel();
            decide(at -> hub.claimPaused(at, claimant, why));
        });
    }

    @Override
    public CompletableFuture<Void> joined(Joined joined) {
        return taken(at -> hub.joined(at, joined));
    }

    @Override
    public CompletableFuture<Void> logged(List<Logged> entries) {
        return taken(at -> hub.logged(at, entries));
    }

    @Override
    public void declined(long number, Declined why) {
        input(() -> decide(at -> hub.declined(at, number, why)));
    }

    @Override
    public CompletableFuture<Void> outOfTouch(String why) {
        return taken(at -> hub.outOfTouch(at, why));
    }

    /**
     * Processes an input. The future completes after the hub has processed the input, and fails if the hub fails.
     *
     * <p>If the hub has stopped, the future completes and the input has no effect.
     */
    private CompletableFuture<Void> taken(Function<Moment, List<HubEffect>> decision) {
        var done = new CompletableFuture<Void>();
        input(
                () -> {
                    try {
                        carryOut(decision.apply(now()));
                        done.complete(null);
                    } catch (Throwable e) {
                        done.completeExceptionally(e);
                    }
                },
                // This loop stops before the link to the other nodes. Inputs that the link passes later are ignored.
                () -> done.complete(null));
        return done;
    }

    /**
     * Sets the receiver of effects for other nodes. The caller must set the receiver before the hub returns the first
     * effect for other nodes.
     */
    public void connect(Consumer<NodeEffect> nodes) {
        amongNodes = nodes;
    }

    /**
     * Sets the file that stores the revocations. The loop closes the file when it stops. The caller must set the file
     * before the first input. Without a file, a restart of the hub loses the revocations.
     */
    public void storeRevocationsIn(RevocationFile file) {
        revocations = file;
    }

    /**
     * Asks the holder of a slot to step down. The outcome is {@code NOT_HELD} if no member of this hub holds the slot.
     *
     * <p>The future fails if the hub fails on the command or has stopped.
     */
    public CompletableFuture<HubEffect.SteppedDown> stepDown(String election, SlotStepDown stepDown) {
        var done = new CompletableFuture<HubEffect.SteppedDown>();
        input(
                () -> {
                    long order = ++lastOrder;
                    orders.put(order, done);
                    decide(at -> hub.stepDown(at, order, election, stepDown));
                    // If the command is still in the map, the hub failed and produced no answer.
                    if (orders.remove(order) != null) {
                        done.completeExceptionally(
                                new IllegalStateException("the hub failed on the command; see the log"));
                    }
                },
                () -> done.completeExceptionally(new IllegalStateException("the hub has stopped")));
        return done;
    }

    /** Returns false if a probe has waited for the hub's thread for over 10 s. A call starts a probe if none waits. */
    public boolean isResponsive() {
        return probe.isProcessed();
    }

    /**
     * Returns the counts and the load of the hub's thread. The method does not wait for that thread, so it also returns
     * if the thread hangs.
     */
    public LoopSnapshot snapshot() {
        probe.isProcessed();
        return new LoopSnapshot(
                counts,
                thread.pendingTasks(),
                Math.max(lag.maxNanos(System.nanoTime()), probe.waitingNanos()),
                outboundBytes.queued(),
                outboundBytes.sent());
    }

    OutboundBytes outboundBytes() {
        return outboundBytes;
    }

    /** Adds an observer of the hub's frames and rejections. */
    public void tapInto(HubTap observer) {
        input(() -> taps.add(observer));
    }

    /** Passes the rejection of a request to the observers. The hub itself has not processed the request. */
    public void reportRejected(String address, ErrorInfo error) {
        input(() -> taps.forEach(tap -> tap.rejectedRequest(address, error)));
    }

    /**
     * Passes the error of a frame to the observers. Skips CONNECTED and ATTACHED frames, because an error in these
     * frames only informs the client.
     */
    private void reportRejection(Session session, ProtocolMessage frame) {
        ErrorInfo error = frame.error();
        if (error != null && frame.action() != Action.CONNECTED && frame.action() != Action.ATTACHED) {
            ClientIdentity client = hub.clientOf(session.id());
            String rejectedOn = frame.channel() == null ? channel : frame.channel();
            taps.forEach(tap -> tap.rejected(client, session.address(), rejectedOn, error));
        }
    }

    /**
     * Calls {@code observer} with the hub on this loop's thread. The method does nothing after the loop has stopped.
     */
    public void look(Consumer<HubView> observer) {
        input(() -> observer.accept(hub));
    }

    /**
     * Calls {@code observer} with the hub on this loop's thread. After the loop has stopped, the method calls {@code
     * stopped} instead, on any thread.
     */
    public void look(Consumer<HubView> observer, Runnable stopped) {
        input(() -> observer.accept(hub), stopped);
    }

    /**
     * Disconnects all clients that do not lead, evenly during the given time.
     *
     * <p>The method returns when the drain is complete, or if the hub's thread is too late. The caller must then call
     * {@link #stop}. A call of {@link #hurry} completes the drain early.
     */
    public void drain(Duration over) {
        var next = new Drain(new DrainRate(over), thread, sessions::values, hub::claims, session -> {
            end(session, ErrorCode.SOCKET_GIVEN_UP, SHUTTING_DOWN);
            rejected.add(session);
            handOverSoon();
        });
        drain = next;
        await(next.start(), over.toMillis() + STOP_MILLIS);
    }

    /** Waits until the future completes, but at most {@code millis} milliseconds. */
    private static void await(CompletableFuture<Void> done, long millis) {
        try {
            done.get(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.DEBUG, "the program continues without it", e);
        }
    }

    /** Ends a running drain early. */
    public void hurry() {
        var underWay = drain;
        if (underWay != null) {
            underWay.hurry();
        }
    }

    /**
     * Ends all claims, disconnects the remaining clients, and stops the loop (rule C20).
     *
     * <p>The method waits until these clients have read the last frame and closed their sockets. It also waits for the
     * clients that an earlier {@link #drain} has disconnected. The wait ends after a few seconds at most. If a holder
     * has not confirmed the end of its claim by then, the loop does not release the holder's lease, and the lease
     * expires ({@link Session#hasPeerReadLastFrames}).
     */
    public void stop() {
        var leaving = new ArrayList<Session>();
        var recipients = new ArrayList<Session>();
        var held = new ArrayList<HeldClaim>();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STOP_MILLIS);
        var settled = new CompletableFuture<Void>();
        thread.execute(() -> {
            held.addAll(hub.claims());
            decide(hub::retire);
            handOverSoon();
            awaitSettled(settled, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SETTLE_MILLIS));
        });
        await(settled, STOP_MILLIS);
        var notified = thread.submit(() -> {
            // The hub granted these claims after it began to retire. Their holders were not notified that the claims
            // end, so no holder will confirm that it has stopped.
            var ended = new HashSet<Claimant>();
            held.forEach(claim -> ended.add(claim.claimant()));
            for (var claim : hub.claims()) {
                if (!ended.contains(claim.claimant())) {
                    held.add(new HeldClaim(claim.claimant(), null));
                }
            }
            stopped = true;
            for (var session : sessions.values()) {
                outbox.addLast(session, shutDownFrame(session));
            }
            pendingRequests
                    .values()
                    .forEach(pending -> pending.failed(ErrorCode.UNAVAILABLE.because(
                            "the hub is shutting down; the request may have been carried out")));
            pendingRequests.clear();
            leaving.addAll(sessions.values());
            leaving.addAll(rejected);
            if (hub.isSettled()) {
                recipients.addAll(leaving);
            }
            sessions.clear();
            outbox.handOver();
        });
        if (notified.awaitUninterruptibly(STOP_MILLIS)) {
            for (var session : leaving) {
                session.awaitClosed(deadline - System.nanoTime());
            }
            abandon(held, recipients);
        } else {
            LOG.log(
                    Level.WARNING,
                    "the clients were not notified that their claims end, because the thread of the hub is late: their"
                            + " leases expire");
            claims.abandonAll();
        }
        RevocationFile file = revocations;
        if (file != null) {
            file.close();
        }
        thread.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * Completes {@code settled} when all decisions of this hub have taken effect, or at {@code untilNanos}.
     *
     * <p>A node reads the ends of its claims from the nodes' log. The clients must receive them before DISCONNECTED.
     */
    private void awaitSettled(CompletableFuture<Void> settled, long untilNanos) {
        if (hub.isSettled() || untilNanos - System.nanoTime() <= 0) {
            settled.complete(null);
        } else {
            thread.schedule(() -> awaitSettled(settled, untilNanos), SETTLE_LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Abandons the claims whose holders can still lead.
     *
     * @param recipients the sessions to which the hub has sent the end of their claims
     */
    private void abandon(List<HeldClaim> held, List<Session> recipients) {
        var read = new HashSet<SessionId>();
        for (var session : recipients) {
            if (session.hasPeerReadLastFrames()) {
                read.add(session.id());
            }
        }
        for (var claim : held) {
            if (claim.session() == null || !read.contains(claim.session())) {
                LOG.log(
                        Level.INFO,
                        "election={0} {1} did not acknowledge the end of its claim in time: its lease expires",
                        claim.claimant().election(),
                        claim.claimant().clientId());
                claims.abandon(claim.claimant());
            }
        }
    }

    /** Builds the frame that asks a client to reconnect, with a sentence for its log. */
    static ProtocolMessage disconnected(ErrorCode code, String sentence) {
        return ProtocolMessage.builder(Action.DISCONNECTED)
                .error(code.because(sentence))
                .build();
    }

    private ByteBuf shutDownFrame(Session session) {
        return frame(disconnected(ErrorCode.SOCKET_GIVEN_UP, SHUTTING_DOWN), session.format());
    }

    ByteBuf frame(ProtocolMessage message, Format format) {
        return WireFrame.message(codec.encode(message, format), format);
    }

    private void input(Runnable input) {
        input(input, () -> LOG.log(Level.DEBUG, "an input came after the hub had stopped"));
    }

    /**
     * @param refused the action that runs instead of the input if the hub has stopped
     */
    private void input(Runnable input, Runnable refused) {
        long queuedNanos = System.nanoTime();
        try {
            thread.execute(() -> {
                long nowNanos = System.nanoTime();
                lag.record(nowNanos - queuedNanos, nowNanos);
                if (stopped) {
                    refused.run();
                } else {
                    faults.survives("an input of the hub", input);
                    channel = null;
                    faults.survives("the hub's alarm", this::setAlarm);
                    faults.survives("passing frames to the event loops", this::handOverSoon);
                }
            });
        } catch (RejectedExecutionException e) {
            refused.run();
        }
    }

    private void decideIfOpen(Session session, Function<Moment, List<HubEffect>> decision) {
        if (sessions.containsKey(session.id())) {
            decide(session, decision);
        }
    }

    private void decide(Session session, Function<Moment, List<HubEffect>> decision) {
        try {
            carryOut(decision.apply(now()));
        } catch (Throwable e) {
            faults.report("handling an input of a session", e);
            end(session, ErrorCode.UNAVAILABLE, "the hub failed on the last frame of this connection");
        }
    }

    /** Calls the hub with the current time. Returns false if the hub failed. */
    private boolean decide(Function<Moment, List<HubEffect>> decision) {
        return faults.survives("handling the result of a claim or a timer", () -> carryOut(decision.apply(now())));
    }

    private void end(Session session, ErrorCode code, String sentence) {
        if (sessions.remove(session.id()) == null) {
            return;
        }
        var last = disconnected(code, sentence);
        if (code != ErrorCode.SOCKET_GIVEN_UP) {
            reportRejection(session, last);
        }
        outbox.addLast(session, frame(last, session.format()));
        decide(at -> hub.socketLost(at, session.id()));
    }

    private void carryOut(List<HubEffect> due) {
        for (var effect : due) {
            faults.survives("the hub's effect " + effect.getClass().getSimpleName(), () -> effect.accept(effects));
        }
    }

    /** Hands the frames over after all waiting inputs. One flush then sends the output of all these inputs. */
    private void handOverSoon() {
        if (!handOverDue) {
            thread.execute(() -> {
                handOverDue = false;
                counts = hub.counts();
                faults.survives("passing frames to the event loops", outbox::handOver);
            });
            handOverDue = true;
        }
    }

    private void setAlarm() {
        var wake = hub.nextWakeNanos();
        if (wake.isEmpty() || (alarmSet && alarmNanos - wake.getAsLong() <= 0)) {
            return;
        }
        setAlarmTo(wake.getAsLong());
    }

    private void setAlarmTo(long nanos) {
        thread.schedule(() -> ring(nanos), Math.max(0, nanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        alarmSet = true;
        alarmNanos = nanos;
    }

    private void ring(long setTo) {
        if (stopped || !alarmSet || alarmNanos != setTo) {
            return;
        }
        alarmSet = false;
        var due = hub.nextWakeNanos();
        if (due.isPresent() && due.getAsLong() - System.nanoTime() <= 0) {
            if (!decide(hub::wake)) {
                setAlarmTo(System.nanoTime() + REST_NANOS);
                return;
            }
        }
        setAlarm();
        handOverSoon();
    }

    private static Moment now() {
        return new Moment(System.nanoTime(), System.currentTimeMillis());
    }

    /** Performs the hub's effects and ignores effects for sessions that have ended. */
    private final class Effects implements HubEffect.Cases {

        @Override
        public void send(HubEffect.Send effect) {
            var session = sessions.get(effect.session());
            if (session != null) {
                taps.forEach(tap -> tap.sent(effect.message()));
                reportRejection(session, effect.message());
                outbox.add(session, frame(effect.message(), session.format()));
            }
        }

        @Override
        public void fanOut(HubEffect.FanOut effect) {
            var receivers = new EnumMap<Format, List<Session>>(Format.class);
            for (var id : effect.sessions()) {
                var session = sessions.get(id);
                if (session != null) {
                    receivers
                            .computeIfAbsent(session.format(), format -> new ArrayList<>())
                            .add(session);
                }
            }
            receivers.forEach((format, all) -> outbox.addAll(all, frame(effect.message(), format)));
            taps.forEach(tap -> tap.fannedOut(effect.sessions().size(), effect.message()));
        }

        @Override
        public void answer(HubEffect.Answer effect) {
            var pending = pendingRequests.remove(effect.requestId());
            if (pending != null) {
                if (effect.answer().error() != null) {
                    taps.forEach(tap -> tap.rejectedRequest(
                            pending.address(), effect.answer().error()));
                }
                stored.whenComplete((done, failure) -> {
                    if (failure == null) {
                        pending.answered(effect.answer());
                    } else {
                        pending.failed(REQUEST_FAILED);
                    }
                });
            }
        }

        @Override
        public void storeRevocations(HubEffect.StoreRevocations effect) {
            RevocationFile file = revocations;
            if (file != null) {
                stored = file.store(effect.all());
                stored.whenComplete((done, failure) -> {
                    if (failure != null) {
                        faults.report("storing the revocations", failure);
                    }
                });
            }
        }

        @Override
        public void close(HubEffect.Close effect) {
            var session = sessions.remove(effect.session());
            if (session != null) {
                outbox.addLast(session, Unpooled.EMPTY_BUFFER);
            }
        }

        @Override
        public void awaitFlush(HubEffect.AwaitFlush effect) {
            var session = sessions.get(effect.session());
            if (session != null) {
                outbox.awaitFlush(session);
            }
        }

        @Override
        public void claim(HubEffect.Claim effect) {
            try {
                claims.claim(effect.claimant());
            } catch (Throwable e) {
                faults.report("a claim", e);
                refused(effect.claimant(), Optional.empty());
            }
        }

        @Override
        public void steppedDown(HubEffect.SteppedDown effect) {
            var waiting = orders.remove(effect.order());
            if (waiting != null) {
                waiting.complete(effect);
            }
        }

        @Override
        public void save(HubEffect.Save effect) {
            claims.save(effect.claimant(), effect.term(), effect.number(), effect.state());
        }

        @Override
        public void amongNodes(NodeEffect effect) {
            amongNodes.accept(effect);
        }

        @Override
        public void release(HubEffect.Release effect) {
            claims.release(effect.claimant());
        }
    }
}
