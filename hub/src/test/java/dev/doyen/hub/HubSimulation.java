package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One seeded run: clients that join, claim, publish, drop, resume and vanish, over a store that is slow, silent, or takes
 * leases away. What an onlooker hears is checked after every step.
 */
final class HubSimulation {

    private static final String[] CHANNELS = {"a", "b"};
    private static final int CLIENTS = 5;
    private static final String[] DATA = {
        "leader", "{\"role\":\"L\"}", "{\"role\":\"L\",\"ttl\":3000}", "{\"role\":\"F\"}", "plain"
    };

    private final Random random;
    private final Hub hub = new Hub(HubSettings.builder().build(), HubKeys.of(List.of(Stage.KEY)));
    private final FakeLeases leases = new FakeLeases();
    private final List<Client> clients = new ArrayList<>();
    private final Map<SessionId, Client> bySession = new HashMap<>();
    private final Client onlooker = new Client("onlooker");

    /** Per channel: who, by what the onlooker heard, has a term just now. */
    private final Map<String, Map<String, Long>> stamped = new LinkedHashMap<>();

    private final Map<String, Long> newestTerm = new HashMap<>();
    private final Map<String, Long> newestFence = new HashMap<>();
    private long nanos;
    private long sessions;
    int grants;
    int refusals;
    int fenced;

    private static final class Client {
        final String name;

        @Nullable
        SessionId session;

        String key = "";
        String connectionId = "";
        long serial;
        long lastAnswer;
        final Map<Long, ProtocolMessage> unanswered = new LinkedHashMap<>();
        final Map<String, Long> terms = new HashMap<>();

        Client(String name) {
            this.name = name;
        }
    }

