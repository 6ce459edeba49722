package dev.doyen.membership;

import dev.doyen.store.ElectionNames;
import dev.doyen.store.FaultLog;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who listens to what: the part of a {@link Membership} that is the same in all. Whoever implements one hands views and
 * messages in here, one at a time and in order.
 *
 * <p>Threads: any. Listeners are called inside the call that has news for them, under a lock that keeps the order; they
 * return at once, by contract.
 */
public final class Subscriptions {

    /** Messages of topics that nobody listens to yet. Kept, since an election is opened a moment after its membership. */
    public static final int MAX_KEPT = 256;

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    private record Kept(Member from, String topic, Consumer<MembershipListener> telling) {}

    private final Map<String, MembershipListener> listeners = new LinkedHashMap<>();
    private final Deque<Kept> kept = new ArrayDeque<>();

    /** Topics without a listener that were complained of; bounded like the topics themselves. */
    private final Set<String> unheard = new HashSet<>();

    private final FaultLog faults = new FaultLog(LOG);

    private @Nullable View view;
    private boolean ended;

    /** Throws what {@link Membership#send} throws for a message that is too long. */
    public static void checkSize(Member to, byte[] message) {
        if (message.length > Membership.MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException("a message of " + message.length + " bytes to " + to + "; at most "
                    + Membership.MAX_MESSAGE_BYTES + " can be sent");
        }
    }

    /** {@link Membership#listen}. */
    public synchronized void listen(String topic, MembershipListener listener) {
        ElectionNames.check("topic", topic);
        if (listeners.containsKey(topic)) {
            throw new IllegalStateException("this membership takes part in \"" + topic
                    + "\" already, or has; a member does so once: open another membership for another candidate");
        }
        if (listeners.size() == Membership.MAX_TOPICS) {
            throw new IllegalStateException("this membership has " + Membership.MAX_TOPICS
                    + " topics, the most it can have; open another membership for \"" + topic + "\"");
        }
        listeners.put(topic, listener);
        unheard.remove(topic);
        View installed = view;
        if (installed != null) {
            tell(listener, each -> each.installed(installed));
        }
        for (Kept message : kept) {
            if (message.topic.equals(topic)) {
                tell(listener, message.telling);
            }
        }
        kept.removeIf(message -> message.topic.equals(topic));
        if (ended) {
            tell(listener, MembershipListener::ended);
        }
    }

    /** This view is installed from now on. */
    public synchronized void install(View next) {
        if (!ended) {
            view = next;
            listeners.values().forEach(listener -> tell(listener, each -> each.installed(next)));
        }
    }

    /** A message came. */
    public synchronized void receive(Member from, String topic, byte[] message) {
        if (ended) {
            return;
        }
        MembershipListener listener = listeners.get(topic);
        if (listener != null) {
            tell(listener, each -> each.received(from, message));
            return;
        }
        if (kept.size() == MAX_KEPT) {
            complain(kept.removeFirst());
        }
        kept.addLast(new Kept(from, topic, each -> each.received(from, message)));
    }

    /** Nothing comes any more. Every listener hears of it once. */
    public synchronized void end() {
        if (!ended) {
            ended = true;
            kept.clear();
            listeners.values().forEach(listener -> tell(listener, MembershipListener::ended));
        }
    }

    /** The view that is installed; null before the first. */
    public synchronized @Nullable View view() {
        return view;
    }

    public synchronized boolean hasEnded() {
        return ended;
    }

    private void complain(Kept dropped) {
        if (unheard.size() < Membership.MAX_TOPICS && unheard.add(dropped.topic)) {
            LOG.log(
                    Level.WARNING,
                    "messages of \"" + dropped.topic + "\" come from " + dropped.from
                            + " and nobody here takes part in that; take part, if only as an observer, or the others"
                            + " cannot elect anybody");
        }
    }

    private void tell(MembershipListener listener, Consumer<MembershipListener> call) {
        faults.survives("a listener of a membership", () -> call.accept(listener));
    }
}
