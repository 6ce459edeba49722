package dev.doyen.hub;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.hub.auth.Authenticator;
import dev.doyen.hub.auth.Digests;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.auth.Operation;
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
 * State machine of the hub: takes inputs and returns effects.
 *
 * <p>It is deterministic and has no clock, thread, randomness, I/O or logger. Timers that are due at the time of an
 * input fire before the input is handled. So a late call of {@link #wake} delays effects but never changes a decision.
 *
 * <p>An input for a session that is closed or was never opened is ignored, because frames may arrive while a socket
 * closes.
 *
 * <p>Threads: one at a time. Source: {@code docs/spec/claims.md}, rules C1 to C20.
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
    private final RestRequestChannels.Files files;
    /** Null on a single hub. */
    private final @Nullable Nodes nodes;

    public Hub(HubSettings settings, HubKeys keys) {
        this(settings, keys, Sandbox.OFF);
    }

    /** Creates one of several nodes. It serves no client until {@link #joined} is called. */
    public static Hub node(HubSettings settings, HubKeys keys) {
        return new Hub(settings, keys, Sandbox.OFF, HubMode.NODES);
    }

    /** Creates a single hub. */
    public Hub(HubSettings settings, HubKeys keys, Sandbox sandbox) {
        this(settings, keys, sandbox, HubMode.NONE);
    }

    private Hub(HubSettings settings, HubKeys keys, Sandbox sandbox, HubMode company) {
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
        var authenticator = new Authenticator(keys, settings.clientIdRule());
        var callers = new RateLimits(settings.restRates());
        credentials = new CredentialCheck(authenticator, callers);
        connections = new Connections(settings, credentials, timers, departures);
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
        files = new RestRequestChannels.Files(
                settings, authenticator, callers, connections, channels, publishing, revoking, apps, nodes);
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
     * Handles an HTTP request. This or a later call returns the {@link HubEffect.Answer} with its id.
     *
     * @param entropy as in {@link #opened}; the hub derives ids for the request from it
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

    /** Handles a decoded frame. */
    public List<HubEffect> received(Moment at, SessionId session, ProtocolMessage message) {
        StepContext step = begin(at);
        connections.of(session).ifPresent(connection -> frames.receive(step, connection, message));
        return step.effects();
    }

    /**
     * Handles a frame that cannot be decoded, and ends the connection.
     *
     * <p>The client waits for the answer to a frame that the hub cannot identify. After a DISCONNECTED it would send it
     * again.
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

    /** Handles a socket that was lost without a CLOSE. The peer or the driver has closed it (slow reader, idle). */
    public List<HubEffect> socketLost(Moment at, SessionId session) {
        StepContext step = begin(at);
        connections.lose(step, session);
        return step.effects();
    }

    /**
     * Handles a granted lease. A {@code Release} follows if the claim has been withdrawn.
     *
     * <p>The driver must not report the result of a released attempt after the next {@code Claim} of the same claimant.
     *
     * @param left the state that earlier holders have saved
     */
    public List<HubEffect> claimGranted(Moment at, Claimant claimant, long term, SavedState left) {
        StepContext step = begin(at);
        claims.granted(step, claimant, term, left);
        return step.effects();
    }

    /** Handles a rejected attempt. {@code holder} is empty if the store did not report the holder. */
    public List<HubEffect> claimRefused(Moment at, Claimant claimant, Optional<Leader> holder) {
        StepContext step = begin(at);
        claims.refused(step, claimant, holder);
        return step.effects();
    }

    /** Handles the loss of a lease that the hub has not released. The member loses its claim, whatever the cause. */
    public List<HubEffect> claimLost(Moment at, Claimant claimant, long term, LossCause cause) {
        StepContext step = begin(at);
        claims.lost(
                step,
                claimant,
                term,
                cause == LossCause.PAUSED ? "the election is paused" : "the store ended the claim");
        return step.effects();
    }

    /** Handles an attempt on a paused election (rule M1). {@code why} ends the sentence that the client receives. */
    public List<HubEffect> claimPaused(Moment at, Claimant claimant, String why) {
        StepContext step = begin(at);
        claims.paused(step, claimant, why);
        return step.effects();
    }

    /**
     * Handles an admin command to the holder of a slot to resign (rule C16).
     *
     * <p>A {@link HubEffect.SteppedDown} with this number follows.
     *
     * @param election the name that {@link Slot#electionOn} returns
     */
    public List<HubEffect> stepDown(Moment at, long order, String election, SlotStepDown stepDown) {
        StepContext step = begin(at);
        claims.stepDown(step, order, election, stepDown);
        return step.effects();
    }

    /** Handles the store's confirmation of a save, which confirms all earlier saves of the claimant. */
    public List<HubEffect> stateSaved(Moment at, Claimant claimant, long term, long number) {
        StepContext step = begin(at);
        states.saved(step, claimant, term, number);
        return step.effects();
    }

    /** Adds this node to the others. It must not be in touch with them yet. */
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

    /** Handles a proposal or a {@link NodeEffect.TakeOver} that the log has declined for good. */
    public List<HubEffect> declined(Moment at, long number, Declined why) {
        StepContext step = begin(at);
        nodes().declined(step, number, why);
        return step.effects();
    }

    /**
     * Removes this node from the others after it has lost touch with them.
     *
     * <p>Its clients are sent to other nodes. The node may join again.
     *
     * @param why a sentence for the clients
     */
    public List<HubEffect> outOfTouch(Moment at, String why) {
        StepContext step = begin(at);
        nodes().leave(step, why);
        return step.effects();
    }

    /** Whether all decisions have taken effect. False while a proposal of this node is pending. */
    public boolean isSettled() {
        return nodes == null || nodes.isSettled();
    }

    private Nodes nodes() {
        return Objects.requireNonNull(nodes, "a hub by itself has no log that others write");
    }

    /**
     * Prepares the end of this hub: every holder loses its claim (rule C20).
     *
     * <p>No {@link HubEffect.Release} follows. The driver releases the leases after the holders have read that.
     */
    public List<HubEffect> retire(Moment at) {
        StepContext step = begin(at);
        retirement.begin(step);
        return step.effects();
    }

    /** Returns the claims that are held now. */
    public List<HeldClaim> claims() {
        return retirement.held();
    }

    /** Fires due timers. Call it at {@link #nextWakeNanos()} or soon after. */
    public List<HubEffect> wake(Moment at) {
        return begin(at).effects();
    }

    /** Returns when {@link #wake} must be called next, as {@link Moment#nanos()}. Empty if no timer is set. */
    public OptionalLong nextWakeNanos() {
        return timers.nextNanos();
    }

    /** Returns the channels, oldest first. */
    public List<ChannelView> channels() {
        return List.copyOf(channels.views());
    }

    /** Returns the number of connections, including those without a socket. */
    public int connections() {
        return connections.count();
    }

    /** Returns the first {@code limit} members of a channel; empty if the channel does not exist. */
    public List<MemberView> members(String channel, int limit) {
        return channels.members(channel, limit);
    }

    /** Returns the client id of a socket's connection; empty if it has none. */
    public Optional<String> clientOf(SessionId session) {
        return connections.of(session).map(connection -> connection.clientId);
    }

    /**
     * Whether an {@code Authorization} header allows the caller to administer some channel at this time.
     *
     * @param address the caller's address, for which guesses are limited
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
