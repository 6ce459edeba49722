package dev.doyen.hub;

import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.hub.nodes.LogPosition;
import dev.doyen.hub.nodes.Proposal;
import dev.doyen.hub.rest.RestAnswer;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Step context: the time of one input and the effects so far, in order. */
final class StepContext {

    private final Moment at;
    private final List<HubEffect> effects = new ArrayList<>();
    private @Nullable LogPosition position;
    private long lateMillis;

    StepContext(Moment at) {
        this.at = at;
    }

    long nanos() {
        return at.nanos();
    }

    long wallMillis() {
        return at.wallMillis();
    }

    /** The log position of the change that is taking effect. Null outside a change and on a single hub. */
    @Nullable
    LogPosition position() {
        return position;
    }

    /** Sets the log position of what follows; null for none. */
    void at(@Nullable LogPosition next) {
        position = next;
    }

    /** Sets the age of what follows, which took effect on other nodes before. Units: milliseconds. */
    void comesLate(long millis) {
        lateMillis = Math.max(0, millis);
    }

    /** Returns the time at which the current change took effect. */
    long sinceNanos() {
        return at.nanos() - lateMillis * 1_000_000;
    }

    /** Returns the time of the current change, which is the same on all nodes. Units: milliseconds since the epoch. */
    long logMillis() {
        return position == null ? at.wallMillis() : position.millis();
    }

    List<HubEffect> effects() {
        return List.copyOf(effects);
    }

    /** Sends a frame to a connection's socket. Ignored if it has none now. */
    void send(Receiver to, ProtocolMessage message) {
        SessionId session = to.session();
        if (session != null) {
            effects.add(new HubEffect.Send(session, message));
            to.sentAt(at.nanos());
        }
    }

    /** Sends a frame to a socket without a connection. */
    void send(SessionId to, ProtocolMessage message) {
        effects.add(new HubEffect.Send(to, message));
    }

    void fanOut(List<? extends Receiver> to, ProtocolMessage message) {
        var sessions = new ArrayList<SessionId>(to.size());
        for (Receiver receiver : to) {
            SessionId session = receiver.session();
            if (session != null) {
                sessions.add(session);
                receiver.sentAt(at.nanos());
            }
        }
        if (!sessions.isEmpty()) {
            effects.add(new HubEffect.FanOut(sessions, message));
        }
    }

    void answer(long requestId, RestAnswer answer) {
        effects.add(new HubEffect.Answer(requestId, answer));
    }

    void close(SessionId session) {
        effects.add(new HubEffect.Close(session));
    }

    void claim(Claimant claimant) {
        effects.add(new HubEffect.Claim(claimant));
    }

    void release(Claimant claimant) {
        effects.add(new HubEffect.Release(claimant));
    }

    void deposed(long order, SlotStepDown.Outcome outcome, Optional<Leader> former) {
        effects.add(new HubEffect.Deposed(order, outcome, former));
    }

    void append(Proposal proposal) {
        effects.add(new NodeEffect.Append(proposal));
    }

    void enroll(NodeEffect.Enroll enroll) {
        effects.add(enroll);
    }

    void discharge(String connectionId) {
        effects.add(new NodeEffect.Discharge(connectionId));
    }

    void takeOver(NodeEffect.TakeOver takeOver) {
        effects.add(takeOver);
    }

    void show(String node, String snapshot) {
        effects.add(new NodeEffect.Show(node, snapshot));
    }

    void save(Claimant claimant, long term, long number, SavedState state) {
        effects.add(new HubEffect.Save(claimant, term, number, state));
    }
}
