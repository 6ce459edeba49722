package dev.doyen.hub;

import dev.doyen.event.HandOverState;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.hub.auth.Authenticator;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.auth.Operation;
import dev.doyen.hub.nodes.Declined;
import dev.doyen.hub.nodes.Joined;
import dev.doyen.hub.nodes.Logged;
import dev.doyen.hub.rest.RestApi;
import dev.doyen.hub.rest.RestRequest;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.Refusal;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The hub without its sockets: what happened goes in, what is to be done comes out.
 *
 * <p>Deterministic: no clock, thread, randomness, I/O or logging. Whatever is due by an input's time happens before the
 * input, so how promptly {@link #wake} is called changes when effects come, never what is decided.
 *
 * <p>An input for a session that is closed, or was never opened, does nothing: frames may be on their way while a socket
 * is being closed.
 *
 * <p>Threads: one at a time. Source: {@code docs/spec/claims.md}, rules C1 to C19.
 */
public final class Hub {

    private static final int MIN_ENTROPY_CHARS = 22;

    private final Timers timers = new Timers();
    private final Channels channels;
    private final States states;
    private final Claims claims;
    private final Retirement retirement;
    private final CredentialCheck credentials;
    private final Connections connections;
    private final Frames frames;
    private final RestApi rest;
    private final RestDesk.Files files;
    /** Null if the hub is by itself. */
    private final @Nullable Nodes nodes;

    public Hub(HubSettings settings, HubKeys keys) {
        this(settings, keys, Sandbox.OFF);
    }

    /** One node of several: it serves nobody until it has {@link #joined} them. */
    public static Hub node(HubSettings settings, HubKeys keys) {
        return new Hub(settings, keys, Sandbox.OFF, Company.NODES);
    }

    /** A hub by itself. */
    public Hub(HubSettings settings, HubKeys keys, Sandbox sandbox) {
        this(settings, keys, sandbox, Company.NONE);
    }

    private Hub(HubSettings settings, HubKeys keys, Sandbox sandbox, Company company) {
        channels = new Channels(settings, timers);
        var events = new MemberEvents(timers, channels);
        var changes = new Changes(channels, events);
        var text = new ChangeText(settings);
        var shared = company == Company.NODES ? new SharedLog(changes, channels, text) : null;
        Log log = shared == null ? new OwnLog(changes) : shared;
        states = new States(settings, timers, channels);
        claims = new Claims(settings, timers, events, channels, states, log, company);
        retirement = new Retirement(channels, claims);
        var departures = new Departures(channels, log, claims);
        var authenticator = new Authenticator(keys, settings.clientIdRule());
        var callers = new Callers(settings.restRates());
        credentials = new CredentialCheck(authenticator, callers);
        connections = new Connections(settings, credentials, timers, departures);
        if (shared == null) {
            nodes = null;
        } else {
            var roaming = new Roaming(settings, timers, connections, channels, shared);
            var census = new Census(timers, channels, shared);
            channels.countedBy(census);
            nodes = new Nodes(channels, connections, authenticator, shared, roaming, claims, census, text);
            connections.awaitCompany();
        }
        var publishing = new Publishing(settings, channels, new Fences(settings), states, log);
        var syncs = new Syncs(settings);
        frames = new Frames(
                settings,
                connections,
                new Reauthentication(authenticator, channels, connections, departures, claims, syncs),
                new Attaching(settings, channels, departures, syncs, states),
                publishing,
                new Presence(settings, channels, events, log, claims));
        var apps = sandbox == Sandbox.ON ? new SandboxApps(settings, authenticator, channels, log, departures) : null;
        var revoking = new Revoking(authenticator, connections, timers, nodes);
        rest = new RestApi(settings.maxFrameBytes());
        files = new RestDesk.Files(
                settings, authenticator, callers, connections, channels, publishing, revoking, apps, nodes);
    }

    /**
     * A WebSocket was opened.
     *
     * @param entropy at least 128 random bits in the URL-safe base64 alphabet, never used before: the connection's key
     */
    public List<HubEffect> opened(Moment at, SessionId session, ConnectRequest request, String entropy) {
        Turn turn = begin(at, entropy);
        connections.open(turn, session, request, entropy);
        return turn.effects();
    }

    /**
     * An HTTP request arrived. An {@link HubEffect.Answer} with its id is owed: now, or out of a later input.
     *
     * @param entropy as in {@link #opened}: what the hub must name for the request is named by it
     */
    public List<HubEffect> requested(Moment at, long requestId, RestRequest request, String entropy) {
        Turn turn = begin(at, entropy);
        if (nodes != null && !nodes.areInTouch()) {
            turn.answer(requestId, RestApi.refusal(request, Connections.OUT_OF_TOUCH));
            return turn.effects();
        }
        var desk = new RestDesk(files, turn, entropy);
        rest.answer(desk, request).whenThere(answer -> desk.turn().answer(requestId, answer));
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
     *
     * @param left what holders before it have left
     */
    public List<HubEffect> claimGranted(Moment at, Claimant claimant, long term, HandOverState left) {
        Turn turn = begin(at);
        claims.granted(turn, claimant, term, left);
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
        claims.lost(
                turn,
                claimant,
                term,
                cause == LossCause.PAUSED ? "the election is paused" : "the store ended the claim");
        return turn.effects();
    }

    /** The claimant could not get the lease because nobody may; {@code why} is a sentence's end for its client. */
    public List<HubEffect> claimPaused(Moment at, Claimant claimant, String why) {
        Turn turn = begin(at);
        claims.paused(turn, claimant, why);
        return turn.effects();
    }

    /**
     * An admin wants whoever holds a slot to step down. A {@link HubEffect.Deposed} with this number follows.
     *
     * @param election as {@link Slot#electionOn} names it
     */
    public List<HubEffect> depose(Moment at, long order, String election, Deposition deposition) {
        Turn turn = begin(at);
        claims.depose(turn, order, election, deposition);
        return turn.effects();
    }

    /** The store has this save of the claimant's, and all before it. */
    public List<HubEffect> stateSaved(Moment at, Claimant claimant, long term, long number) {
        Turn turn = begin(at);
        states.saved(turn, claimant, term, number);
        return turn.effects();
    }

    /** This node, which was in touch with no others, is one of them now. */
    public List<HubEffect> joined(Moment at, Joined joined) {
        Turn turn = begin(at);
        nodes().joined(turn, joined);
        return turn.effects();
    }

    /** These entries of the log come next. */
    public List<HubEffect> logged(Moment at, List<Logged> entries) {
        Turn turn = begin(at);
        nodes().logged(turn, entries);
        return turn.effects();
    }

    /** A proposal, or a question for a connection, is not in the log and will not be. */
    public List<HubEffect> declined(Moment at, long number, Declined why) {
        Turn turn = begin(at);
        nodes().declined(turn, number, why);
        return turn.effects();
    }

    /**
     * This node is in touch with the others no more: its clients are told to go elsewhere. It may join again.
     *
     * @param why a sentence for them
     */
    public List<HubEffect> outOfTouch(Moment at, String why) {
        Turn turn = begin(at);
        nodes().leave(turn, why);
        return turn.effects();
    }

    /** Whether all that this hub has decided has happened: nothing of it is on its way through the log of all nodes. */
    public boolean isSettled() {
        return nodes == null || nodes.isSettled();
    }

    private Nodes nodes() {
        return Objects.requireNonNull(nodes, "a hub by itself has no log that others write");
    }

    /**
     * This hub is about to end: every claim is taken from its holder, as an admin's order takes it (rule C20). The leases
     * are the shell's to give back, once the holders have read that, so no {@link HubEffect.Release} follows.
     */
    public List<HubEffect> retire(Moment at) {
        Turn turn = begin(at);
        retirement.begin(turn);
        return turn.effects();
    }

    /** The claims that are held just now. */
    public List<HeldClaim> claims() {
        return retirement.held();
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

    /** How many connections there are, those without a socket included. */
    public int connections() {
        return connections.count();
    }

    /** A channel's first members, at most this many; none if there is no such channel. */
    public List<MemberView> members(String channel, int limit) {
        return channels.members(channel, limit);
    }

    /** Whom a socket is of; empty if it has no connection, or one that speaks as nobody in particular. */
    public Optional<String> clientOf(SessionId session) {
        return connections.of(session).map(connection -> connection.clientId);
    }

    /**
     * Whether this {@code Authorization} header proves, at this time, a right to administer some channel.
     *
     * @param address where it came from; guesses from there are limited
     */
    public boolean mayAdminister(Moment at, String authorization, String address) {
        try {
            return !authorization.isEmpty()
                    && credentials
                            .ofHeader(authorization, address, at.wallMillis(), at.nanos())
                            .capability()
                            .allowsSomewhere(Operation.ADMIN);
        } catch (Refusal refusal) {
            return false;
        }
    }

    private Turn begin(Moment at, String entropy) {
        if (!entropy.matches("[A-Za-z0-9_-]{" + MIN_ENTROPY_CHARS + ",}")) {
            throw new IllegalArgumentException("entropy has " + entropy.length() + " characters; give at least "
                    + MIN_ENTROPY_CHARS + " of the URL-safe base64 alphabet");
        }
        channels.begin(Digests.name("epoch", entropy));
        return begin(at);
    }

    private Turn begin(Moment at) {
        var turn = new Turn(at);
        timers.fire(turn);
        return turn;
    }
}
