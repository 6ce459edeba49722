package dev.doyen.hub.step;

import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.hub.auth.Revocation;
import dev.doyen.hub.log.LogPosition;
import dev.doyen.hub.log.Proposal;
import dev.doyen.hub.rest.RestAnswer;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The context of one step: the time of the input, and the ordered effects. */
public final class StepContext {

    private final Moment at;
    private final List<HubEffect> effects = new ArrayList<>();
    private @Nullable LogPosition position;
    private long lateMillis;

    public StepContext(Moment at) {
        this.at = at;
    }

    public long nanos() {
        return at.nanos();
    }

    public long wallMillis() {
        return at.wallMillis();
    }

    /**
     * Returns the log position of the change that is taking effect. The result is null if no change is taking effect,
     * and on a hub with a single node.
     */
    @Nullable
    public LogPosition position() {
        return position;
    }

    /** Sets the log position of the next changes; null means no position. */
    public void at(@Nullable LogPosition next) {
        position = next;
    }

    /**
     * Sets the age of the next changes, in milliseconds. The age is the time since the changes took effect on the other
     * nodes.
     */
    public void recordDelay(long millis) {
        lateMillis = Math.max(0, millis);
    }

    /** Returns the time at which the current change took effect. */
    public long sinceNanos() {
        return at.nanos() - lateMillis * 1_000_000;
    }

    /**
     * Returns the time of the current change in milliseconds since the epoch. For a change with a log position, the
     * time is the same on all nodes.
     */
    public long logMillis() {
        return position == null ? at.wallMillis() : position.millis();
    }

    public List<HubEffect> effects() {
        return List.copyOf(effects);
    }

    /** Sends a frame to a connection's socket. The method does nothing if the connection has no socket now. */
    public void send(Receiver to, ProtocolMessage message) {
        SessionId session = to.session();
        if (session != null) {
            effects.add(new HubEffect.Send(session, message));
            to.sentAt(at.nanos());
        }
    }

    /** Sends a frame to a socket without a connection. */
    public void send(SessionId to, ProtocolMessage message) {
        effects.add(new HubEffect.Send(to, message));
    }

    public void fanOut(List<? extends Receiver> to, ProtocolMessage message) {
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

    public void answer(long requestId, RestAnswer answer) {
        effects.add(new HubEffect.Answer(requestId, answer));
    }

    public void close(SessionId session) {
        effects.add(new HubEffect.Close(session));
    }

    /** Asks the driver for a report after the session's socket has taken all earlier frames. */
    public void awaitFlush(SessionId session) {
        effects.add(new HubEffect.AwaitFlush(session));
    }

    public void claim(Claimant claimant) {
        effects.add(new HubEffect.Claim(claimant));
    }

    public void release(Claimant claimant) {
        effects.add(new HubEffect.Release(claimant));
    }

    public void steppedDown(long order, SlotStepDown.Outcome outcome, Optional<Leader> former) {
        effects.add(new HubEffect.SteppedDown(order, outcome, former));
    }

    public void storeRevocations(List<Revocation> all) {
        effects.add(new HubEffect.StoreRevocations(all));
    }

    public void append(Proposal proposal) {
        effects.add(new NodeEffect.Append(proposal));
    }

    public void enroll(NodeEffect.Enroll enroll) {
        effects.add(enroll);
    }

    public void discharge(String connectionId) {
        effects.add(new NodeEffect.Discharge(connectionId));
    }

    public void takeOver(NodeEffect.TakeOver takeOver) {
        effects.add(takeOver);
    }

    public void show(String node, String snapshot) {
        effects.add(new NodeEffect.Show(node, snapshot));
    }

    public void save(Claimant claimant, long term, long number, SavedState state) {
        effects.add(new HubEffect.Save(claimant, term, number, state));
    }
}
