package dev.doyen.channel;

import com.google.gson.JsonObject;
import dev.doyen.channel.roll.Entry;
import dev.doyen.channel.roll.RollCall;
import dev.doyen.channel.roll.RollState;
import dev.doyen.membership.Member;
import dev.doyen.membership.Membership;
import dev.doyen.membership.MembershipListener;
import dev.doyen.membership.Subscriptions;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import dev.doyen.store.FaultLog;
import io.ably.lib.realtime.AblyRealtime;
import io.ably.lib.realtime.Channel;
import io.ably.lib.realtime.ChannelState;
import io.ably.lib.realtime.ChannelStateListener.ChannelStateChange;
import io.ably.lib.realtime.ConnectionState;
import io.ably.lib.types.AblyException;
import io.ably.lib.types.ClientOptions;
import io.ably.lib.types.ErrorInfo;
import io.ably.lib.types.Message;
import io.ably.lib.types.PresenceMessage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A membership over a channel of any hub that speaks Ably's protocol. Browsers with {@code RingSwarm} are members of the
 * same ring.
 *
 * <p>A member's id is its client id. Its incarnation is random, new with each {@link #open}. Whoever may enter the channel's
 * presence and publish there may take part, and disturb; the hub vouches for the client id of who says something.
 *
 * <p>A message to one member is heard by all who are attached, and dropped there: for tens of members, not for thousands.
 *
 * <p>Threads: one of its own, on which everything happens; another that waits for the SDK to know all members. Both are
 * daemons. The SDK has its own.
 *
 * <p>Longer than most: the SDK's callbacks and the loop that takes them are read in one place.
 */
public final class ChannelMembership implements Membership {

    /** So many messages wait to be handed to the SDK; further ones are not taken. */
    static final int MAX_UNSENT = 1_000;

    private static final System.Logger LOG = System.getLogger("dev.doyen.channel");

    private static final Duration SAY = Duration.ofSeconds(1);
    private static final Duration OPEN_WITHIN = Duration.ofSeconds(15);
    private static final Duration LEAVE_WITHIN = Duration.ofSeconds(2);

    /** The SDK's own 15 s and 30 s would keep a member away for that long after a hub was restarted. */
    private static final long DISCONNECTED_RETRY_MILLIS = 2_000;

    private static final long SUSPENDED_RETRY_MILLIS = 5_000;

    private final AblyRealtime client;
    private final Channel channel;
    private final Member me;
    private final Subscriptions subscriptions = new Subscriptions();
    private final FaultLog faults = new FaultLog(LOG);
    private final ScheduledExecutorService loop = oneThread("doyen-channel");
    private final ScheduledExecutorService syncs = oneThread("doyen-channel-sync");
    private final AtomicInteger unsent = new AtomicInteger();
    private final long beginNanos = System.nanoTime();

    // Touched by the loop only.
    private RollState roll;
    private @Nullable ScheduledFuture<?> wake;
    private int sync;

    private ChannelMembership(AblyRealtime client, Channel channel, Member me) {
        this.client = client;
        this.channel = channel;
        this.me = me;
        this.roll = RollState.begin(me, SAY);
    }

    /**
     * Connects, and enters a channel. Waits for that, for 15 s at most.
     *
     * @param options how to reach the hub, with a client id; the connection ends with the membership
     * @throws IllegalArgumentException if the client id cannot be a member's
     * @throws IOException if the channel could not be entered, with the hub's reason if it gave one
     */
    public static ChannelMembership open(ClientOptions options, String channel) throws IOException {
        if (options.clientId == null || options.clientId.equals("*")) {
            throw new IllegalArgumentException(
                    "clientId is " + options.clientId + "; a member needs one of its own, set ClientOptions.clientId");
        }
        var me = new Member(options.clientId, UUID.randomUUID().toString());
        ClientOptions own = options.copy();
        own.autoConnect = false;
        // Who does not hear itself cannot tell who is silent.
        own.echoMessages = true;
        own.disconnectedRetryTimeout = Math.min(own.disconnectedRetryTimeout, DISCONNECTED_RETRY_MILLIS);
        own.suspendedRetryTimeout = Math.min(own.suspendedRetryTimeout, SUSPENDED_RETRY_MILLIS);
        AblyRealtime client;
        try {
            client = new AblyRealtime(own);
        } catch (AblyException e) {
            throw new IOException("no client can be made of these options: " + e.errorInfo.message, e);
        }
        var membership = new ChannelMembership(client, client.channels.get(channel), me);
        try {
            membership.enter();
            return membership;
        } catch (IOException e) {
            membership.end();
            throw e;
        }
    }

    @Override
    public Member me() {
        return me;
    }

