package dev.doyen.membership;

import dev.doyen.log.FaultLog;
import dev.doyen.text.ElectionNames;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of a {@link Membership}. An implementation of a membership can use this class.
 *
 * <p>An implementation passes views and messages to this class one at a time, in order.
 *
 * <p>Threads: any. The calling thread runs the listeners under a lock, which preserves the order. So the listeners must
 * return at once.
 */
public final class Subscriptions {

    /**
     * The maximum number of messages that are stored for topics without a listener. The number is small, because an
     * application opens an election shortly after its membership.
     */
    public static final int MAX_KEPT = 256;

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    private record Kept(Member from, String topic, Consumer<MembershipListener> delivery) {}

    private final Map<String, MembershipListener> listeners = new LinkedHashMap<>();
    private final Deque<Kept> kept = new ArrayDeque<>();

    /**
     * The topics whose dropped messages were logged. A message is dropped if its topic has no listener and too many
     * messages are stored. Each topic is logged once, and at most {@link Membership#MAX_TOPICS} topics are logged.
     */
    private final Set<String> loggedTopics = new HashSet<>();

    private final FaultLog faults = new FaultLog(LOG);

    private @Nullable View view;
    private boolean ended;

    /** Creates subscriptions without a view. */
    public Subscriptions() {}

    /** Checks the length of a message as {@link Membership#send} specifies. */
    public static void checkSize(Member to, byte[] message) {
        if (message.length > Membership.MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException("a message of " + message.length + " bytes to " + to + "; at most "
                    + Membership.MAX_MESSAGE_BYTES + " can be sent");
        }
    }

    /** Implements {@link Membership#listen}. */
    public synchronized void listen(String topic, MembershipListener listener) {
        ElectionNames.check("topic", topic);
        if (listeners.containsKey(topic)) {
            throw new IllegalStateException("this membership takes part, or took part, in \"" + topic
                    + "\", which is possible only once; open another membership for another candidate");
        }
        if (listeners.size() == Membership.MAX_TOPICS) {
            throw new IllegalStateException("this membership has " + Membership.MAX_TOPICS
                    + " topics, which is the limit; open another membership for \"" + topic + "\"");
        }
        listeners.put(topic, listener);
        loggedTopics.remove(topic);
        View installed = view;
        if (installed != null) {
            deliver(listener, each -> each.installed(installed));
        }
        for (Kept message : kept) {
            if (message.topic.equals(topic)) {
                deliver(listener, message.delivery);
            }
        }
        kept.removeIf(message -> message.topic.equals(topic));
        if (ended) {
            deliver(listener, MembershipListener::ended);
        }
    }

    /** Installs a view. */
    public synchronized void install(View next) {
        if (!ended) {
            view = next;
            listeners.values().forEach(listener -> deliver(listener, each -> each.installed(next)));
        }
    }

    /** Passes a message to the listener of its topic. If the topic has no listener, the method stores the message. */
    public synchronized void receive(Member from, String topic, byte[] message) {
        if (ended) {
            return;
        }
        MembershipListener listener = listeners.get(topic);
        if (listener != null) {
            deliver(listener, each -> each.received(from, message));
            return;
        }
        if (kept.size() == MAX_KEPT) {
            complain(kept.removeFirst());
        }
        kept.addLast(new Kept(from, topic, each -> each.received(from, message)));
    }

    /** Ends the membership. Each listener is notified once. */
    public synchronized void end() {
        if (!ended) {
            ended = true;
            kept.clear();
            listeners.values().forEach(listener -> deliver(listener, MembershipListener::ended));
        }
    }

    /** Returns the installed view; empty before the first view. */
    public synchronized Optional<View> view() {
        return Optional.ofNullable(view);
    }

    public synchronized boolean hasEnded() {
        return ended;
    }

    private void complain(Kept dropped) {
        if (loggedTopics.size() < Membership.MAX_TOPICS && loggedTopics.add(dropped.topic)) {
            LOG.log(
                    Level.WARNING,
                    "messages of \"" + dropped.topic + "\" arrive from " + dropped.from
                            + ", but this process does not take part in that election; take part, at least as an"
                            + " observer, because otherwise the other members cannot elect a leader");
        }
    }

    private void deliver(MembershipListener listener, Consumer<MembershipListener> call) {
        faults.survives("a listener of a membership", () -> call.accept(listener));
    }
}
