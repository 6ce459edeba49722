package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.hub.auth.Capability;
import dev.doyen.hub.auth.HubKey;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.auth.Signing;
import dev.doyen.hub.connection.ConnectRequest;
import dev.doyen.hub.rest.RestRequest;
import dev.doyen.hub.settings.ChannelRules;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.HubEffect;
import dev.doyen.hub.step.NodeEffect;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.AuthDetails;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.FrameCodec;
import dev.doyen.hub.wire.MalformedFrameException;
import dev.doyen.hub.wire.Mangler;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Tests a hub whose clients send random input.
 *
 * <p>The clients send damaged frames, queries and tokens, and valid frames with random content.
 *
 * <p>The test checks that no exception escapes, that a client on another channel receives nothing, and that the hub's
 * memory stays bounded. The property {@code -Dfuzz.frames=1000000} starts the full run, which takes a few minutes. The
 * class is long because it contains all kinds of damage.
 */
@Isolated("the test measures the memory of its JVM")
class HubFuzzTest {

    private static final int FRAMES = Integer.getInteger("fuzz.frames", 10_000);
    private static final long SEED = Long.getLong("fuzz.seed", 20_261_121L);
    private static final int FUZZERS = 12;
    private static final SessionId BYSTANDER = new SessionId(1);

    private static final HubSettings SETTINGS = HubSettings.builder()
            .maxConnections(200)
            .maxChannels(100)
            .maxAttachmentsPerConnection(20)
            .maxMembersPerChannel(30)
            .maxMessageBytes(2_000)
            .maxFrameBytes(8_000)
            .historyCount(20)
            .historyBytes(20_000)
            .historyBytesInAll(200_000)
            .channelRules(ChannelRules.fenced("fuzz:fenced*"))
            .build();

    private static final List<String> CHANNELS = List.of(
            "fuzz:a",
            "fuzz:b",
            "fuzz:fenced",
            "[?rewind=2]fuzz:a",
            "[?rewind=1m]fuzz:c",
            "room",
            "fuzz",
            "",
            ":x",
            "[x",
            "fuzz:\u00e4\ud83d\ude00",
            "a\nb");

    private final Random random = new Random(SEED);
    private final Mangler mangler = new Mangler(random);
    private final FrameCodec codec = new FrameCodec(SETTINGS.maxFrameBytes());
    private final Hub hub = new Hub(SETTINGS, keys());
    private final Map<Integer, SessionId> sessions = new HashMap<>();
    private final Map<SessionId, String> resumable = new HashMap<>();
    private final List<Claimant> pendingClaims = new ArrayList<>();
    private final List<Claimant> granted = new ArrayList<>();

    private long nanos;
    private long wallMillis = 1_700_000_000_000L;
    private long lastSession = 1;
    private long term;
    private boolean bystanderListens;
    private int good;
    private int answers;
    private int doing;

    @Test
    void every_input_is_answered_to_its_sender() {
        bystander();
        long warm = 0;
        for (doing = 0; doing < FRAMES; doing++) {
            try {
                step();
            } catch (RuntimeException | AssertionError | StackOverflowError | OutOfMemoryError e) {
                throw new AssertionError("step " + doing + " of seed " + SEED + " failed: " + e, e);
            }
            if (doing == FRAMES / 5) {
                warm = usedBytes();
            }
        }
        assertThat(answers).as("number of answered requests").isGreaterThan(FRAMES / 10);
        assertThat(good).as("number of frames that the hub could read").isGreaterThan(FRAMES / 4);
        assertThat(hub.channels()).hasSizeLessThanOrEqualTo(SETTINGS.maxChannels());
        assertThat(usedBytes() - warm)
                .as("bytes of memory in use since the first fifth of the frames")
                .isLessThan(8_000_000);
    }

    private static HubKeys keys() {
        try {
            return HubKeys.ofKeys(List.of(
                    HubKey.of("app.room:calm"),
                    HubKey.of("app.fuzz:wild").with(Capability.parse("{\"fuzz:*\":[\"*\"]}"))));
        } catch (Refusal e) {
            throw new AssertionError(e);
        }
    }