    @Override
    public void listen(String topic, MembershipListener listener) {
        subscriptions.listen(topic, listener);
    }

    @Override
    public boolean send(Member to, String topic, byte[] message) {
        Subscriptions.checkSize(to, message);
        View installed = subscriptions.view();
        if (installed == null || !installed.has(to) || subscriptions.hasEnded()) {
            return false;
        }
        if (unsent.incrementAndGet() > MAX_UNSENT) {
            unsent.decrementAndGet();
            return false;
        }
        return onLoop(() -> {
            unsent.decrementAndGet();
            if (to.equals(me)) {
                subscriptions.receive(me, topic, message);
            } else {
                publish(ChannelWords.letter(to, me, viewId(), topic, message));
            }
        });
    }

    @Override
    public Optional<Duration> silence() {
        return Optional.of(RollState.silence(SAY));
    }

    @Override
    public void close() {
        if (!subscriptions.hasEnded()) {
            var left = new CompletableFuture<Optional<ErrorInfo>>();
            // After what was said last.
            boolean asked = onLoop(() -> Asking.asked(answer -> channel.presence.leave(answer), left::complete));
            try {
                if (asked) {
                    left.get(LEAVE_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                LOG.log(Level.DEBUG, "could not say goodbye; the hub will notice", e);
            }
        }
        end();
    }

    private void end() {
        subscriptions.end();
        loop.shutdownNow();
        syncs.shutdownNow();
        client.close();
    }

    private void enter() throws IOException {
        var entered = new CompletableFuture<Optional<ErrorInfo>>();
        client.connection.on(change -> {
            if (change.current == ConnectionState.failed) {
                LOG.log(
                        Level.WARNING,
                        "the connection of " + me + " has failed and is not tried again: " + change.reason);
            }
            input(change.current == ConnectionState.connected ? RollCall::connected : RollCall::disconnected);
        });
        channel.on(this::channelChanged);
        try {
            channel.presence.subscribe(this::heardOfMember);
            channel.subscribe(this::heard);
        } catch (AblyException e) {
            throw new IOException("the channel \"" + channel.name + "\" cannot be heard: " + e.errorInfo.message, e);
        }
        client.connect();
        Asking.asked(answer -> channel.presence.enter(ChannelWords.presence(me), answer), entered::complete);
        Optional<ErrorInfo> refusal;
        try {
            refusal = entered.get(OPEN_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            ErrorInfo reason = client.connection.reason;
            throw new IOException("the channel \"" + channel.name + "\" could not be entered within "
                    + OPEN_WITHIN.toSeconds() + " s, the connection is " + client.connection.state
                    + (reason == null ? "" : ": " + reason.message) + "; check host, port, TLS and key");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted before the channel \"" + channel.name + "\" was entered", e);
        } catch (ExecutionException e) {
            throw new IOException("the channel \"" + channel.name + "\" could not be entered", e.getCause());
        }
        if (refusal.isPresent()) {
            throw new IOException(
                    "the hub refused to enter the channel \"" + channel.name + "\": " + refusal.get().message);
        }
    }

    // What the SDK says becomes input.

    private void channelChanged(ChannelStateChange change) {
        onLoop(() -> {
            if (change.current != ChannelState.attached) {
                take(RollCall::syncStarted);
                return;
            }
            if (!change.resumed || !roll.synced()) {
                attached();
            }
            if (change.resumed && change.previous == ChannelState.attached) {
                enterAgain();
            }
        });
    }

    /** So the SDK reports that its own entering again has failed. Who is in the set already only says the same once more. */
    private void enterAgain() {
        Asking.asked(
                answer -> channel.presence.enter(ChannelWords.presence(me), answer),
                refusal -> refusal.ifPresent(reason -> LOG.log(
                        Level.WARNING,
                        "the hub did not let this member in on " + channel.name + ": " + reason.message)));
    }

    private void attached() {
        take(RollCall::connected);
        take(RollCall::syncStarted);
        int mine = ++sync;
        onThread(syncs, Duration.ZERO, () -> complete(mine));
    }

    /** Waits for the SDK to have heard of all members. */
    private void complete(int mine) {
        try {
            PresenceMessage[] all = channel.presence.get(true);
            List<Entry> entries =
                    Arrays.stream(all).map(ChannelMembership::entry).toList();
            onLoop(() -> {
                if (mine == sync) {
                    take(call -> call.syncComplete(entries));
                }
            });
        } catch (AblyException e) {
            // The channel is not attached any more: when it is, this begins anew.
            LOG.log(Level.DEBUG, "the members of " + channel.name + " could not be heard", e);
        } catch (Throwable e) {
            faults.report("the reading of the members", e);
            // The SDK reports a sync once. So the members are read again.
            onThread(syncs, SAY, () -> completeAgain(mine));
        }
    }

    private void completeAgain(int mine) {
        onLoop(() -> {
            if (mine == sync) {
                onThread(syncs, Duration.ZERO, () -> complete(mine));
            }
        });
    }

    private void heardOfMember(PresenceMessage message) {
        Entry entry = entry(message);
        if (message.action == PresenceMessage.Action.leave) {
            // The SDK makes one without an id if a sync shows that somebody is missing, with the time of this machine.
            long since = message.id == null ? 0 : entry.since();
            input(call -> call.gone(entry.key(), since));
        } else {
            input(call -> call.present(entry));
        }
    }

    private void heard(Message message) {
        ChannelWords.read(message.name, message.clientId, message.data)
                .ifPresent(letter -> onLoop(() -> {
                    // First the view, which may be the one that the message is of.
                    take(call -> call.heard(letter.from(), letter.view(), letter.silent(), nanos(letter.atMillis())));
                    if (me.incarnation().equals(letter.to())) {
                        try {
                            subscriptions.receive(letter.from(), letter.topic(), letter.bytes());
                        } catch (IllegalArgumentException e) {
                            LOG.log(Level.DEBUG, "a message for a topic that cannot be", e);
                        }
                    }
                }));
    }

    // The loop.

    private void input(Consumer<RollCall> input) {
        onLoop(() -> take(input));
    }

    private void take(Consumer<RollCall> input) {
        long now = System.nanoTime();
        RollCall.Step step;
        try {
            step = RollCall.step(roll, now, input);
        } catch (Throwable e) {
            faults.report("a step of a membership", e);
            wakeAfter(SAY.toNanos());
            return;
        }
        roll = step.next();
        for (RollCall.Effect effect : step.effects()) {
            faults.survives("an effect of a membership", () -> carryOut(effect));
        }
        if (step.wakeAtNanos().isPresent()) {
            wakeAfter(step.wakeAtNanos().getAsLong() - now);
        } else if (wake != null) {
            wake.cancel(false);
            wake = null;
        }
    }

    private void carryOut(RollCall.Effect effect) {
        if (effect instanceof RollCall.Install install) {
            subscriptions.install(install.view());
        } else if (effect instanceof RollCall.Say say) {
            publish(ChannelWords.announcement(me, say.view(), say.silent(), millis(say.atNanos())));
        }
    }

    private void wakeAfter(long nanos) {
        if (wake != null) {
            wake.cancel(false);
        }
        wake = loop.schedule(() -> guarded(() -> take(RollCall::tick)), nanos, TimeUnit.NANOSECONDS);
    }

    private void publish(JsonObject data) {
        // The SDK would keep it, and send it when nobody waits for it any more.
        if (client.connection.state != ConnectionState.connected || channel.state != ChannelState.attached) {
            return;
        }
        Asking.asked(
                answer -> channel.publish(new Message(ChannelWords.MESSAGE, data), answer),
                refusal -> refusal.ifPresent(reason -> LOG.log(
                        Level.WARNING, "the hub did not take a message on " + channel.name + ": " + reason.message)));
    }

    /** Milliseconds since this membership began, rounded down: an echo may be taken for older than it is, not for younger. */
    private long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos - beginNanos);
    }