    HubSimulation(long seed) {
        random = new Random(seed);
        connect(onlooker);
        for (String channel : CHANNELS) {
            stamped.put(channel, new HashMap<>());
            carry(hub.received(now(), onlooker.session, attach(channel)));
        }
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new Client("client" + i));
        }
    }

    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            pass(random.nextInt(4) == 0 ? random.nextInt(6_000) : random.nextInt(50));
            step(clients.get(random.nextInt(CLIENTS)));
            check();
        }
        heal();
    }

    private void step(Client client) {
        String channel = CHANNELS[random.nextInt(CHANNELS.length)];
        if (client.session == null) {
            connect(client);
            return;
        }
        switch (random.nextInt(20)) {
            case 0 -> {
                SessionId session = client.session;
                client.session = null;
                carry(hub.socketLost(now(), session));
            }
            case 1 -> connect(client);
            case 2 -> send(client, ProtocolMessage.of(Action.CLOSE));
            case 3 -> send(client, attach(channel));
            case 4 ->
                send(
                        client,
                        ProtocolMessage.builder(Action.DETACH).channel(channel).build());
            case 5 -> presence(client, channel, PresenceAction.LEAVE, "");
            case 6 -> publish(client, channel, Message.of(null, Data.text("plain")));
            case 7, 8 ->
                publish(
                        client,
                        channel,
                        Player.fenced("fenced", client.terms.getOrDefault(channel, 1L) + random.nextInt(2)));
            case 9, 10, 16, 17 -> answerStore(channel);
            case 11 -> troubleStore(channel);
            case 12 -> presence(client, channel, PresenceAction.ENTER, "{\"role\":\"L\",\"ttl\":7}");
            default ->
                presence(
                        client,
                        channel,
                        random.nextBoolean() ? PresenceAction.ENTER : PresenceAction.UPDATE,
                        DATA[random.nextInt(DATA.length)]);
        }
    }

    private void connect(Client client) {
        var query = new HashMap<>(Map.of("key", Stage.KEY, "clientId", client.name, "heartbeats", "false"));
        if (!client.key.isEmpty() && random.nextInt(5) != 0) {
            query.put("resume", client.key);
        }
        var session = new SessionId(++sessions);
        if (client.session != null && !query.containsKey("resume")) {
            // The page was reloaded: its former socket is simply gone.
            SessionId former = client.session;
            client.session = null;
            carry(hub.socketLost(now(), former));
        }
        client.session = session;
        bySession.put(session, client);
        client.lastAnswer = -1;
        String before = client.connectionId;
        carry(hub.opened(
                now(), session, new ConnectRequest(Format.JSON, query), "simulated-entropy-number-" + sessions));
        if (client.connectionId.equals(before)) {
            // As SDKs do: whatever was not answered is sent again with its serial.
            for (ProtocolMessage frame : List.copyOf(client.unanswered.values())) {
                carry(hub.received(now(), session, frame));
            }
        } else {
            client.unanswered.clear();
            client.terms.clear();
            client.serial = 0;
        }
    }

    private static ProtocolMessage attach(String channel) {
        return ProtocolMessage.builder(Action.ATTACH).channel(channel).build();
    }

    private void send(Client client, ProtocolMessage frame) {
        carry(hub.received(now(), client.session, frame));
    }

    private void presence(Client client, String channel, PresenceAction action, String data) {
        numbered(client, Player.presenceFrame(channel, client.serial, Player.message(action, null, data)));
    }

    private void publish(Client client, String channel, Message message) {
        numbered(client, Player.messageFrame(channel, client.serial, message));
    }

    private void numbered(Client client, ProtocolMessage frame) {
        client.unanswered.put(client.serial, frame);
        long serial = client.serial++;
        List<HubEffect> effects = hub.received(now(), client.session, frame);
        boolean refused = effects.stream()
                .anyMatch(effect -> effect instanceof HubEffect.Send send
                        && send.message().action() == Action.NACK
                        && send.message().msgSerial() == serial);
        if (refused) {
            refusals++;
            assertThat(effects)
                    .as("a refusal concerns its sender only (C12)")
                    .allSatisfy(effect -> assertThat(effect)
                            .isInstanceOfSatisfying(
                                    HubEffect.Send.class,
                                    send -> assertThat(send.session()).isEqualTo(client.session)));
        }
        carry(effects);
    }

    private void answerStore(String channel) {
        FakeLeases.Lease lease = leases.of(channel);
        Claimant asking = lease.asking;
        if (asking != null) {
            Optional<Long> term = leases.answer(lease);
            if (term.isPresent()) {
                grants++;
                carry(hub.claimGranted(now(), asking, term.get()));
            } else {
                carry(hub.claimRefused(now(), asking, leases.outsider(lease)));
            }
        }
    }

    /** The store takes a lease away, or somebody outside the hub takes or gives back a free one. */
    private void troubleStore(String channel) {
        FakeLeases.Lease lease = leases.of(channel);
        Claimant holder = lease.holder;
        if (holder != null) {
            lease.holder = null;
            carry(hub.claimLost(now(), holder, lease.term, LossCause.EXPIRED));
        } else {
            lease.outsider = !lease.outsider && random.nextInt(3) == 0;
            lease.term += lease.outsider ? 1 : 0;
        }
    }

    private void carry(List<HubEffect> effects) {
        for (HubEffect effect : effects) {
            effect.accept(new HubEffect.Cases() {
                @Override
                public void send(HubEffect.Send send) {
                    heard(send.session(), send.message());
                }

                @Override
                public void fanOut(HubEffect.FanOut fanOut) {
                    fanOut.sessions().forEach(session -> heard(session, fanOut.message()));
                }

                @Override
                public void close(HubEffect.Close close) {
                    Client client = bySession.get(close.session());
                    if (close.session().equals(client.session)) {
                        client.session = null;
                    }
                }

                @Override
                public void claim(HubEffect.Claim claim) {
                    leases.claim(claim.claimant());
                }

                @Override
                public void release(HubEffect.Release release) {
                    leases.release(release.claimant());
                }
            });
        }
    }

    private void heard(SessionId session, ProtocolMessage frame) {
        Client client = bySession.get(session);
        if (client == onlooker) {
            observe(frame);
            return;
        }
        switch (frame.action()) {
            case CONNECTED -> {
                client.connectionId = frame.connectionId();
                client.key = frame.connectionDetails().connectionKey();
            }
            case ACK, NACK -> {
                assertThat(frame.msgSerial()).as("answers come in order").isGreaterThan(client.lastAnswer);
                client.lastAnswer = frame.msgSerial();
                client.unanswered.remove(frame.msgSerial());
            }
            case PRESENCE ->
                frame.presence().stream()
                        .filter(member -> client.connectionId.equals(member.connectionId()))
                        .forEach(member -> remember(client, frame.channel(), member));
            default -> {}
        }
    }

    /** Never forgets a term, as a page that slept does not: so stale fences are tried. */
    private static void remember(Client client, String channel, PresenceMessage member) {
        JsonNode term = Extras.term(member.extras());
        if (term != null) {
            client.terms.put(channel, term.longValue());
        }
    }

    private void observe(ProtocolMessage frame) {
        if (frame.action() == Action.PRESENCE) {
            for (PresenceMessage member : frame.presence()) {
                observe(frame.channel(), member);
            }
        } else if (frame.action() == Action.MESSAGE) {
            JsonNode fence = Extras.term(frame.messages().get(0).extras());
            if (fence != null) {
                fenced++;
                long before = newestFence.getOrDefault(frame.channel(), 0L);
                assertThat(fence.longValue()).as("fences never go back (C10)").isGreaterThanOrEqualTo(before);
                newestFence.put(frame.channel(), fence.longValue());
                assertThat(stamped.get(frame.channel()))
                        .as("who publishes under a fence was announced as leader in that term")
                        .containsEntry(frame.connectionId(), fence.longValue());
            }
        }
    }

    private void observe(String channel, PresenceMessage member) {
        Map<String, Long> holders = stamped.get(channel);
        JsonNode term = Extras.term(member.extras());
        if (term == null) {
            holders.remove(member.connectionId());
            return;
        }
        Long before = holders.put(member.connectionId(), term.longValue());
        assertThat(holders).as("never two members with the claim (C2)").hasSize(1);
        if (before == null) {
            assertThat(term.longValue()).as("terms strictly grow").isGreaterThan(newestTerm.getOrDefault(channel, 0L));
            newestTerm.put(channel, term.longValue());
        } else {
            assertThat(term.longValue()).as("the holder keeps its term (C5)").isEqualTo(before);
        }
    }

    private void check() {
        for (ChannelView view : hub.channels()) {
            FakeLeases.Lease lease = leases.of(view.name());
            Optional<Leader> expected =
                    Optional.ofNullable(lease.holder).map(holder -> new Leader(holder.clientId(), lease.term));
            assertThat(view.leader()).as("hub and store agree").isEqualTo(expected);
            assertThat(stamped.get(view.name()))
                    .as("and so does what was announced")
                    .isEqualTo(lease.holder == null ? Map.of() : Map.of(lease.holder.connectionId(), lease.term));
        }
    }

    /** Without trouble everything ends well: every frame is answered, and nothing is left behind. */
    private void heal() {
        leases.all().values().forEach(lease -> lease.outsider = false);
        for (Client client : clients) {
            if (client.session == null) {
                connect(client);
            }
        }
        for (int i = 0; i < 200; i++) {
            answerStore(CHANNELS[i % CHANNELS.length]);
        }
        pass(11_000);
        for (Client client : clients) {
            assertThat(client.unanswered).as("every frame was answered").isEmpty();
        }
        for (Client client : clients) {
            send(client, ProtocolMessage.of(Action.CLOSE));
        }
        pass(200_000);
        check();
        assertThat(leases.all().values()).allSatisfy(lease -> {
            assertThat(lease.holder).isNull();
            assertThat(lease.asking).isNull();
        });
        assertThat(hub.channels()).allSatisfy(view -> assertThat(view.members()).isZero());
        carry(hub.received(now(), onlooker.session, ProtocolMessage.of(Action.CLOSE)));
        pass(2 * 86_400_000L);
        assertThat(hub.channels()).isEmpty();
        assertThat(hub.nextWakeNanos()).isEmpty();
    }

    private void pass(long millis) {
        long until = nanos + millis * 1_000_000;
        // Sometimes nobody wakes the hub in time; the next input must make up for it.
        boolean awake = random.nextInt(4) != 0;
        while (awake && hub.nextWakeNanos().isPresent() && hub.nextWakeNanos().getAsLong() <= until) {
            nanos = Math.max(nanos, hub.nextWakeNanos().getAsLong());
            carry(hub.wake(now()));
        }
        nanos = until;
        carry(hub.wake(now()));
    }

    private Moment now() {
        return new Moment(nanos, Stage.START_MILLIS + nanos / 1_000_000);
    }
}
