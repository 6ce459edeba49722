package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.event.Leader;
import dev.doyen.hub.content.Extras;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.HubEffect;
import dev.doyen.hub.step.SlotStepDown;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Runs a hub of three nodes with seeded random faults. Each page measures its leadership by its own clock.
 *
 * <p>The runs test rules C7 and C19. The pages behave like the class {@code Swarm} of the TypeScript client. The pages
 * freeze, are cut off and move between nodes. The nodes die and are cut off from the log. Admin commands arrive at any
 * node. The test checks that no two pages act as the leader at the same time.
 *
 * <p>The property {@code -Dpromises.seeds=} sets the number of runs, and {@code -Dpromises.seed=} sets the first seed.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(300)
class PromisesOverNodesTest {

    private static final int SEEDS = Integer.getInteger("promises.seeds", 60);
    private static final long FIRST = Long.getLong("promises.seed", 1);
    private static final int TICKS = 1_500;
    private static final int TICK_MILLIS = 20;
    private static final String DESK = "desk";

    /** The ttl of the leases, and the ttl that every page promises. */
    private static final int TTL_MILLIS = 2_000;

    private static final String CLAIM = "{\"role\":\"L\",\"ttl\":" + TTL_MILLIS + "}";
    private static final String FOLLOWER = "{\"role\":\"F\"}";
    private static final int TRUST_MILLIS = TTL_MILLIS * 4 / 5;
    private static final int EVERY_MILLIS = TTL_MILLIS / 5;

    private int led;
    private int commandsElsewhere;
    private int movedAsLeader;

