package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.channel.ChannelView;
import dev.doyen.hub.connection.ConnectRequest;
import dev.doyen.hub.content.ClaimState;
import dev.doyen.hub.content.Extras;
import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.ChannelRules;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.settings.Slot;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.HubEffect;
import dev.doyen.hub.step.NodeEffect;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.step.SlotStepDown;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A seeded run of a hub with unreliable clients and an unreliable store.
 *
 * <p>The clients join, claim, publish, lose their sockets, resume and vanish. The store is slow, does not answer, or
 * ends leases. After every step, the simulation compares the hub, the store, and the frames that an observer received.
 * The class is long because all parts of the simulation interact.
 */
final class HubSimulation {

    private static final String[] CHANNELS = {"a", "b"};
    private static final int CLIENTS = 5;
    private static final String[] DATA = {
        "leader",
        "{\"role\":\"L\"}",
        "{\"role\":\"L\",\"ttl\":3000}",
        "{\"role\":\"F\"}",
        "plain",
        "{\"role\":\"L\",\"slot\":\"worker\"}",
        "{\"role\":\"L\",\"slot\":\"worker\",\"ttl\":3000}",
        "{\"role\":\"L\",\"slot\":\"worker\"}"
    };

    /** The ttl of the claims that promise a ttl. */
    private static final long PROMISE_NANOS = 3_000_000_000L;

    /**
     * Channel b has two worker slots. The other channel has only a leader slot, so the hub rejects worker claims on
     * that channel.
     */
    private static final ChannelRules RULES =
            new ChannelRules(List.of(ChannelRule.of("b").withSlots(Map.of("leader", 1, "worker", 2))));

    private final Random random;
    private final Hub hub = new Hub(HubSettings.builder().channelRules(RULES).build(), HubKeys.of(List.of(Stage.KEY)));
    private final FakeLeases leases = new FakeLeases();
    private final List<Client> clients = new ArrayList<>();
    private final Map<SessionId, Client> bySession = new HashMap<>();
    private final Client observer = new Client("observer");

    /** The slots and terms that the observer has received, by channel and then by the holder's connection. */
    private final Map<String, Map<String, Stamp>> stamped = new LinkedHashMap<>();

    /** The holders of bare claims, each as {@code channel connectionId}. */
    private final Set<String> bareHolders = new HashSet<>();

    /** The members whose bare claim the hub has ended, and that have sent no data without a claim since (rule C21). */
    private final Set<String> formerHolders = new HashSet<>();

    /** The client id of the last announced holder, by election. */
    private final Map<String, String> lastHolder = new HashMap<>();

    /** The connections whose current claim the store has rejected for at least one slot number. */
    private final Set<String> turnedAway = new HashSet<>();

    private record Stamp(String slot, long term) {}

    /** A reservation after an admin command, with the client that may claim and the end of the reservation. */
    private record Kept(String successor, long untilNanos) {}

    private final Map<String, Kept> kept = new HashMap<>();

    private final Map<String, Long> newestTerm = new HashMap<>();
    private final Map<String, Long> newestFence = new HashMap<>();
    private long nanos;
    private long sessions;
    final List<HubEffect.SteppedDown> stepDowns = new ArrayList<>();
    /** The numbers that clients save as state, by client, connection and msgSerial. */
    private final Map<String, Long> saving = new HashMap<>();

    /**
     * For each channel, the time until which the hub may withhold a free slot from clients. The hub waits for the
     * former holder (rule C19) or for the successor (rule C16).
     */
    private final Map<String, Long> waitsUntil = new HashMap<>();

    /** The sessions for which the hub waits until the socket has taken all frames. */
    private final Queue<SessionId> flushes = new ArrayDeque<>();

    private long lastSave;
    int saves;
    int statesReceived;
    int grants;
    int steppedDown;
    int waitedFor;
    int refusals;
    int fenced;
    int endedBare;
    int secondWorkers;
    int keptNumbers;

    private static final class Client {
        final String name;

        @Nullable
        SessionId session;

        String key = "";
        String connectionId = "";
        long serial;
        long lastAnswer;
        /** The time at which the client last sent a new frame. */
        long lastSentNanos;

        /** The channel of the client's last presence frame without a claim. */
        String lastUnclaimedChannel = "";
        /** The time at which the client sent its last presence frame without a claim. */
        long lastUnclaimedNanos;

        final Map<Long, ProtocolMessage> unanswered = new LinkedHashMap<>();
        final Map<String, Long> terms = new HashMap<>();

