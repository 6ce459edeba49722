package dev.doyen.hub;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The hub without its sockets: what happened goes in, what is to be done comes out.
 *
 * <p>Deterministic: no clock, thread, randomness, I/O or logging. Whatever is due by an input's time happens before the
 * input, so how promptly {@link #wake} is called changes when effects come, never what is decided.
 *
 * <p>An input for a session that is closed, or was never opened, does nothing: frames may be on their way while a socket
 * is being closed.
 *
 * <p>Threads: one at a time. Source: {@code docs/spec/claims.md}, rules C1 to C12.
 */
public final class Hub {

    private static final int MIN_ENTROPY_CHARS = 22;

    private final Timers timers = new Timers();
    private final Channels channels;
    private final Claims claims;
    private final Connections connections;
    private final Frames frames;

    public Hub(HubSettings settings, HubKeys keys) {
        channels = new Channels(settings, timers);
        var events = new MemberEvents(timers);
        claims = new Claims(settings, timers, events, channels);
        var departures = new Departures(channels, events, claims);
        connections = new Connections(settings, new Authenticator(keys), timers, departures);
        frames = new Frames(
                settings,
                connections,
                new Attaching(settings, channels, departures, new Syncs(settings)),
                new Publishing(settings, channels, new Fences(settings)),
                new Presence(settings, channels, events, claims));
    }

    /**
     * A WebSocket was opened.
     *
     * @param entropy at least 128 random bits in the URL-safe base64 alphabet, never used before: the connection's key
     */
    public List<HubEffect> opened(Moment at, SessionId session, ConnectRequest request, String entropy) {
        if (!entropy.matches("[A-Za-z0-9_-]{" + MIN_ENTROPY_CHARS + ",}")) {
            throw new IllegalArgumentException("entropy has " + entropy.length() + " characters; give at least "
                    + MIN_ENTROPY_CHARS + " of the URL-safe base64 alphabet");
        }
        Turn turn = begin(at);
        channels.begin(Digests.name("epoch", entropy));
        connections.open(turn, session, request, entropy);
        return turn.effects();
    }

    /** A frame arrived and was decoded. */
    public List<HubEffect> received(Moment at, SessionId session, ProtocolMessage message) {
        Turn turn = begin(at);
        connections.of(session).ifPresent(connection -> frames.receive(turn, connection, message));
        return turn.effects();
    }

    /**
     * A frame arrived that is no protocol message; {@code reason} is a sentence for its sender. The connection ends:
     * a client waits for the answer to a frame the hub cannot name, and if told to reconnect would send it again.
     */
    public List<HubEffect> garbled(Moment at, SessionId session, String reason) {
        Turn turn = begin(at);
        connections
                .of(session)
                .ifPresent(connection -> connections.fail(turn, connection, ErrorCode.BAD_REQUEST.because(reason)));
        return turn.effects();
    }

    /** The socket is gone without a CLOSE: the peer dropped it, or the shell did (slow reader, idle). */
    public List<HubEffect> socketLost(Moment at, SessionId session) {
        Turn turn = begin(at);
        connections.lose(turn, session);
        return turn.effects();
    }

    /**
     * The claimant holds its channel's lease, in this term. If it no longer wants it, a {@code Release} follows. A result
     * for an attempt that was released must not be handed in after the same claimant's next {@code Claim}.
     */
    public List<HubEffect> claimGranted(Moment at, Claimant claimant, long term) {
        Turn turn = begin(at);
        claims.granted(turn, claimant, term);
        return turn.effects();
    }

    /** The claimant could not get the lease; {@code holder} is empty if the store could not say who has it. */
    public List<HubEffect> claimRefused(Moment at, Claimant claimant, Optional<Leader> holder) {
        Turn turn = begin(at);
        claims.refused(turn, claimant, holder);
        return turn.effects();
    }

    /** A granted claim ended in the store, without the hub having released it. Whatever the cause, the member loses it. */
    public List<HubEffect> claimLost(Moment at, Claimant claimant, long term, LossCause cause) {
        Turn turn = begin(at);
        claims.lost(turn, claimant, term);
        return turn.effects();
    }

    /** Time has passed: call at, or soon after, {@link #nextWakeNanos()}. */
    public List<HubEffect> wake(Moment at) {
        return begin(at).effects();
    }

    /** When {@link #wake} is next owed, as {@link Moment#nanos()}; empty if nothing is waiting. */
    public OptionalLong nextWakeNanos() {
        return timers.nextNanos();
    }

    /** The channels there are just now, oldest first. */
    public List<ChannelView> channels() {
        return List.copyOf(channels.views());
    }

    private Turn begin(Moment at) {
        var turn = new Turn(at);
        timers.fire(turn);
        return turn;
    }
}
