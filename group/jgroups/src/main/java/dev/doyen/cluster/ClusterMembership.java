package dev.doyen.cluster;

import dev.doyen.log.FaultLog;
import dev.doyen.membership.Member;
import dev.doyen.membership.Membership;
import dev.doyen.membership.MembershipListener;
import dev.doyen.membership.Subscriptions;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.ChannelListener;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.stack.Protocol;
import org.jgroups.util.ExtendedUUID;
import org.jgroups.util.UUID;

/**
 * A membership over JGroups.
 *
 * <p>A member's address contains the member's id, so every member of a view learns the ids of all members. The
 * incarnation of a member is the random number in its address. The number is new for each {@link #open}.
 *
 * <p>Threads: JGroups' threads deliver views and messages. One thread of this class sends the messages in order, so
 * {@link #send} never waits for a connection. For each message to a member that it cannot connect to, this thread waits
 * at most one second, and the messages to other members wait too. All threads are daemons.
 */
public final class ClusterMembership implements Membership {

    /** The maximum number of messages that wait to be sent. {@link #send} rejects further messages. */
    static final int MAX_UNSENT = 1_000;

    private static final System.Logger LOG = System.getLogger("dev.doyen.cluster");

    private static final byte[] ID = "doyen".getBytes(StandardCharsets.US_ASCII);

    private final JChannel channel;
    private final Subscriptions subscriptions = new Subscriptions();
    private final ThreadPoolExecutor sender;
    private final FaultLog faults = new FaultLog(LOG);

    /** The addresses of the installed view's members. The map is immutable and is replaced at each view. */
    private volatile Map<Member, Address> addresses = Map.of();

    private final Member me;

    private final Duration silence;

    private ClusterMembership(JChannel channel, Member me, Duration silence) {
        this.channel = channel;
        this.silence = silence;
        this.me = me;
        this.sender = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_UNSENT), task -> {
            var thread = new Thread(task, "doyen-cluster-send");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Joins the cluster, or creates the cluster if no other member is found.
     *
     * <p>The search for other members takes about a second. The search takes longer if members are found but do not
     * answer.
     *
     * @throws IllegalArgumentException if the membership cannot be opened, for example because the process cannot
     *     listen on the port
     */
    public static ClusterMembership open(ClusterSettings settings) {
        return open(settings, ProtocolStackBuilder.over(settings));
    }

    static ClusterMembership open(ClusterSettings settings, List<Protocol> stack) {
        ExtendedUUID address =
                ExtendedUUID.randomUUID(settings.id()).put(ID, settings.id().getBytes(StandardCharsets.UTF_8));
        JChannel channel;
        try {
            channel = new JChannel(stack);
        } catch (Exception e) {
            throw refusal(settings, e);
        }
        var membership = new ClusterMembership(channel, member(address), settings.silence());
        boolean isOpen = false;
        try {
            membership.connect(settings, address);
            isOpen = true;
            return membership;
        } catch (Exception e) {
            throw refusal(settings, e);
        } finally {
            if (!isOpen) {
                membership.sender.shutdownNow();
                channel.close();
            }
        }
    }

    private void connect(ClusterSettings settings, ExtendedUUID address) throws Exception {
        // Start the thread now, because the process may be unable to start a thread later.
        sender.prestartAllCoreThreads();
        channel.addAddressGenerator(() -> address);
        channel.name(settings.id());
        channel.setDiscardOwnMessages(false);
        Events events = new Events();
        channel.setReceiver(events);
        channel.addChannelListener(events);
        channel.getProtocolStack().getTransport().getDiagnosticsHandler().setEnabled(false);
        channel.connect(settings.cluster());
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
        Address address = addresses.get(to);
        if (address == null) {
            return false;
        }
        byte[] bytes = new Envelope(topic, message).bytes();
        try {
            sender.execute(() -> sendNow(address, bytes));
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        } catch (Throwable e) {
            faults.report("the sender thread", e);
            return false;
        }
    }

    @Override
    public Optional<Duration> silence() {
        return Optional.of(silence);
    }

    @Override
    public void close() {
        subscriptions.end();
        sender.shutdown();
        try {
            // Wait at most one second until the last messages are sent.
            if (!sender.awaitTermination(1, TimeUnit.SECONDS)) {
                sender.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        channel.close();
    }

    /** Returns the JGroups channel, for tests that cut the network. */
    JChannel channel() {
        return channel;
    }

    private void sendNow(Address to, byte[] bytes) {
        try {
            channel.send(new BytesMessage(to, bytes));
        } catch (Exception e) {
            LOG.log(Level.DEBUG, "a message to " + to + " could not be sent", e);
        } catch (Throwable e) {
            faults.report("sending a message", e);
        }
    }

    private static Member member(Address address) {
        String incarnation = ((UUID) address).toStringLong();
        byte[] id = address instanceof ExtendedUUID extended ? extended.get(ID) : null;
        // A member without a valid id also counts as a member, because all members must agree on the members of a view.
        try {
            return new Member(id == null ? incarnation : new String(id, StandardCharsets.UTF_8), incarnation);
        } catch (IllegalArgumentException e) {
            return new Member(incarnation, incarnation);
        }
    }

    private static IllegalArgumentException refusal(ClusterSettings settings, Exception e) {
        Throwable cause = FaultLog.rootCause(e);
        return new IllegalArgumentException(
                settings + " cannot be opened (" + cause.getMessage() + "); choose another address or port, or stop the"
                        + " process that uses them; the cluster uses this port and the port "
                        + ClusterSettings.SUSPICION_OFFSET + " above it",
                e);
    }

    /** Receives views and messages from JGroups. */
    private final class Events implements Receiver, ChannelListener {
        @Override
        public void viewAccepted(org.jgroups.View accepted) {
            var known = new HashMap<Member, Address>();
            accepted.forEach(address -> known.put(member(address), address));
            String creator = ((UUID) accepted.getViewId().getCreator()).toStringLong();
            var view = new View(new ViewId(accepted.getViewId().getId(), creator), known.keySet());
            addresses = Map.copyOf(known);
            subscriptions.install(view);
        }

        @Override
        public void receive(Message message) {
            if (message instanceof BytesMessage) {
                Envelope.read(message.getArray(), message.getOffset(), message.getLength())
                        .ifPresent(envelope ->
                                subscriptions.receive(member(message.getSrc()), envelope.topic(), envelope.message()));
            }
        }

        @Override
        public void channelClosed(JChannel closed) {
            subscriptions.end();
        }
    }
}
