package dev.doyen.hub.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.channel.Change;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.Log;
import dev.doyen.hub.history.ChannelSerials;
import dev.doyen.hub.log.Declined;
import dev.doyen.hub.log.Logged;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The log that all nodes of a hub share.
 *
 * <p>On each node, a change takes effect when the node reads it from the log. The proposing node is no exception.
 */
public final class SharedLog implements Log {

    private final Changes changes;
    private final Channels channels;
    private final ChangeText text;
    private final Map<Long, Underway> underway = new HashMap<>();
    private String node = "";
    private long lastNumber;

    /** A proposed change and the receiver of its outcome. */
    private record Underway(Change change, Outcome outcome) {}

    public SharedLog(Changes changes, Channels channels, ChangeText text) {
        this.changes = changes;
        this.channels = channels;
        this.text = text;
    }

    /** Returns this node's name in the log. The name is empty while this node is not a member of the group of nodes. */
    String node() {
        return node;
    }

    void join(String newNode) {
        node = newNode;
    }

    /**
     * Stops proposing changes to the log. The callers of pending changes receive a rejection, although these changes
     * can still take effect.
     */
    void leave(StepContext step) {
        node = "";
        var waiting = List.copyOf(underway.values());
        underway.clear();
        waiting.forEach(
                each -> settle(step, each, each.change(), (later, outcome) -> outcome.refused(later, OUT_OF_TOUCH)));
    }

    boolean isSettled() {
        return underway.isEmpty();
    }

    long nextNumber() {
        return ++lastNumber;
    }

    @Override
    public void append(StepContext step, Change change, Outcome outcome) {
        if (node.isEmpty()) {
            outcome.refused(step, OUT_OF_TOUCH);
            return;
        }
        long number = nextNumber();
        underway.put(number, new Underway(change, outcome));
        change.channel().underway++;
        if (change instanceof Change.Presented presented) {
            presented.connection().enters(presented);
        }
        step.append(text.proposal(node, number, change));
    }

    /** Applies a log entry. Returns the change of the entry, or null if the entry concerns no channel. */
    @Nullable
    Change happen(StepContext step, Logged entry, JsonNode head, ChangeText.Places places) {
        boolean own = !node.isEmpty() && node.equals(head.path("node").asText());
        Underway waiting = own ? underway.remove(head.path("number").asLong()) : null;
        Change change = waiting == null ? text.change(head, entry.text(), places) : waiting.change();
        if (change == null) {
            return null;
        }
        step.at(entry.position());
        List<Message> published = changes.happen(step, change);
        step.at(null);
        settle(step, waiting, change, (later, outcome) -> outcome.done(later, published));
        return change;
    }

    /**
     * Ends a pending change that the log has declined. If all messages were already published, the sender receives
     * their serials; otherwise it receives an error.
     */
    void declined(StepContext step, long number, Declined why) {
        Underway waiting = underway.remove(number);
        if (waiting == null) {
            return;
        }
        settle(step, waiting, waiting.change(), (later, outcome) -> {
            if (why instanceof Declined.Repeated repeated && waiting.change() instanceof Change.Published published) {
                outcome.done(later, withSerials(published.messages(), repeated.places()));
            } else {
                outcome.refused(later, error(why));
            }
        });
    }

    private interface Completion {
        void complete(StepContext step, Outcome outcome);
    }

    private void settle(StepContext step, @Nullable Underway waiting, Change change, Completion completion) {
        if (waiting != null) {
            change.channel().underway--;
            if (change instanceof Change.Presented presented) {
                presented.connection().entered(presented);
            }
            completion.complete(step, waiting.outcome());
        }
        channels.settle(step, change.channel());
    }

    private List<Message> withSerials(List<Message> messages, List<Declined.Place> places) {
        var published = new ArrayList<Message>(messages.size());
        for (int i = 0; i < messages.size(); i++) {
            Declined.Place place = places.get(i);
            String serial = ChannelSerials.ofItem(channels.serialAt(place.position()), place.index());
            published.add(messages.get(i).withSerial(serial));
        }
        return published;
    }

    private static ErrorInfo error(Declined why) {
        if (why instanceof Declined.Fenced fenced) {
            return ErrorCode.FENCED.because(
                    "your term has ended: " + fenced.slot() + " is held in term " + fenced.term());
        }
        if (why instanceof Declined.PartlyRepeated) {
            return ErrorCode.BAD_MESSAGE_ID.because(
                    "some of the messages were published before; repeat all of them unchanged, or use new ids");
        }
        return ErrorCode.SOCKET_GIVEN_UP.because("another node has this connection now");
    }
}