    private void bystander() {
        open(BYSTANDER, Map.of("key", "app.room:calm", "clientId", "bystander", "heartbeats", "false"));
        receive(
                BYSTANDER,
                ProtocolMessage.builder(Action.ATTACH).channel("room").build());
        receive(
                BYSTANDER,
                Player.presenceFrame("room", 0, PresenceMessage.of(PresenceAction.ENTER, null, Data.text("here"))));
        bystanderListens = true;
    }

    private void step() {
        nanos += Duration.ofMillis(random.nextInt(40)).toNanos();
        wallMillis += random.nextInt(40);
        int who = random.nextInt(FUZZERS);
        SessionId session = sessions.get(who);
        int choice = random.nextInt(100);
        if (random.nextInt(8) == 0) {
            sendRequest(who);
        } else if (session == null) {
            var fresh = new SessionId(++lastSession);
            sessions.put(who, fresh);
            open(fresh, random.nextInt(4) == 0 ? spoiledQuery() : goodQuery(who));
        } else if (choice < 2) {
            carry(hub.socketLost(now(), session));
            sessions.remove(who);
        } else if (choice < 6 && !pendingClaims.isEmpty()) {
            decide(pendingClaims.remove(random.nextInt(pendingClaims.size())));
        } else if (choice < 8 && !granted.isEmpty()) {
            Claimant loser = granted.remove(random.nextInt(granted.size()));
            carry(hub.claimLost(now(), loser, term, dev.doyen.event.LossCause.SUPERSEDED));
        } else if (choice < 10) {
            nanos += Duration.ofSeconds(random.nextInt(40)).toNanos();
            carry(hub.wake(now()));
        } else {
            ProtocolMessage frame = frame(who);
            Format format = random.nextBoolean() ? Format.JSON : Format.MSGPACK;
            byte[] bytes = codec.encode(frame, format);
            arrive(session, choice < 50 ? bytes : choice < 60 ? mangler.noise() : mangler.mangled(bytes), format);
        }
    }

    private void sendRequest(int who) {
        String target = "/channels/" + oneOf(List.of("fuzz%3Aa", "fuzz%3afenced", "room", "%5B%3Fx%5Dfuzz:b", "%", ""))
                + oneOf(List.of("", "/messages", "/history", "/presence", "/presence/history", "/nothing"))
                + oneOf(List.of("", "?limit=2&direction=forwards", "?start=1&end=2", "?cursor=" + doing));
        String basic = Base64.getEncoder().encodeToString("app.fuzz:wild".getBytes(StandardCharsets.UTF_8));
        var headers = new HashMap<String, String>();
        headers.put("Authorization", random.nextBoolean() ? "Basic " + basic : "Bearer " + token(who));
        headers.put("Accept", oneOf(List.of("application/json", "application/x-msgpack", "*/*")));
        headers.put("Origin", "https://app.example");
        headers.put(
                "X-Ably-ClientId", Base64.getEncoder().encodeToString(("c" + who).getBytes(StandardCharsets.UTF_8)));
        headers.replaceAll((name, value) -> random.nextInt(6) == 0 ? mangler.mangled(value) : value);
        String key = oneOf(List.of("", ",\"connectionKey\":\"" + oneOf(keysKnown()) + "\""));
        byte[] body = ("{\"name\":\"n\",\"data\":\"d\"" + key + "}").getBytes(StandardCharsets.UTF_8);
        var request = RestRequest.of(
                oneOf(List.of("GET", "GET", "POST", "POST", "OPTIONS", "DELETE")),
                random.nextInt(3) == 0 ? mangler.mangled(target) : target,
                headers,
                random.nextBoolean() ? body : mangler.mangled(body));
        int before = answers;
        carry(hub.requested(now(), doing, request, "request-request-request-" + doing));
        assertThat(answers).as("each request has one answer").isEqualTo(before + 1);
    }

