package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.event.Leader;
import dev.doyen.hub.channel.ChannelView;
import dev.doyen.hub.claim.HeldClaim;
import dev.doyen.hub.log.Logged;
import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.ChannelRules;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Flags;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Runs three nodes with seeded random faults. The nodes have slow links, die, are evicted and are replaced, or lose
 * their membership and join again. The store of the leases does not answer for a while, or a node cannot renew a lease.
 *
 * <p>Clients publish, move between nodes, claim, lead, detach and close. The test checks that no acknowledged message
 * is lost or doubled. All nodes must have the same members and counts. The terms in the log of a fenced channel must
 * never fall. At the end, each held lease belongs to a claim, each claim has its lease, and a free slot can be claimed.
 *
 * <p>The property {@code -Dnodes.seeds=} sets the number of runs, and {@code -Dnodes.seed=} sets the first seed. The
 * class is long because all parts of the simulation interact.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(300)
class NodesSimulationTest {

    private static final int SEEDS = Integer.getInteger("nodes.seeds", 50);
    private static final long FIRST = Long.getLong("nodes.seed", 1);
    private static final int STEPS = 250;
    private static final String TALK = "talk";
    private static final String DESK = "desk";
    private static final String WITH_TTL = "{\"role\":\"L\",\"ttl\":2000}";
    private static final HubSettings SETTINGS = HubSettings.builder()
            .channelRules(new ChannelRules(List.of(ChannelRule.of(DESK).fenced())))
            .build();

