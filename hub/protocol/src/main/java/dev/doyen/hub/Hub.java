package dev.doyen.hub;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.hub.auth.Authenticator;
import dev.doyen.hub.auth.ClientIdentity;
import dev.doyen.hub.auth.Digests;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.auth.IssuerKeys;
import dev.doyen.hub.auth.Operation;
import dev.doyen.hub.auth.Revocation;
import dev.doyen.hub.auth.TrustedIssuer;
import dev.doyen.hub.channel.ChannelView;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.Log;
import dev.doyen.hub.channel.MemberView;
import dev.doyen.hub.claim.Claims;
import dev.doyen.hub.claim.HeldClaim;
import dev.doyen.hub.claim.HubMode;
import dev.doyen.hub.claim.Retirement;
import dev.doyen.hub.claim.States;
import dev.doyen.hub.connection.Attaching;
import dev.doyen.hub.connection.ConnectRequest;
import dev.doyen.hub.connection.Connections;
import dev.doyen.hub.connection.Departures;
import dev.doyen.hub.connection.Frames;
import dev.doyen.hub.connection.Reauthentication;
import dev.doyen.hub.connection.Syncs;
import dev.doyen.hub.log.Declined;
import dev.doyen.hub.log.Joined;
import dev.doyen.hub.log.Logged;
import dev.doyen.hub.nodes.ChangeText;
import dev.doyen.hub.nodes.Changes;
import dev.doyen.hub.nodes.ConnectionMigration;
import dev.doyen.hub.nodes.Nodes;
import dev.doyen.hub.nodes.OccupancyExchange;
import dev.doyen.hub.nodes.OwnLog;
import dev.doyen.hub.nodes.SharedLog;
import dev.doyen.hub.presence.MemberEvents;
import dev.doyen.hub.presence.Presence;
import dev.doyen.hub.publish.Fences;
import dev.doyen.hub.publish.Publishing;
import dev.doyen.hub.quota.Accounts;
import dev.doyen.hub.ratelimit.CredentialCheck;
import dev.doyen.hub.ratelimit.RateLimits;
import dev.doyen.hub.request.RestRequestChannels;
import dev.doyen.hub.request.Revoking;
import dev.doyen.hub.request.SandboxApps;
import dev.doyen.hub.rest.RestApi;
import dev.doyen.hub.rest.RestRequest;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.settings.Slot;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.HubEffect;
import dev.doyen.hub.step.NodeEffect;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.step.SlotStepDown;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.step.Timers;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.Refusal;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of the hub, which takes inputs and returns effects.
 *
 * <p>The machine is deterministic and has no clock, thread, randomness, I/O or logger. Timers that are due at the time
 * of an input fire before the input is handled. A late call of {@link #wake} therefore delays effects but never changes
 * a decision.
 *
 * <p>The hub ignores an input for a session that is closed or was never opened, because frames can arrive while a
 * socket closes.
 *
 * <p>One thread at a time may call the hub. The source of the rules is {@code docs/spec/claims.md}, rules C1 to C21.
 * The class is long, because it has a method for each kind of input.
 */
public final class Hub {

    private static final int MIN_ENTROPY_CHARS = 22;

    private final Timers timers = new Timers();
    private final int maxConnections;
    private final Channels channels;
    private final States states;
    private final Claims claims;
    private final Retirement retirement;
    private final Authenticator authenticator;
    private final CredentialCheck credentials;
    private final Connections connections;
    private final Reauthentication reauthentication;
    private final Frames frames;
    private final Syncs syncs;
    private final RestApi rest;
    private final RestRequestChannels.Files files;
    /** The state that this hub shares with the other nodes; null on a single hub. */
    private final @Nullable Nodes nodes;

    public Hub(HubSettings settings, HubKeys keys) {
        this(settings, keys, Sandbox.OFF);
    }

    /** Creates one of several nodes. The node serves no client until {@link #joined} is called. */
    public static Hub node(HubSettings settings, HubKeys keys) {
        return new Hub(settings, keys, Sandbox.OFF, HubMode.NODES);
    }

    /** Creates a single hub. */
    public Hub(HubSettings settings, HubKeys keys, Sandbox sandbox) {
        this(settings, keys, sandbox, HubMode.NONE);
    }

    private Hub(HubSettings settings, HubKeys keys, Sandbox sandbox, HubMode company) {
        maxConnections = settings.maxConnections();
        channels = new Channels(settings, timers);
        var events = new MemberEvents(timers, channels);
        var changes = new Changes(channels, events);
        var text = new ChangeText(settings);
        var shared = company == HubMode.NODES ? new SharedLog(changes, channels, text) : null;
        Log log = shared == null ? new OwnLog(changes) : shared;
        states = new States(settings, timers, channels);
        claims = new Claims(settings, timers, channels, states, log, company);
        retirement = new Retirement(channels, claims);
        var departures = new Departures(channels, log, claims);
        authenticator = new Authenticator(keys, settings.clientIdRule());
        var callers = new RateLimits(settings.restRates());
        credentials = new CredentialCheck(authenticator, callers);
        var accounts = new Accounts(settings.quotas(), settings.restRates().maxCallers());
        connections = new Connections(settings, credentials, accounts, timers, departures);
        if (shared == null) {
            nodes = null;
        } else {
            var migration = new ConnectionMigration(settings, timers, connections, channels, shared);
            var occupancies = new OccupancyExchange(timers, channels, shared);
            channels.countedBy(occupancies);
            nodes = new Nodes(channels, connections, authenticator, shared, migration, claims, occupancies, text);
            connections.awaitCompany();
        }
        var publishing = new Publishing(settings, channels, new Fences(settings), states, log);
        syncs = new Syncs(settings, channels);
        reauthentication = new Reauthentication(authenticator, channels, connections, departures, syncs);
        frames = new Frames(
                settings,
                connections,
                reauthentication,
                new Attaching(settings, channels, departures, syncs, states),
                publishing,
                new Presence(settings, channels, events, log, claims));
        var apps = sandbox == Sandbox.ON ? new SandboxApps(settings, authenticator, channels, log, departures) : null;
        var revoking = new Revoking(authenticator, connections, timers, nodes);
        rest = new RestApi(settings.maxFrameBytes());
        files = new RestRequestChannels.Files(
                settings, authenticator, callers, accounts, connections, channels, publishing, revoking, apps, nodes);
    }

    /**
     * Restores the revocations that an earlier run has stored. The caller calls this method before the first input.
     *
     * @throws IllegalArgumentException if a target is malformed; the message is a sentence
     */
    public void restore(List<Revocation> earlier) {
        try {
            authenticator.restore(earlier);
        } catch (Refusal malformed) {
            throw new IllegalArgumentException(malformed.error().message(), malformed);
        }
    }

    /**
     * Handles a new WebSocket.
     *
     * @param entropy at least 128 random bits in the URL-safe base64 alphabet, never reused; becomes the connection key
     */
    public List<HubEffect> opened(Moment at, SessionId session, ConnectRequest request, String entropy) {
        StepContext step = begin(at, entropy);
        connections.open(step, session, request, entropy);
        return step.effects();
    }

    /**
     * Handles an HTTP request. This call or a later call returns the {@link HubEffect.Answer} with the id of the
     * request.
     *
     * @param entropy random text as in {@link #opened}, from which the hub derives ids for the request
     */
    public List<HubEffect> requested(Moment at, long requestId, RestRequest request, String entropy) {
        StepContext step = begin(at, entropy);
        if (nodes != null && !nodes.areInTouch()) {
            step.answer(requestId, RestApi.refusal(request, Log.OUT_OF_TOUCH));
            return step.effects();
        }
        var requestChannels = new RestRequestChannels(files, step, entropy);
        rest.answer(requestChannels, request)
                .whenThere(answer -> requestChannels.step().answer(requestId, answer));
        return step.effects();
    }

    /**
     * Handles a change of the keys. The new keys are valid from now on.
     *
     * <p>The connections of removed keys end. A key that has another secret now counts as removed. If a removed key has
     * signed the token of a client, the hub disconnects the client, which can resume with a new token. A changed
     * capability applies at once.
     */
    public List<HubEffect> keysChanged(Moment at, HubKeys keys) {
        StepContext step = begin(at);
        reauthentication.keysChanged(step, authenticator.replaceKeys(keys));
        return step.effects();
    }

    /** Trusts a token issuer. The caller calls this method before the first input. */
    public void trust(TrustedIssuer issuer, IssuerKeys keys) {
        authenticator.trust(issuer, keys);
    }

    /**
     * Returns true if a token named an unknown issuer key since the last call.
     *
     * @param issuer the name of the issuer
     */
    public boolean takeUnknownKey(String issuer) {
        return authenticator.takeUnknownKey(issuer);
    }

    /**
     * Handles a change of the keys of a trusted token issuer. The hub disconnects the clients whose tokens were signed
     * with a removed or replaced key.
     *
     * @param issuer the name of the issuer
     */
    public List<HubEffect> issuerKeysChanged(Moment at, String issuer, IssuerKeys keys) {
        StepContext step = begin(at);
        reauthentication.keysChanged(step, authenticator.replaceIssuerKeys(issuer, keys));
        return step.effects();
    }

    /** Handles a decoded frame. */
    public List<HubEffect> received(Moment at, SessionId session, ProtocolMessage message) {
        StepContext step = begin(at);
        connections.of(session).ifPresent(connection -> frames.receive(step, connection, message));
        return step.effects();
    }

    /**
     * Handles a frame that cannot be decoded, and ends the connection.
     *
     * <p>The hub sends an ERROR frame and no DISCONNECTED frame, because after DISCONNECTED the client would reconnect
     * and repeat the invalid frame.
     *
     * @param reason a sentence for the client
     */
    public List<HubEffect> garbled(Moment at, SessionId session, String reason) {
        StepContext step = begin(at);
        connections
                .of(session)
                .ifPresent(connection -> connections.fail(step, connection, ErrorCode.BAD_REQUEST.because(reason)));
        return step.effects();
    }

    /**
     * Handles a socket that was lost without a CLOSE frame. The peer closed the socket, or the driver closed it because
     * the peer was slow or idle.
     */
    public List<HubEffect> socketLost(Moment at, SessionId session) {
        StepContext step = begin(at);
        connections.lose(step, session);
        return step.effects();
    }

    /** Handles the report that the socket has taken all frames that were sent before {@link HubEffect.AwaitFlush}. */
    public List<HubEffect> flushed(Moment at, SessionId session) {
        StepContext step = begin(at);
        connections.of(session).ifPresent(connection -> syncs.flushed(step, connection));
        return step.effects();
    }

    /**
     * Handles a granted lease. If the claim was withdrawn or cannot be applied, the hub returns a {@link
     * HubEffect.Release}.
     *
     * <p>The hub can return another {@link HubEffect.Claim} of the same member before it receives the outcome of a
     * withdrawn claim. The two claimants differ in {@link Claimant#attempt}, so the late outcome does not decide the
     * second claim.
     *
     * @param left the state that earlier holders have saved
     */
    public List<HubEffect> claimGranted(Moment at, Claimant claimant, long term, SavedState left) {
        StepContext step = begin(at);
        claims.granted(step, claimant, term, left);
        return step.effects();
    }

    /**
     * Handles the store's rejection of an attempt to acquire a lease. {@code holder} is empty if the store did not
     * report the holder.
     */
    public List<HubEffect> claimRefused(Moment at, Claimant claimant, Optional<Leader> holder) {
        StepContext step = begin(at);
        claims.refused(step, claimant, holder);
        return step.effects();
    }

    /** Handles the loss of a lease that the hub has not released. The member loses its claim, whatever the cause is. */
    public List<HubEffect> claimLost(Moment at, Claimant claimant, long term, LossCause cause) {
        StepContext step = begin(at);
        claims.lost(
                step,
                claimant,
                term,
                cause == LossCause.PAUSED ? "the election is paused" : "the store ended the claim");
        return step.effects();
    }

    /** Handles a claim on a paused election (rule M1). The error text for the client ends with {@code why}. */
    public List<HubEffect> claimPaused(Moment at, Claimant claimant, String why) {
        StepContext step = begin(at);
        claims.paused(step, claimant, why);
        return step.effects();
    }

    /**
     * Handles an admin command that asks the holder of a slot to resign (rule C16).
     *
     * <p>The hub returns a {@link HubEffect.SteppedDown} with the number {@code order}.
     *
     * @param election the name that {@link Slot#electionOn} returns
     */
    public List<HubEffect> stepDown(Moment at, long order, String election, SlotStepDown stepDown) {
        StepContext step = begin(at);
        claims.stepDown(step, order, election, stepDown);
        return step.effects();
    }

    /** Handles the store's confirmation of a save. The confirmation also covers all earlier saves of the claimant. */
    public List<HubEffect> stateSaved(Moment at, Claimant claimant, long term, long number) {
        StepContext step = begin(at);
        states.saved(step, claimant, term, number);
        return step.effects();
    }

    /**
     * Joins this node to the other nodes. The node must be new, or must have lost its membership in the group of nodes.
     */
    public List<HubEffect> joined(Moment at, Joined joined) {
        StepContext step = begin(at);
        nodes().joined(step, joined);
        return step.effects();
    }

    /** Handles the next entries of the log. */
    public List<HubEffect> logged(Moment at, List<Logged> entries) {
        StepContext step = begin(at);
        nodes().logged(step, entries);
        return step.effects();
    }

    /** Handles a proposal or a {@link NodeEffect.TakeOver} that the log has permanently declined. */
    public List<HubEffect> declined(Moment at, long number, Declined why) {
        StepContext step = begin(at);
        nodes().declined(step, number, why);
        return step.effects();
    }

    /**
     * Handles the report that this node has lost its membership in the group of nodes.
     *
     * <p>The hub disconnects the clients of this node, so that they connect to other nodes. This node can join again.
     *
     * @param why a sentence for the clients
     */
    public List<HubEffect> outOfTouch(Moment at, String why) {
        StepContext step = begin(at);
        nodes().leave(step, why);
        return step.effects();
    }

    /**
     * Returns true if all decisions of this node have taken effect. Returns false while a proposal of this node is
     * pending.
     */
    public boolean isSettled() {
        return nodes == null || nodes.isSettled();
    }

    private Nodes nodes() {
        return Objects.requireNonNull(nodes, "a hub without other nodes has no log of other writers");
    }

    /**
     * Prepares the end of this hub: every holder loses its claim (rule C20).
     *
     * <p>The hub returns no {@link HubEffect.Release}. The driver releases the leases after the holders have read that
     * their claims have ended.
     */
    public List<HubEffect> retire(Moment at) {
        StepContext step = begin(at);
        retirement.begin(step);
        return step.effects();
    }

    /** Returns all held claims, and ended claims whose former holders have not confirmed the end. */
    public List<HeldClaim> claims() {
        return retirement.held();
    }

    /** Fires due timers. The driver calls this method at {@link #nextWakeNanos()} or soon after. */
    public List<HubEffect> wake(Moment at) {
        return begin(at).effects();
    }

    /**
     * Returns the time of the next {@link #wake} call, as {@link Moment#nanos()}. The result is empty if no timer is
     * set.
     */
    public OptionalLong nextWakeNanos() {
        return timers.nextNanos();
    }

    /** Returns the channels, oldest first. */
    public List<ChannelView> channels() {
        return List.copyOf(channels.views());
    }

    /** Returns the numbers of connections, channels and members. The call takes constant time. */
    public HubCounts counts() {
        return new HubCounts(
                connections.count(),
                connections.socketCount(),
                maxConnections,
                channels.all().size(),
                channels.memberCount());
    }

    /** Returns the first {@code limit} members of a channel. The list is empty if the channel does not exist. */
    public List<MemberView> members(String channel, int limit) {
        return channels.members(channel, limit);
    }

    /** Returns the names of a socket's client; {@link ClientIdentity#UNKNOWN} if the socket has no connection. */
    public ClientIdentity clientOf(SessionId session) {
        return connections
                .of(session)
                .map(connection -> ClientIdentity.of(connection.access, Optional.ofNullable(connection.clientId)))
                .orElse(ClientIdentity.UNKNOWN);
    }

    /**
     * Returns true if an {@code Authorization} header now allows admin on at least one channel.
     *
     * @param address the caller's address; the hub limits how often an address may send wrong credentials
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

    private StepContext begin(Moment at, String entropy) {
        if (!entropy.matches("[A-Za-z0-9_-]{" + MIN_ENTROPY_CHARS + ",}")) {
            throw new IllegalArgumentException("entropy has " + entropy.length() + " characters; give at least "
                    + MIN_ENTROPY_CHARS + " of the URL-safe base64 alphabet");
        }
        channels.begin(Digests.name("epoch", entropy));
        return begin(at);
    }

    private StepContext begin(Moment at) {
        var step = new StepContext(at);
        timers.fire(step);
        return step;
    }
}