    private List<String> keysKnown() {
        return resumable.isEmpty() ? List.of("none!") : List.copyOf(resumable.values());
    }

    private void arrive(SessionId session, byte[] bytes, Format format) {
        ProtocolMessage frame;
        try {
            frame = codec.decode(bytes, format);
        } catch (MalformedFrameException e) {
            carry(hub.garbled(now(), session, e.getMessage()));
            return;
        }
        good++;
        receive(session, frame);
    }

    private void receive(SessionId session, ProtocolMessage frame) {
        carry(hub.received(now(), session, frame));
    }

    private void open(SessionId session, Map<String, String> query) {
        carry(hub.opened(
                now(),
                session,
                new ConnectRequest(Format.JSON, query, "192.0.2." + session.value() % 256),
                "entropy-entropy-entropy-" + session.value()));
    }

    private void decide(Claimant claimant) {
        if (random.nextInt(3) > 0) {
            granted.add(claimant);
            carry(hub.claimGranted(now(), claimant, ++term, SavedState.EMPTY));
        } else {
            carry(hub.claimRefused(
                    now(), claimant, random.nextBoolean() ? Optional.empty() : Optional.of(new Leader("else", term))));
        }
    }

    private Map<String, String> goodQuery(int who) {
        var query = new HashMap<String, String>();
        if (random.nextBoolean()) {
            query.put("key", "app.fuzz:wild");
            query.put("clientId", "c" + who);
        } else {
            query.put("access_token", token(who));
        }
        if (random.nextInt(3) == 0 && !resumable.isEmpty()) {
            query.put("resume", List.copyOf(resumable.values()).get(random.nextInt(resumable.size())));
        }
        if (random.nextInt(4) == 0) {
            query.put("echo", "false");
            query.put("remainPresentFor", Integer.toString(1_000 + random.nextInt(20_000)));
        }
        return query;
    }

    private Map<String, String> spoiledQuery() {
        var query = new HashMap<String, String>();
        goodQuery(random.nextInt(FUZZERS))
                .forEach((name, value) -> query.put(
                        random.nextInt(9) == 0 ? mangler.mangled(name) : name,
                        random.nextInt(3) == 0 ? mangler.mangled(value) : value));
        for (String name : List.of("heartbeatInterval", "remainPresentFor", "recover", "v", "clientId")) {
            if (random.nextInt(6) == 0) {
                query.put(name, mangler.mangled("15000"));
            }
        }
        return query;
    }

    private String token(int who) {
        long seconds = wallMillis / 1_000;
        String claims = "{\"iat\":" + seconds + ",\"exp\":" + (seconds + random.nextInt(120) - 5)
                + ",\"x-ably-clientId\":\"c" + who + "\",\"x-ably-capability\":\"{\\\"fuzz:*\\\":[\\\"*\\\"]}\"}";
        String token = Signing.jwtOf("app.fuzz", random.nextInt(5) == 0 ? mangler.mangled(claims) : claims, "wild");
        return random.nextInt(5) == 0 ? mangler.mangled(token) : token;
    }

    private ProtocolMessage frame(int who) {
        Action action = random.nextInt(6) == 0
                ? oneOf(List.of(Action.values()))
                : List.of(
                                Action.ATTACH,
                                Action.MESSAGE,
                                Action.PRESENCE,
                                Action.MESSAGE,
                                Action.PRESENCE,
                                Action.DETACH)
                        .get(random.nextInt(6));
        var frame = ProtocolMessage.builder(action);
        frame.channel(oneOf(CHANNELS));
        frame.msgSerial(random.nextInt(8) == 0 ? random.nextLong() >>> 1 : (long) doing);
        if (random.nextInt(4) == 0) {
            frame.channelSerial(mangler.mangled("01700000000000-000@epoch-0"));
            frame.flags(random.nextInt(1 << 26));
            frame.params(Map.of("rewind", mangler.mangled("15s"), "modes", mangler.mangled("presence,publish")));
        }
        if (random.nextInt(12) == 0) {
            frame.auth(new AuthDetails(token(who)));
            frame.id(mangler.mangled("id"));
        }
        if (action == Action.MESSAGE) {
            frame.messages(List.of(message(), message()).subList(0, 1 + random.nextInt(2)));
        }
        if (action == Action.PRESENCE) {
            frame.presence(List.of(member(who), member(random.nextInt(FUZZERS))).subList(0, 1 + random.nextInt(2)));
        }
        return frame.build();
    }