    @Test
    void C19_two_pages_never_lead_at_the_same_time_whichever_node_ends_a_claim() {
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            try {
                new Run(seed).run();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertThat(led).as("number of leaderships").isGreaterThan(3 * SEEDS);
        assertThat(commandsElsewhere)
                .as("number of commands sent to another node")
                .isGreaterThan(SEEDS / 2);
        assertThat(movedAsLeader)
                .as("number of leaders that moved to another node")
                .isGreaterThan(SEEDS / 2);
    }

    private final class Run {
        private final Random random;
        private final NodesInMemory cluster = new NodesInMemory(HubSettings.defaults());
        private final List<NodesInMemory.Node> nodes = new ArrayList<>();
        private final List<Page> pages = new ArrayList<>();
        private final Lease lease = new Lease();
        private final Map<NodesInMemory.Node, Integer> claimsSeen = new HashMap<>();
        private final Map<NodesInMemory.Node, Integer> releasesSeen = new HashMap<>();
        private long now;

        Run(long seed) {
            random = new Random(seed);
        }

        /** The lease in the store. The field {@code stopping} is part of the state of the holder's node. */
        private static final class Lease {
            Claimant holder;
            NodesInMemory.Node through;
            long term;
            /** The time at which the other candidates last observed a change of the record. */
            long changed;

            long renewed;
            /** True if the record contains a request to step down. */
            boolean isRequested;
            /** True if the holder's node has read the request and waits until the hub releases the lease. */
            boolean stopping;
        }

        void run() {
            for (int i = 0; i < 3; i++) {
                nodes.add(cluster.node());
            }
            for (int i = 0; i < 4; i++) {
                pages.add(new Page("p" + i));
            }
            for (int tick = 0; tick < TICKS; tick++) {
                now += TICK_MILLIS;
                nodes.forEach(node -> node.stage.pass(Duration.ofMillis(TICK_MILLIS)));
                befall();
                store();
                for (NodesInMemory.Node node : nodes) {
                    for (int i = random.nextInt(8); i > 0; i--) {
                        node.step();
                    }
                }
                check();
                pages.forEach(Page::live);
                check();
            }
        }

        private void check() {
            List<String> leading =
                    pages.stream().filter(Page::leads).map(page -> page.name).toList();
            assertThat(leading).as("the leaders after " + now + " ms").hasSizeLessThanOrEqualTo(1);
        }

        private void befall() {
            switch (random.nextInt(60)) {
                case 0, 1 -> sendCommand();
                case 2, 3 -> any(pages).frozenUntil = now + random.nextInt(3_000);
                case 4, 5, 6 -> any(pages).move();
                case 7 -> {
                    if (random.nextInt(4) == 0) {
                        lose(any(nodes), random.nextBoolean());
                    }
                }
                case 8 -> any(nodes).cut = true;
                case 9, 10, 11 -> any(nodes).mend();
                default -> {}
            }
        }

        private void sendCommand() {
            NodesInMemory.Node target = any(nodes);
            target.stage.stepDown(DESK, new SlotStepDown("", Duration.ofMillis(300), "a command"));
            List<HubEffect.SteppedDown> done = target.stage.stepDowns;
            if (done.get(done.size() - 1).outcome() == SlotStepDown.Outcome.NOT_HELD && lease.holder != null) {
                commandsElsewhere += target == lease.through ? 0 : 1;
                lease.isRequested = true;
                lease.changed = now;
            }
        }

        /** Kills a node, or cuts the node off and lets it join again. Another node evicts the lost node. */
        private void lose(NodesInMemory.Node lost, boolean dies) {
            nodes.remove(lost);
            nodes.forEach(NodesInMemory.Node::mend);
            lost.kill();
            any(nodes).bury(lost);
            if (dies) {
                nodes.add(cluster.node());
            } else {
                lost.mend();
                lost.stage.carry(lost.stage.hub.outOfTouch(lost.stage.now(), "Redis did not answer"));
                nodes.add(lost.join());
            }
        }

        private void store() {
            if (lease.holder != null && nodes.contains(lease.through) && !lease.stopping) {
                if (now - lease.renewed >= EVERY_MILLIS) {
                    renew();
                }
            } else if (lease.holder != null && now - lease.changed >= TTL_MILLIS) {
                lease.holder = null;
            }
            for (NodesInMemory.Node node : nodes) {
                for (Claimant released : unseen(node.stage.releases, node, releasesSeen)) {
                    if (released.equals(lease.holder) && lease.through == node) {
                        lease.holder = null;
                    }
                }
                unseen(node.stage.claims, node, claimsSeen).forEach(claimant -> answer(node, claimant));
            }
        }

        private void renew() {
            lease.renewed = now;
            if (lease.isRequested) {
                lease.stopping = true;
                lease.through.stage.lose(lease.holder, lease.term);
            } else {
                lease.changed = now;
            }
        }

        private void answer(NodesInMemory.Node node, Claimant claimant) {
            if (lease.holder != null) {
                node.stage.refuse(claimant, Optional.of(new Leader(lease.holder.clientId(), lease.term)));
                return;
            }
            lease.holder = claimant;
            lease.through = node;
            lease.term++;
            lease.renewed = now;
            lease.changed = now;
            lease.isRequested = false;
            lease.stopping = false;
            node.stage.grant(claimant, lease.term);
        }

        private static List<Claimant> unseen(
                List<Claimant> all, NodesInMemory.Node node, Map<NodesInMemory.Node, Integer> seen) {
            List<Claimant> unseen = List.copyOf(all.subList(seen.getOrDefault(node, 0), all.size()));
            seen.put(node, all.size());
            return unseen;
        }

        private <T> T any(List<T> list) {
            return list.get(random.nextInt(list.size()));
        }

        /**
         * A page that starts to lead when it receives the event with its claim. The page leads until 0.8 ttl after it
         * sent its claim or its last answered ping.
         */
        private final class Page {
            final String name;
            long frozenUntil;
            private NodesInMemory.Node node;
            private Player player;
            private final Map<String, Long> pings = new HashMap<>();
            private String connection = "";
            private boolean claiming;
            private long term;
            /**
             * The last term in which the page led. After a stop, a page leads only in a higher term, because a node
             * that is behind sends old events.
             */
            private long lastLedTerm;

            private long proof;
            private long nextPing;
            private int count;

            Page(String name) {
                this.name = name;
                node = any(nodes);
                player = node.stage.open(Map.of("key", Stage.KEY, "clientId", name));
                listen();
            }

            boolean leads() {
                return term > 0 && now - proof < TRUST_MILLIS;
            }

            void live() {
                if (now < frozenUntil) {
                    return;
                }
                listen();
                if (!player.open || !nodes.contains(node)) {
                    if (random.nextInt(10) == 0) {
                        move();
                    }
                    return;
                }
                if (term > 0 && !leads()) {
                    stop();
                } else if (claiming || term > 0) {
                    ping();
                } else if (random.nextInt(15) == 0) {
                    claiming = true;
                    proof = now;
                    player.update(DESK, CLAIM);
                }
            }

            private void ping() {
                if (now >= nextPing) {
                    nextPing = now + EVERY_MILLIS;
                    String id = name + count++;
                    pings.put(id, now);
                    player.send(ProtocolMessage.builder(Action.HEARTBEAT).id(id).build());
                }
            }

            /** Stops leading and confirms the stop. */
            private void stop() {
                term = 0;
                claiming = false;
                player.update(DESK, FOLLOWER);
            }

            /** Resumes the connection at any node. Sometimes the old node does not detect that the page has left. */
            void move() {
                movedAsLeader += leads() ? 1 : 0;
                if (player.open && random.nextBoolean() && nodes.contains(node)) {
                    player.drop();
                }
                node = any(nodes);
                player.open = false;
                player.resumeAt(node.stage);
            }

            private void listen() {
                for (ProtocolMessage frame : player.take()) {
                    switch (frame.action()) {
                        case CONNECTED -> connected(frame);
                        case HEARTBEAT -> {
                            Long sent = frame.id() == null ? null : pings.remove(frame.id());
                            proof = sent == null ? proof : Math.max(proof, sent);
                        }
                        case PRESENCE, SYNC -> frame.presence().forEach(this::memberChanged);
                        case NACK -> claiming = false;
                        default -> {}
                    }
                }
            }

            private void connected(ProtocolMessage frame) {
                if (!connection.equals(frame.connectionId())) {
                    connection = frame.connectionId();
                    term = 0;
                    claiming = false;
                }
                player.attach(DESK);
                listen();
            }

            private void memberChanged(PresenceMessage member) {
                if (!connection.equals(member.connectionId()) || member.action() == PresenceAction.LEAVE) {
                    return;
                }
                JsonNode stamped = Extras.term(member.extras());
                if (stamped != null && (term > 0 || stamped.asLong() > lastLedTerm)) {
                    led += term == 0 ? 1 : 0;
                    term = stamped.asLong();
                    lastLedTerm = term;
                } else if (term > 0) {
                    stop();
                }
            }
        }
    }
}
