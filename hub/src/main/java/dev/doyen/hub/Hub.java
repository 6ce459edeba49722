package dev.doyen.hub;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The hub without its sockets: what happened goes in, what is to be done comes out.
 *
 * <p>Deterministic: no clock, thread, randomness, I/O or logging. One thread at a time may call it.
 */
public interface Hub {

    /** A WebSocket was opened. {@code entropy} is at least 128 random bits, URL-safe, for the connection's id and key. */
    List<HubEffect> opened(Moment at, SessionId session, ConnectRequest request, String entropy);

    /** A frame arrived and was decoded. */
    List<HubEffect> received(Moment at, SessionId session, ProtocolMessage message);

    /** A frame arrived that is no protocol message; {@code reason} is a sentence for its sender. */
    List<HubEffect> garbled(Moment at, SessionId session, String reason);

    /** The socket is gone without a CLOSE: the peer dropped it, or the shell did (slow reader, idle). */
    List<HubEffect> socketLost(Moment at, SessionId session);

    /** The claimant holds its channel's lease, in this term. */
    List<HubEffect> claimGranted(Moment at, Claimant claimant, long term);

    /** The claimant could not get the lease; {@code holder} is empty if the store could not say who has it. */
    List<HubEffect> claimRefused(Moment at, Claimant claimant, Optional<Leader> holder);

    /** A granted claim ended in the store, without the hub having released it. */
    List<HubEffect> claimLost(Moment at, Claimant claimant, long term, LossCause cause);

    /** Time has passed: call at, or soon after, {@link #nextWakeNanos()}. */
    List<HubEffect> wake(Moment at);

    /** When {@link #wake} is next owed, as {@link Moment#nanos()}; empty if nothing is waiting. */
    OptionalLong nextWakeNanos();
}