    private Message message() {
        Message message = random.nextBoolean()
                ? Message.of("name", Data.text(mangler.mangled("text")))
                : Message.of(null, Data.bytes(new byte[random.nextInt(2_100)]));
        if (random.nextInt(3) == 0) {
            return Player.fenced("act", JsonNodeFactory.instance.numberNode(term - random.nextInt(3)));
        }
        return random.nextInt(6) == 0 ? message.withId(mangler.mangled("message-id")) : message;
    }

    private PresenceMessage member(int who) {
        var action = oneOf(List.of(PresenceAction.values()));
        String data = oneOf(
                List.of("leader", "{\"role\":\"L\",\"ttl\":2000}", "{\"role\":\"L\",\"ttl\":0}", "{\"role\":", "x"));
        return Player.message(action, random.nextBoolean() ? "c" + who : oneOf(List.of("*", "", "bystander")), data);
    }

    private <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private Moment now() {
        return new Moment(nanos, wallMillis);
    }

    private static long usedBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private void carry(List<HubEffect> effects) {
        for (HubEffect effect : effects) {
            effect.accept(new HubEffect.Cases() {
                @Override
                public void send(HubEffect.Send send) {
                    delivered(send.session(), send.message());
                }

                @Override
                public void fanOut(HubEffect.FanOut fanOut) {
                    fanOut.sessions().forEach(session -> delivered(session, fanOut.message()));
                }

                @Override
                public void answer(HubEffect.Answer answer) {
                    assertThat(answer.requestId()).isEqualTo(doing);
                    assertThat(answer.answer().status()).isBetween(200, 499);
                    assertThat(answer.answer().headers())
                            .allMatch(header -> header.value().matches("[ -~]*"));
                    answers++;
                }

                @Override
                public void awaitFlush(HubEffect.AwaitFlush effect) {
                    // The test never reports a flush, as if no client read its socket.
                }

                @Override
                public void close(HubEffect.Close close) {
                    assertThat(close.session()).isNotEqualTo(BYSTANDER);
                    sessions.values().remove(close.session());
                }

                @Override
                public void claim(HubEffect.Claim claim) {
                    pendingClaims.add(claim.claimant());
                }

                @Override
                public void release(HubEffect.Release release) {
                    pendingClaims.remove(release.claimant());
                    granted.remove(release.claimant());
                }

                @Override
                public void steppedDown(HubEffect.SteppedDown steppedDown) {
                    throw new AssertionError("nobody has sent an admin command: " + steppedDown);
                }

                @Override
                public void amongNodes(NodeEffect effect) {
                    throw new AssertionError("a single hub has no other nodes");
                }

                @Override
                public void storeRevocations(HubEffect.StoreRevocations effect) {
                    // This test does not restart the hub.
                }

                @Override
                public void save(HubEffect.Save save) {
                    assertThat(granted).contains(save.claimant());
                }
            });
        }
    }

    private void delivered(SessionId session, ProtocolMessage frame) {
        assertThat(session.equals(BYSTANDER) && bystanderListens)
                .as("the bystander must not receive %s", frame)
                .isFalse();
        for (Format format : Format.values()) {
            assertThat(codec.encode(frame, format)).isNotEmpty();
        }
        remember(session, frame);
    }

    private void remember(SessionId session, ProtocolMessage frame) {
        @Nullable
        String key = frame.connectionDetails() == null
                ? null
                : frame.connectionDetails().connectionKey();
        if (key != null && !session.equals(BYSTANDER)) {
            resumable.put(new SessionId(session.value() % 50), key);
        }
    }
}