    @Test
    void no_message_is_lost_or_doubled_and_no_term_has_two_leaders() {
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            try {
                new Run(seed).run();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    private static final class Run {
        private final Random random;
        private final NodesInMemory cluster = new NodesInMemory(SETTINGS);
        private final List<NodesInMemory.Node> nodes = new ArrayList<>();
        private final List<NodesInMemory.Node> dead = new ArrayList<>();
        private final List<Client> clients = new ArrayList<>();
        private final List<Runnable> unnoticed = new ArrayList<>();
        private final Map<String, Lease> leases = new HashMap<>();
        private final Map<NodesInMemory.Node, Integer> claimsSeen = new HashMap<>();
        private final Map<NodesInMemory.Node, Integer> releasesSeen = new HashMap<>();
        /**
         * The former holders of expired leases, by node. An entry remains until the node releases the lease. Until
         * then, the node does not campaign.
         */
        private final Map<NodesInMemory.Node, Claimant> stopping = new HashMap<>();
        /** True while the store of the leases does not answer. */
        private boolean storeAway;

        Run(long seed) {
            random = new Random(seed);
        }

        /** A lease in the store, with its holder, the holder's node and the last term. */
        private static final class Lease {
            Claimant holder;
            NodesInMemory.Node through;
            long term;
        }

        void run() {
            for (int i = 0; i < 3; i++) {
                nodes.add(cluster.node());
            }
            for (int i = 0; i < 5; i++) {
                clients.add(new Client("c" + i));
            }
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(18)) {
                    case 0, 1, 2 -> any(clients).publish();
                    case 3 -> any(clients).enter(TALK, "here" + random.nextInt(9));
                    case 4 -> any(clients).enter(DESK, random.nextBoolean() ? "leader" : WITH_TTL);
                    case 5 -> any(clients).lead();
                    case 6 -> any(clients).move();
                    case 7 -> {
                        if (random.nextInt(6) == 0) {
                            killOne();
                        }
                    }
                    case 8 -> any(nodes).cut = true;
                    case 9 -> any(nodes).mend();
                    case 10 -> store();
                    case 11 -> storeAway = random.nextInt(3) == 0;
                    case 12 -> {
                        if (random.nextInt(5) == 0) {
                            failRenewals();
                        }
                    }
                    case 13 -> any(clients).end();
                    case 14 -> {
                        if (random.nextInt(3) == 0) {
                            loseMembership();
                        }
                    }
                    case 15 -> any(clients).enter(DESK, "leader");
                    default -> any(nodes).stage.pass(Duration.ofMillis(random.nextInt(2_000)));
                }
                for (int i = random.nextInt(6); i > 0; i--) {
                    any(nodes).step();
                }
                clients.forEach(Client::listen);
            }
            settle();
            unnoticed.forEach(Runnable::run);
            settle();
            store();
            cluster.settle();
            check();
            checkLeases();
            claimFreeSlot();
        }

        /** Lets the store process new claims and releases, unless the store is away. */
        private void store() {
            if (storeAway) {
                return;
            }
            for (NodesInMemory.Node node : nodes) {
                List<Claimant> releases = node.stage.releases;
                for (int i = releasesSeen.getOrDefault(node, 0); i < releases.size(); i++) {
                    Claimant released = releases.get(i);
                    if (stopping.remove(node, released)) {
                        continue;
                    }
                    leases.values().forEach(lease -> {
                        if (released.equals(lease.holder) && lease.through == node) {
                            lease.holder = null;
                        }
                    });
                }
                releasesSeen.put(node, releases.size());
                if (stopping.containsKey(node)) {
                    continue;
                }
                List<Claimant> claims = node.stage.claims;
                int seen = claimsSeen.getOrDefault(node, 0);
                claimsSeen.put(node, claims.size());
                for (Claimant claimant : List.copyOf(claims.subList(seen, claims.size()))) {
                    Lease lease = leases.computeIfAbsent(claimant.channel(), channel -> new Lease());
                    if (lease.holder != null && !nodes.contains(lease.through)) {
                        lease.holder = null;
                    }
                    if (lease.holder == null) {
                        lease.holder = claimant;
                        lease.through = node;
                        node.stage.grant(claimant, ++lease.term);
                    } else {
                        var holder = new Leader(lease.holder.clientId(), lease.term);
                        node.stage.refuse(claimant, Optional.of(holder));
                    }
                }
            }
        }

        /**
         * Lets all leases expire because no renewal succeeds. The node of each lease reports the expiry to its hub. In
         * some cases, that node crashes before or after the report, or another node crashes.
         */
        private void failRenewals() {
            for (Lease lease : leases.values()) {
                Claimant holder = lease.holder;
                NodesInMemory.Node through = lease.through;
                if (holder == null || !nodes.contains(through)) {
                    continue;
                }
                lease.holder = null;
                stopping.put(through, holder);
                switch (random.nextInt(8)) {
                    case 0 -> kill(through);
                    case 1 -> {
                        through.stage.lose(holder, lease.term);
                        kill(through);
                    }
                    case 2 -> {
                        kill(any(nodes));
                        through.stage.lose(holder, lease.term);
                    }
                    default -> through.stage.lose(holder, lease.term);
                }
            }
        }

        private void loseMembership() {
            nodes.forEach(NodesInMemory.Node::mend);
            NodesInMemory.Node lost = any(nodes);
            lost.cut = true;
            clients.stream().filter(client -> client.node == lost).forEach(Client::end);
            lost.rejoin(nodes.stream().filter(each -> each != lost).findFirst().orElseThrow());
        }

        private void killOne() {
            kill(any(nodes));
        }

        private void kill(NodesInMemory.Node killed) {
            nodes.remove(killed);
            dead.add(killed);
            killed.kill();
            // The new node needs a snapshot from a node that is not cut off.
            nodes.forEach(NodesInMemory.Node::mend);
            any(nodes).bury(killed);
            nodes.add(cluster.node());
        }

        private void settle() {
            storeAway = false;
            nodes.forEach(NodesInMemory.Node::mend);
            cluster.settle();
            unnoticed.forEach(Runnable::run);
            clients.forEach(Client::listen);
            for (Client client : clients) {
                if (!nodes.contains(client.node) || !client.player.open) {
                    client.move();
                }
            }
            for (int i = 0; i < 10; i++) {
                store();
                cluster.settle();
                clients.forEach(Client::listen);
                nodes.forEach(node -> node.stage.pass(Duration.ofSeconds(4)));
            }
            cluster.settle();
            clients.forEach(Client::listen);
        }

        private void check() {
            nodes.forEach(node -> assertThat(node.hub().counts().members())
                    .as("the count of members is correct")
                    .isEqualTo(node.hub().channels().stream()
                            .mapToInt(ChannelView::members)
                            .sum()));
            for (String channel : List.of(TALK, DESK)) {
                long attached = nodes.stream()
                        .flatMap(node -> node.hub().channels().stream())
                        .filter(view -> view.name().equals(channel))
                        .mapToInt(ChannelView::attachments)
                        .sum();
                for (NodesInMemory.Node node : nodes) {
                    assertThat(new RestClient(node.stage)
                                    .get("/channels/" + channel)
                                    .tree()
                                    .at("/status/occupancy/metrics/connections")
                                    .asLong())
                            .as("number of connections on %s at node %s", channel, node.name)
                            .isEqualTo(attached);
                }
            }
            var first = present(nodes.get(0), TALK);
            var desk = present(nodes.get(0), DESK);
            for (NodesInMemory.Node node : nodes) {
                assertThat(present(node, TALK))
                        .as("members at node %s", node.name)
                        .isEqualTo(first);
                assertThat(present(node, DESK))
                        .as("members at node %s", node.name)
                        .isEqualTo(desk);
            }
            for (String member : first) {
                String connection = member.substring(0, member.indexOf(' '));
                assertThat(clients.stream().map(client -> client.player.connectionId))
                        .as("a present member has a connection: %s", member)
                        .contains(connection);
            }
            assertThat(desk.stream()
                            .filter(member -> member.endsWith(":leader"))
                            .count())
                    .isLessThanOrEqualTo(1);
            List<String> published = published();
            assertThat(published).as("each message is published once").doesNotHaveDuplicates();
            for (Client client : clients) {
                assertThat(published)
                        .as("the messages acknowledged to %s are published", client.name)
                        .containsAll(client.acknowledged);
                client.checkReceived(published);
            }
            long highest = 0;
            for (Logged entry : cluster.log) {
                if (entry.text().contains("\"published\"") && entry.text().contains("doyen-term")) {
                    long term = Long.parseLong(entry.text().replaceAll("(?s).*doyen-term\":([0-9]+).*", "$1"));
                    assertThat(term).as("the terms in the log never decrease").isGreaterThanOrEqualTo(highest);
                    highest = term;
                }
            }
        }

        /** Checks that each held lease belongs to a claim of its node, and that each claim has its lease. */
        private void checkLeases() {
            Set<Claimant> held = new HashSet<>();
            leases.values().forEach(lease -> {
                if (lease.holder != null && nodes.contains(lease.through)) {
                    held.add(lease.holder);
                    assertThat(lease.through.hub().claims())
                            .as("the node that renews the lease of %s has its claim", lease.holder)
                            .anyMatch(claim -> claim.claimant().equals(lease.holder));
                }
            });
            for (NodesInMemory.Node node : nodes) {
                assertThat(held)
                        .as("the claims at node %s have leases", node.name)
                        .containsAll(node.hub().claims().stream()
                                .map(HeldClaim::claimant)
                                .toList());
            }
        }

        /** Checks that the slot is held, or that a client can claim it. */
        private void claimFreeSlot() {
            clients.get(0).enter(DESK, "leader");
            for (int i = 0; i < 3; i++) {
                store();
                cluster.settle();
                nodes.forEach(node -> node.stage.pass(Duration.ofSeconds(1)));
            }
            clients.forEach(Client::listen);
            for (NodesInMemory.Node node : nodes) {
                assertThat(present(node, DESK).stream().filter(member -> member.endsWith(":leader")))
                        .as("the leaders at node %s", node.name)
                        .hasSize(1);
            }
        }

        /** Returns the texts of all messages on channel {@code talk} in the log. */
        private List<String> published() {
            var published = new ArrayList<String>();
            for (Logged entry : cluster.log) {
                if (entry.text().contains("\"published\"") && entry.text().contains("\"channel\":\"" + TALK + "\"")) {
                    published.add(entry.text().replaceAll("(?s).*\"data\":\"([^\"]*)\".*", "$1"));
                }
            }
            return published;
        }

        private static Set<String> present(NodesInMemory.Node node, String channel) {
            var present = new TreeSet<String>();
            for (JsonNode member : new RestClient(node.stage)
                    .get("/channels/" + channel + "/presence")
                    .tree()) {
                present.add(member.path("connectionId").asText() + " "
                        + member.path("clientId").asText() + ":"
                        + member.path("data").asText());
            }
            return present;
        }

        private <T> T any(List<T> list) {
            return list.get(random.nextInt(list.size()));
        }

        /** A client that resumes and repeats unanswered frames, as an SDK does. */
        private final class Client {
            final String name;
            NodesInMemory.Node node;
            Player player;
            final Map<Long, ProtocolMessage> unanswered = new LinkedHashMap<>();
            final List<String> acknowledged = new ArrayList<>();
            /** The messages that the client has received since the hub last reported possible gaps. */
            final List<String> delivered = new ArrayList<>();

            private String connection = "";
            private String channelSerial = "";
            private int texts;

            Client(String name) {
                this.name = name;
                connect();
            }

            private void connect() {
                node = any(nodes);
                player = node.stage.open(Map.of("key", Stage.KEY, "clientId", name));
                listen();
            }

            void publish() {
                if (ready()) {
                    String text = name + "." + texts++;
                    player.publish(TALK, text);
                    owe(TALK, Message.of(null, Data.text(text)));
                }
            }

            void lead() {
                Lease lease = leases.get(DESK);
                if (ready() && lease != null && lease.term > 0) {
                    // The client sends the fence whether or not it leads. The hub must reject the fence of a client
                    // that does not lead.
                    player.send(Player.messageFrame(
                            DESK,
                            player.nextSerial++,
                            Player.fenced("order", Math.max(1, lease.term - random.nextInt(2)))));
                }
            }

            private void owe(String channel, Message message) {
                long serial = player.nextSerial - 1;
                unanswered.put(serial, Player.messageFrame(channel, serial, message));
            }

            void enter(String channel, String data) {
                if (ready()) {
                    player.enter(channel, data);
                }
            }

            /** Detaches, leaves and closes, each with a certain probability. */
            void end() {
                if (ready()) {
                    if (random.nextInt(3) == 0) {
                        player.send(ProtocolMessage.builder(Action.DETACH)
                                .channel(DESK)
                                .build());
                    }
                    if (random.nextInt(3) == 0) {
                        player.leave(DESK);
                    }
                    if (random.nextBoolean()) {
                        player.send(ProtocolMessage.of(Action.CLOSE));
                        listen();
                        // A hub ignores the CLOSE of a socket that still waits for its connection.
                        if (!player.open) {
                            connect();
                        }
                    }
                }
            }

            private boolean ready() {
                return player.open && nodes.contains(node) && !connection.isEmpty();
            }

            void move() {
                if (player.open && random.nextBoolean()) {
                    player.drop();
                } else if (player.open) {
                    // The link is cut, and the old node detects the cut late.
                    Stage left = node.stage;
                    SessionId socket = player.session;
                    unnoticed.add(() -> left.carry(left.hub.socketLost(left.now(), socket)));
                }
                node = any(nodes);
                player.open = false;
                player.resumeAt(node.stage);
            }

            void listen() {
                for (ProtocolMessage frame : player.take()) {
                    switch (frame.action()) {
                        case CONNECTED -> connected(frame);
                        case ATTACHED -> {
                            if ((frame.flagBits() & Flags.RESUMED) == 0) {
                                delivered.clear();
                            }
                        }
                        case MESSAGE -> {
                            if (TALK.equals(frame.channel())) {
                                channelSerial = frame.channelSerial();
                                frame.messages().forEach(message -> delivered.add(((Data.Text) message.data()).text()));
                            }
                        }
                        case ACK -> {
                            ProtocolMessage frameOf = unanswered.remove(frame.msgSerial());
                            if (frameOf != null) {
                                acknowledged.add(
                                        ((Data.Text) frameOf.messages().get(0).data()).text());
                            }
                        }
                        case NACK -> unanswered.remove(frame.msgSerial());
                        default -> {}
                    }
                }
            }

            private void connected(ProtocolMessage frame) {
                if (!Objects.equals(connection, frame.connectionId())) {
                    connection = frame.connectionId();
                    unanswered.clear();
                }
                if (channelSerial.isEmpty()) {
                    player.attach(TALK);
                } else {
                    player.attachFrom(TALK, channelSerial);
                }
                List.copyOf(unanswered.values()).forEach(player::send);
                listen();
            }

            /** Checks that the received messages are the last published messages, without a gap. */
            void checkReceived(List<String> published) {
                if (delivered.isEmpty()) {
                    return;
                }
                int from = published.indexOf(delivered.get(0));
                assertThat(delivered)
                        .as("%s has received the messages without a gap", name)
                        .isEqualTo(published.subList(from, published.size()));
            }
        }
    }
}
