package dev.doyen.hub.server.websocket;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.hub.HubCounts;
import dev.doyen.hub.auth.ClientIdentity;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.auth.IssuerKeys;
import dev.doyen.hub.channel.ChannelView;
import dev.doyen.hub.channel.MemberView;
import dev.doyen.hub.claim.HeldClaim;
import dev.doyen.hub.connection.ConnectRequest;
import dev.doyen.hub.log.Declined;
import dev.doyen.hub.log.Joined;
import dev.doyen.hub.log.Logged;
import dev.doyen.hub.rest.RestApi;
import dev.doyen.hub.rest.RestRequest;
import dev.doyen.hub.server.claims.Claims;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.HubEffect;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.step.SlotStepDown;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.FrameCodec;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A hub with very simple rules that logs most of its inputs.
 *
 * <p>The hub returns a HEARTBEAT frame to its sender and sends a MESSAGE frame to all sessions. A PRESENCE frame claims
 * its channel, and a CLOSE frame closes the session. The hub answers an ATTACH frame with an ATTACHED frame, whose
 * error only informs the client. The hub rejects a client with the key {@code refuse}. A client with the key
 * {@code ignore} receives no CONNECTED frame. A DETACH frame makes the hub fail. A SYNC frame blocks the hub until
 * {@link #goOn} is called.
 */
public final class FakeHub implements HubInputs {

    private final Set<SessionId> sessions = new LinkedHashSet<>();
    private final Set<Claimant> claims = new LinkedHashSet<>();
    private final Map<String, Integer> encodings = new ConcurrentHashMap<>();
    private final BlockingQueue<String> log = new LinkedBlockingQueue<>();
    private final CountDownLatch goOn = new CountDownLatch(1);
    private volatile OptionalLong nextWake = OptionalLong.empty();
    private final AtomicInteger failingWakes = new AtomicInteger();
    private volatile boolean settled = true;
    private volatile boolean failsGrants;

    /** Creates a loop that owns this hub. */
    public HubLoop loop(FrameCodec codec, Claims claims) {
        return new HubLoop(
                this,
                (message, format) -> {
                    encodings.merge(message.action() + " " + format, 1, Integer::sum);
                    return codec.encode(message, format);
                },
                claims);
    }

    /** Returns the number of times that a frame with this action was encoded in this format. */
    int encodings(Action action, Format format) {
        return encodings.getOrDefault(action + " " + format, 0);
    }

    /** Waits for the next input and returns it. */
    public String nextInput() throws InterruptedException {
        var next = log.poll(60, TimeUnit.SECONDS);
        return next == null ? "nothing for 60 s" : next;
    }

    /** Waits for the next input with this prefix and returns it. */
    public String nextInputOf(String beginning) throws InterruptedException {
        var next = nextInput();
        while (!next.startsWith(beginning) && !next.startsWith("nothing")) {
            next = nextInput();
        }
        return next;
    }

    public void goOn() {
        goOn.countDown();
    }

    /** Makes the next {@code times} wake-ups fail. */
    void failWakes(int times) {
        failingWakes.set(times);
    }

    /** From now on, {@link #isSettled} returns false, as if the nodes' log did not contain the ends of the claims. */
    public void neverSettle() {
        settled = false;
    }

    /** Makes the hub fail on each grant from now on. */
    public void failGrants() {
        failsGrants = true;
    }

    void wakeAt(long nanos) {
        nextWake = OptionalLong.of(nanos);
    }

    @Override
    public List<HubEffect> opened(Moment at, SessionId session, ConnectRequest request, String entropy) {
        log.add("opened " + session.value() + " " + request.format() + " " + request.params());
        if ("refuse".equals(request.params().get("key"))) {
            var error = ProtocolMessage.builder(Action.ERROR)
                    .error(ErrorCode.BAD_CREDENTIALS.because("no such key"))
                    .build();
            return List.of(new HubEffect.Send(session, error), new HubEffect.Close(session));
        }
        if ("ignore".equals(request.params().get("key"))) {
            return List.of();
        }
        sessions.add(session);
        return List.of(new HubEffect.Send(
                session,
                ProtocolMessage.builder(Action.CONNECTED)
                        .connectionId("c" + session.value())
                        .build()));
    }

    /** Answers 404 to most requests. The hub does not answer /channels, fails on /stats, and blocks on POST. */
    @Override
    public List<HubEffect> requested(Moment at, long requestId, RestRequest request, String entropy) {
        log.add("requested " + request);
        if (request.method().equals("POST")) {
            await();
        }
        return switch (request.path()) {
            case "/stats" -> throw new OutOfMemoryError("fails on purpose");
            case "/channels" -> List.of();
            default ->
                List.of(new HubEffect.Answer(
                        requestId, RestApi.refusal(request, ErrorCode.NOT_FOUND.because("nothing is here"))));
        };
    }

    @Override
    public List<HubEffect> received(Moment at, SessionId session, ProtocolMessage message) {
        log.add("received " + session.value() + " " + message.action() + " " + message.id());
        return switch (message.action()) {
            case HEARTBEAT -> List.of(new HubEffect.Send(session, message));
            case MESSAGE -> List.of(new HubEffect.FanOut(List.copyOf(sessions), message));
            case PRESENCE ->
                List.of(new HubEffect.Claim(new Claimant(
                        String.valueOf(message.channel()), "client-" + session.value(), "c" + session.value())));
            case ATTACH ->
                List.of(new HubEffect.Send(
                        session,
                        ProtocolMessage.builder(Action.ATTACHED)
                                .channel(message.channel())
                                .error(ErrorCode.NOT_FOUND.because("some messages are missing"))
                                .build()));
            case CLOSE -> {
                sessions.remove(session);
                yield List.of(
                        new HubEffect.Send(session, ProtocolMessage.of(Action.CLOSED)), new HubEffect.Close(session));
            }
            case DETACH -> throw new OutOfMemoryError("fails on purpose");
            case SYNC -> {
                await();
                yield List.of();
            }
            default -> List.of();
        };
    }

    @Override
    public List<HubEffect> garbled(Moment at, SessionId session, String reason) {
        log.add("garbled " + session.value() + " " + reason);
        return List.of(new HubEffect.Send(
                session,
                ProtocolMessage.builder(Action.ERROR)
                        .channel("garbled")
                        .error(ErrorCode.BAD_REQUEST.because(reason))
                        .build()));
    }

    @Override
    public List<HubEffect> socketLost(Moment at, SessionId session) {
        log.add("lost " + session.value());
        sessions.remove(session);
        return List.of();
    }

    /** Sends a PRESENCE frame with the id {@code retired} to each holder. */
    @Override
    public List<HubEffect> retire(Moment at) {
        log.add("retired");
        var effects = new ArrayList<HubEffect>();
        for (var claim : claims()) {
            if (claim.session() != null) {
                var update =
                        ProtocolMessage.builder(Action.PRESENCE).id("retired").build();
                effects.add(new HubEffect.Send(claim.session(), update));
            }
        }
        claims.clear();
        return effects;
    }

    @Override
    public List<HeldClaim> claims() {
        return claims.stream()
                .map(claimant -> new HeldClaim(
                        claimant,
                        sessions.stream()
                                .filter(session -> claimant.connectionId().equals("c" + session.value()))
                                .findFirst()
                                .orElse(null)))
                .toList();
    }

    @Override
    public List<HubEffect> flushed(Moment at, SessionId session) {
        return List.of();
    }

    @Override
    public List<HubEffect> claimGranted(Moment at, Claimant claimant, long term, SavedState left) {
        if (failsGrants) {
            throw new OutOfMemoryError("fails on purpose");
        }
        claims.add(claimant);
        return logClaim("granted " + claimant.channel() + " to " + claimant.clientId() + " in term " + term);
    }

    @Override
    public List<HubEffect> claimRefused(Moment at, Claimant claimant, Optional<Leader> holder) {
        List<HubEffect> effects = logClaim("refused " + claimant.channel() + " to " + claimant.clientId() + ", held by "
                + holder.map(Leader::id).orElse("nobody known"));
        var nack = ProtocolMessage.builder(Action.NACK)
                .error(ErrorCode.CLAIM_HELD.because("another member holds the slot"))
                .build();
        sessions.stream()
                .filter(session -> claimant.connectionId().equals("c" + session.value()))
                .forEach(session -> effects.add(new HubEffect.Send(session, nack)));
        return effects;
    }

    @Override
    public List<HubEffect> claimLost(Moment at, Claimant claimant, long term, LossCause cause) {
        return logClaim("lost claim " + claimant.channel() + " " + cause);
    }

    @Override
    public List<HubEffect> claimPaused(Moment at, Claimant claimant, String why) {
        return logClaim("paused " + claimant.channel() + ": " + why);
    }

    @Override
    public List<HubEffect> stepDown(Moment at, long command, String election, SlotStepDown stepDown) {
        log.add("depose " + election);
        return List.of(new HubEffect.SteppedDown(command, SlotStepDown.Outcome.NOT_HELD, Optional.empty()));
    }

    @Override
    public List<HubEffect> keysChanged(Moment at, HubKeys keys) {
        log.add("keysChanged " + keys);
        return List.of();
    }

    @Override
    public List<HubEffect> issuerKeysChanged(Moment at, String issuer, IssuerKeys keys) {
        log.add("issuerKeysChanged " + issuer);
        return List.of();
    }

    /** Fails for the issuer {@code fails}. */
    @Override
    public boolean takeUnknownKey(String issuer) {
        if (issuer.equals("fails")) {
            throw new OutOfMemoryError("fails on purpose");
        }
        return false;
    }

    @Override
    public List<HubEffect> stateSaved(Moment at, Claimant claimant, long term, long number) {
        return logClaim("saved " + number);
    }

    private List<HubEffect> logClaim(String what) {
        log.add(what);
        return new ArrayList<>();
    }

    @Override
    public List<HubEffect> joined(Moment at, Joined joined) {
        throw new AssertionError("this hub has no other nodes");
    }

    @Override
    public List<HubEffect> logged(Moment at, List<Logged> entries) {
        throw new AssertionError("this hub has no other nodes");
    }

    @Override
    public List<HubEffect> declined(Moment at, long number, Declined why) {
        throw new AssertionError("this hub has no other nodes");
    }

    @Override
    public List<HubEffect> outOfTouch(Moment at, String why) {
        throw new AssertionError("this hub has no other nodes");
    }

    @Override
    public boolean isSettled() {
        return settled;
    }

    @Override
    public List<HubEffect> wake(Moment at) {
        if (failingWakes.getAndDecrement() > 0) {
            throw new OutOfMemoryError("on purpose");
        }
        nextWake = OptionalLong.empty();
        log.add("woken");
        return List.of();
    }

    @Override
    public OptionalLong nextWakeNanos() {
        return nextWake;
    }

    private void await() {
        try {
            goOn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public ClientIdentity clientOf(SessionId session) {
        return new ClientIdentity("app.id", Optional.empty(), Optional.of("client-" + session.value()));
    }

    @Override
    public HubCounts counts() {
        return new HubCounts(sessions.size(), sessions.size(), 10_000, 0, 0);
    }

    @Override
    public List<ChannelView> channels() {
        return List.of();
    }

    @Override
    public List<MemberView> members(String channel, int limit) {
        return List.of();
    }

    @Override
    public boolean mayAdminister(String authorization, String address) {
        return false;
    }
}