    private OptionalLong nanos(OptionalLong millis) {
        return millis.isEmpty()
                ? millis
                : OptionalLong.of(beginNanos + TimeUnit.MILLISECONDS.toNanos(millis.getAsLong()));
    }

    private Optional<ViewId> viewId() {
        return Optional.ofNullable(roll.view()).map(View::id);
    }

    private boolean onLoop(Runnable task) {
        return onThread(loop, Duration.ZERO, task);
    }

    private boolean onThread(ScheduledExecutorService thread, Duration after, Runnable task) {
        try {
            ScheduledFuture<?> unused = thread.schedule(() -> guarded(task), after.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** A scheduler forgets what threw. */
    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RejectedExecutionException e) {
            LOG.log(Level.DEBUG, "the membership has ended", e);
        } catch (Throwable e) {
            faults.report("an input of a membership", e);
        }
    }

    private static Entry entry(PresenceMessage message) {
        return ChannelWords.entry(message.clientId, message.connectionId, message.timestamp, message.data);
    }

    /** Its thread is started now and kept: later the process may be unable to start one. */
    private static ScheduledExecutorService oneThread(String name) {
        var one = new ScheduledThreadPoolExecutor(1, task -> {
            var thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        one.prestartAllCoreThreads();
        return one;
    }
}