        Client(String name) {
            this.name = name;
        }
    }

    HubSimulation(long seed) {
        random = new Random(seed);
        connect(observer);
        for (String channel : CHANNELS) {
            stamped.put(channel, new HashMap<>());
            carry(hub.received(now(), observer.session, attach(channel)));
        }
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new Client("client" + i));
        }
    }

    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            pass(random.nextInt(4) == 0 ? random.nextInt(6_000) : random.nextInt(50));
            step(clients.get(random.nextInt(CLIENTS)));
            for (int waiting = flushes.size(); waiting > 0; waiting--) {
                carry(hub.flushed(now(), flushes.remove()));
            }
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
        switch (random.nextInt(24)) {
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
            case 9, 10, 16, 17 -> answerStore(election());
            case 11 -> {
                if (random.nextBoolean()) {
                    troubleStore(election());
                } else {
                    stepDown(election());
                }
            }
            case 20, 21 -> save(client, channel);
            case 22, 23 -> keep(election());
            case 12 -> presence(client, channel, PresenceAction.ENTER, "{\"role\":\"L\",\"ttl\":7}");
            default ->
                presence(
                        client,
                        channel,
                        random.nextBoolean() ? PresenceAction.ENTER : PresenceAction.UPDATE,
                        DATA[random.nextInt(DATA.length)]);
        }
    }

    /** Returns a random election, preferably one with a claim that waits for the store's answer. */
    private String election() {
        var known = new ArrayList<>(leases.all().keySet());
        known.removeIf(name -> leases.of(name).waiting == null && random.nextInt(3) != 0);
        return known.isEmpty() ? CHANNELS[random.nextInt(CHANNELS.length)] : known.get(random.nextInt(known.size()));
    }

    private void connect(Client client) {
        var query = new HashMap<>(Map.of("key", Stage.KEY, "clientId", client.name, "heartbeats", "false"));
        if (!client.key.isEmpty() && random.nextInt(5) != 0) {
            query.put("resume", client.key);
        }
        var session = new SessionId(++sessions);
        if (client.session != null && !query.containsKey("resume")) {
            // The page reloads, which closes its former socket.
            SessionId former = client.session;
            client.session = null;
            carry(hub.socketLost(now(), former));
        }
        client.session = session;
        bySession.put(session, client);
        client.lastAnswer = -1;
        String before = client.connectionId;
        carry(hub.opened(
                now(), session, new ConnectRequest(Format.JSON, query, ""), "simulated-entropy-number-" + sessions));
        if (client.connectionId.equals(before)) {
            // SDKs send every unanswered frame again with the same msgSerial.
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
        client.lastSentNanos = nanos;
        carry(hub.received(now(), client.session, frame));
    }

    private void presence(Client client, String channel, PresenceAction action, String data) {
        if (action == PresenceAction.LEAVE
                || List.of("{\"role\":\"F\"}", "plain").contains(data)) {
            client.lastUnclaimedChannel = channel;
            client.lastUnclaimedNanos = nanos;
            formerHolders.remove(channel + " " + client.connectionId);
        }
        numbered(client, Player.presenceFrame(channel, client.serial, Player.message(action, null, data)));
    }

    private void publish(Client client, String channel, Message message) {
        numbered(client, Player.messageFrame(channel, client.serial, message));
    }

    /** Saves a number as state. Each number is higher than all earlier numbers of the run. */
    private void save(Client client, String anyChannel) {
        // Choose a channel on which the client holds a claim. If the client holds none, test the rejection.
        String channel = List.of(CHANNELS).stream()
                .filter(held -> stamped.get(held).containsKey(client.connectionId))
                .findFirst()
                .orElse(anyChannel);
        long term = client.terms.getOrDefault(channel, 1L);
        ObjectNode extras = JsonNodeFactory.instance.objectNode();
        extras.putObject("headers").put("doyen-term", term);
        saving.put(client.name + " " + client.connectionId + " " + client.serial, ++lastSave);
        publish(
                client,
                channel,
                Message.of("doyen:state", Data.text(Long.toString(lastSave))).withExtras(extras));
    }

    /** Makes the store perform some pending saves and confirm the last of them. */
    private void keep(String election) {
        FakeLeases.Lease lease = leases.of(election);
        leases.keep(lease, 1 + random.nextInt(3)).ifPresent(save -> {
            saves++;
            carry(hub.stateSaved(now(), save.claimant(), save.term(), save.number()));
        });
    }

    private static long number(SavedState state) {
        return ClaimState.of(state)
                .map(saved -> Long.parseLong(new String(saved.bytes(), StandardCharsets.UTF_8)))
                .orElse(0L);
    }

    private void numbered(Client client, ProtocolMessage frame) {
        client.lastSentNanos = nanos;
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
                    .as("only the sender receives a rejection (C12)")
                    .allSatisfy(effect -> assertThat(effect)
                            .isInstanceOfSatisfying(
                                    HubEffect.Send.class,
                                    send -> assertThat(send.session()).isEqualTo(client.session)));
        }
        carry(effects);
    }

    private void answerStore(String election) {
        FakeLeases.Lease lease = leases.of(election);
        Claimant waiting = lease.waiting;
        if (waiting != null) {
            Optional<Long> term = leases.answer(lease);
            if (term.isPresent()) {
                grants++;
                kept.remove(waiting.election());
                carry(hub.claimGranted(now(), waiting, term.get(), lease.state));
            } else {
                turnedAway.add(waiting.connectionId());
                carry(hub.claimRefused(now(), waiting, leases.outsider(lease)));
            }
        }
    }

    /**
     * Makes the store end a lease. If no client of the hub holds the lease, a candidate outside the hub releases the
     * lease or sometimes acquires it.
     */
    private void troubleStore(String election) {
        FakeLeases.Lease lease = leases.of(election);
        Claimant holder = lease.holder;
        if (holder != null) {
            boolean again = lease.ending;
            lease.saves.clear();
            waitsUntil.put(holder.channel(), nanos + PROMISE_NANOS);
            carry(hub.claimLost(now(), holder, lease.term, LossCause.EXPIRED));
            if (!again) {
                // As after an admin command, a holder with a promise keeps the lease until it confirms that it has
                // stopped, or until its promise ends (rule C19).
                lease.ending = lease.holder != null;
                lease.promisedUntilNanos = promisedUntil(lease.holder);
            }
        } else {
            lease.outsider = !lease.outsider && random.nextInt(3) == 0;
            lease.term += lease.outsider ? 1 : 0;
        }
    }

    /** Sends an admin command that ends the claim of the election's holder. */
    private void stepDown(String election) {
        var successor = random.nextBoolean() ? clients.get(random.nextInt(CLIENTS)).name : "";
        FakeLeases.Lease lease = leases.of(election);
        boolean held = lease.holder != null && !lease.ending;
        carry(hub.stepDown(now(), 1, election, new SlotStepDown(successor, Duration.ofMillis(500), "")));
        SlotStepDown.Outcome outcome = stepDowns.get(stepDowns.size() - 1).outcome();
        assertThat(outcome == SlotStepDown.Outcome.NOT_HELD).isEqualTo(!held);
        if (outcome == SlotStepDown.Outcome.DONE) {
            steppedDown++;
            // A holder with a promise keeps the lease until it confirms that it has stopped, or until its promise ends
            // (rule C19).
            lease.ending = lease.holder != null;
            lease.promisedUntilNanos = promisedUntil(lease.holder);
            waitedFor += lease.ending ? 1 : 0;
            kept.put(election, new Kept(successor, nanos + 500_000_000L));
            waitsUntil.put(Slot.channelOf(election), nanos + PROMISE_NANOS + 500_000_000L);
        }
    }

    /** Checks that the hub does not release a lease whose former holder may still lead (rule C19). */
    private void checkRelease(Claimant former) {
        FakeLeases.Lease lease = leases.of(former.election());
        if (lease.ending && former.equals(lease.holder)) {
            Client client = client(former);
            boolean confirmed =
                    former.channel().equals(client.lastUnclaimedChannel) && client.lastUnclaimedNanos == nanos;
            assertThat(confirmed || nanos >= lease.promisedUntilNanos)
                    .as("%s has confirmed the end of its claim, or its promise has expired", former)
                    .isTrue();
        }
    }

    private Client client(Claimant claimant) {
        return clients.stream()
                .filter(each -> each.name.equals(claimant.clientId()))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Returns the time at which the holder's promise ends. The simulation records promises only for current
     * connections. So the method returns the current time if the client has another connection now.
     */
    private long promisedUntil(@Nullable Claimant holder) {
        return holder != null && holder.connectionId().equals(client(holder).connectionId)
                ? client(holder).lastSentNanos + PROMISE_NANOS
                : nanos;
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
                    throw new AssertionError("an answer without a request: " + answer);
                }

                @Override
                public void awaitFlush(HubEffect.AwaitFlush effect) {
                    flushes.add(effect.session());
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
                    checkNumber(claim.claimant());
                }

                @Override
                public void release(HubEffect.Release release) {
                    checkRelease(release.claimant());
                    leases.release(release.claimant());
                }

                @Override
                public void steppedDown(HubEffect.SteppedDown steppedDown) {
                    stepDowns.add(steppedDown);
                }

                @Override
                public void amongNodes(NodeEffect effect) {
                    throw new AssertionError("a single hub has no other nodes");
                }

                @Override
                public void storeRevocations(HubEffect.StoreRevocations effect) {
                    // The simulation does not restart a hub.
                }

                @Override
                public void save(HubEffect.Save save) {
                    leases.save(save);
                }
            });
        }
    }

    /**
     * Checks the slot number that a claimant gets (rule C14). A client gets its last number if that number is free,
     * and otherwise the lowest free number.
     */
    private void checkNumber(Claimant claimant) {
        Kept reservation = kept.get(claimant.election());
        if (reservation != null
                && nanos < reservation.untilNanos()
                && !reservation.successor().isEmpty()) {
            assertThat(claimant.clientId())
                    .as("the store receives only the successor's claim (C16)")
                    .isEqualTo(reservation.successor());
        }
        boolean isReserved = kept.values().stream().anyMatch(each -> nanos < each.untilNanos());
        boolean waitedFor = nanos < waitsUntil.getOrDefault(claimant.channel(), nanos);
        if (turnedAway.remove(claimant.connectionId()) || isReserved || waitedFor) {
            return;
        }
        Slot expected = null;
        for (int number = 1; number <= (claimant.slot().name().equals("worker") ? 2 : 1); number++) {
            var slot = new Slot(claimant.slot().name(), number);
            boolean taken = leases.of(slot.electionOn(claimant.channel())).holder != null;
            boolean had = claimant.clientId().equals(lastHolder.get(slot.electionOn(claimant.channel())));
            if (!taken && (expected == null || had)) {
                keptNumbers += had && number == 2 ? 1 : 0;
                expected = slot;
                if (had) {
                    break;
                }
            }
        }
        assertThat(claimant.slot())
                .as("the claim has the expected number (C14)")
                .isEqualTo(expected);
    }

    private void delivered(SessionId session, ProtocolMessage frame) {
        Client client = bySession.get(session);
        if (client == observer) {
            observe(frame);
            return;
        }
        switch (frame.action()) {
            case CONNECTED -> {
                client.connectionId = frame.connectionId();
                client.key = frame.connectionDetails().connectionKey();
            }
            case ACK, NACK -> {
                assertThat(frame.msgSerial()).as("answers arrive in order").isGreaterThan(client.lastAnswer);
                client.lastAnswer = frame.msgSerial();
                Long number = saving.remove(client.name + " " + client.connectionId + " " + frame.msgSerial());
                if (number != null && frame.action() == Action.ACK) {
                    assertThat(leases.all().values().stream().mapToLong(lease -> number(lease.state)))
                            .as("the store has the acknowledged save or a newer one (C17)")
                            .anyMatch(stored -> stored >= number);
                }
                client.unanswered.remove(frame.msgSerial());
            }
            case PRESENCE ->
                frame.presence().stream()
                        .filter(member -> client.connectionId.equals(member.connectionId()))
                        .forEach(member -> remember(client, frame.channel(), member));
            case MESSAGE -> {
                Message message = frame.messages().get(0);
                if ("doyen:state".equals(message.name())) {
                    statesReceived++;
                    Slot slot = slot(Extras.slot(message.extras()).textValue());
                    FakeLeases.Lease lease = leases.of(slot.electionOn(frame.channel()));
                    assertThat(number(lease.state))
                            .as("the leader receives the state that the store has (C17)")
                            .isEqualTo(Long.parseLong(((Data.Text) message.data()).text()));
                    assertThat(lease.holder.connectionId())
                            .as("only the holder receives the state")
                            .isEqualTo(client.connectionId);
                }
            }
            default -> {}
        }
    }

    /**
     * Stores the term of the client's claim. The end of the claim does not remove the term. So the client also
     * publishes with stale fences, like a page after a suspension.
     */
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
            if (fence == null) {
                assertThat(formerHolders)
                        .as("the hub rejects the messages of a former leader (C21)")
                        .doesNotContain(frame.channel() + " " + frame.connectionId());
            } else {
                fenced++;
                Stamp stamp = stamped.get(frame.channel()).get(frame.connectionId());
                assertThat(stamp)
                        .as("the sender of a fence was announced as the holder")
                        .isNotNull();
                assertThat(fence.longValue())
                        .as("the fence is the announced term")
                        .isEqualTo(stamp.term());
                String slot = frame.channel() + " " + stamp.slot();
                long before = newestFence.getOrDefault(slot, 0L);
                assertThat(fence.longValue())
                        .as("the fences of a slot never decrease (C10)")
                        .isGreaterThanOrEqualTo(before);
                newestFence.put(slot, fence.longValue());
            }
        }
    }

    private void observe(String channel, PresenceMessage member) {
        Map<String, Stamp> holders = stamped.get(channel);
        JsonNode term = Extras.term(member.extras());
        String key = channel + " " + member.connectionId();
        if (term == null) {
            holders.remove(member.connectionId());
            if (bareHolders.remove(key) && !member.id().startsWith(member.connectionId())) {
                formerHolders.add(key);
                endedBare++;
            }
            return;
        }
        formerHolders.remove(key);
        if (member.data().equals(Data.text("leader"))) {
            bareHolders.add(key);
        } else {
            bareHolders.remove(key);
        }
        var stamp = new Stamp(Extras.slot(member.extras()).textValue(), term.longValue());
        Stamp before = holders.put(member.connectionId(), stamp);
        assertThat(holders.values().stream().map(Stamp::slot))
                .as("a numbered slot has at most one holder (C2, C13)")
                .doesNotHaveDuplicates();
        assertThat(holders.size())
                .as("a channel has at most as many holders as slots")
                .isLessThanOrEqualTo(channel.equals("b") ? 3 : 1);
        secondWorkers += stamp.slot().equals("worker/2") ? 1 : 0;
        if (before == null) {
            String slot = channel + " " + stamp.slot();
            assertThat(stamp.term())
                    .as("each new holder of a slot has a higher term")
                    .isGreaterThan(newestTerm.getOrDefault(slot, 0L));
            newestTerm.put(slot, stamp.term());
            lastHolder.put(slot(stamp.slot()).electionOn(channel), member.clientId());
        } else {
            assertThat(stamp)
                    .as("the number and the term of a holder do not change (C5, C14)")
                    .isEqualTo(before);
        }
    }

    private static Slot slot(String text) {
        int slash = text.indexOf('/');
        return new Slot(text.substring(0, slash), Integer.parseInt(text.substring(slash + 1)));
    }

    private void check() {
        assertThat(hub.counts().channels())
                .as("the count of channels is correct")
                .isEqualTo(hub.channels().size());
        assertThat(hub.counts().members())
                .as("the count of members is correct")
                .isEqualTo(
                        hub.channels().stream().mapToInt(ChannelView::members).sum());
        for (ChannelView view : hub.channels()) {
            var expected = new HashMap<Slot, Leader>();
            var announced = new HashMap<String, Stamp>();
            leases.all().forEach((name, lease) -> {
                if (lease.holder != null
                        && !lease.ending
                        && lease.holder.channel().equals(view.name())) {
                    expected.put(lease.holder.slot(), new Leader(lease.holder.clientId(), lease.term));
                    announced.put(
                            lease.holder.connectionId(),
                            new Stamp(lease.holder.slot().toString(), lease.term));
                }
            });
            assertThat(view.holders())
                    .as("the hub and the store have the same holders")
                    .isEqualTo(expected);
            assertThat(stamped.get(view.name()))
                    .as("the announced holders are the same")
                    .isEqualTo(announced);
        }
    }

    /** Ends all faults, then checks that every frame was answered and that no state remains. */
    private void heal() {
        leases.all().values().forEach(lease -> lease.outsider = false);
        for (Client client : clients) {
            if (client.session == null) {
                connect(client);
            }
        }
        for (int i = 0; i < 200; i++) {
            answerStore(election());
        }
        leases.all().keySet().forEach(this::keep);
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
            assertThat(lease.waiting).isNull();
        });
        assertThat(hub.channels()).allSatisfy(view -> assertThat(view.members()).isZero());
        carry(hub.received(now(), observer.session, ProtocolMessage.of(Action.CLOSE)));
        pass(2 * 86_400_000L);
        assertThat(hub.channels()).isEmpty();
        assertThat(hub.nextWakeNanos()).isEmpty();
    }

    private void pass(long millis) {
        long until = nanos + millis * 1_000_000;
        // Sometimes wake the hub late, at the end of this period. The hub must then fire all due timers.
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
