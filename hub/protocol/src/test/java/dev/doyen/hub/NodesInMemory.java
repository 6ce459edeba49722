package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.log.Declined;
import dev.doyen.hub.log.Joined;
import dev.doyen.hub.log.LogPosition;
import dev.doyen.hub.log.Logged;
import dev.doyen.hub.log.Proposal;
import dev.doyen.hub.nodes.ChangeText;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.NodeEffect;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Several nodes and their log in memory. The log behaves like the functions in Redis. The test controls each step. */
public final class NodesInMemory {

    final List<Logged> log = new ArrayList<>();
    private final HubSettings settings;
    private final Map<String, Node> living = new LinkedHashMap<>();
    private final Map<String, Kept> connections = new HashMap<>();
    private final Map<String, Declined.Place> ids = new HashMap<>();
    private final Map<String, Long> terms = new HashMap<>();
    private final Map<String, String> snapshots = new HashMap<>();
    private int names;

    /** The data that the log stores about a connection, for the node to which the connection moves. */
    private static final class Kept {
        String node = "";

        @Nullable
        String clientId;

        List<String> keyDigests = List.of();
        final TreeMap<Long, String> answers = new TreeMap<>();
    }

    public NodesInMemory(HubSettings settings) {
        this.settings = settings;
    }

    /**
     * A node of the hub. Its effects reach the log at once, unless the node is cut off. The node receives answers only
     * when the test calls {@link #step}. The node reads the log during that call, and when another node joins.
     */
    public final class Node {
        public final Stage stage;
        String name = "";
        private int read;
        /** The answers that the log has sent and the node has not received. */
        private final List<Consumer<Stage>> answers = new ArrayList<>();
        /** True if the node is cut off from the log, in both directions. */
        boolean cut;

        private final List<NodeEffect> held = new ArrayList<>();

        Node() {
            stage = new Stage(Hub.node(settings, HubKeys.of(List.of(Stage.KEY))), "n" + ++names + "-", this::carryOut);
        }

        Hub hub() {
            return stage.hub;
        }

        Node join() {
            name = "node" + ++names;
            int joinedAt = log.size();
            add(ChangeText.head("joined", name, 0) + "\n");
            boolean others = !living.isEmpty();
            living.values().forEach(each -> each.readTo(joinedAt + 1));
            living.put(name, this);
            read = joinedAt + 1;
            var joined = new Joined(
                    name,
                    "series",
                    log.get(joinedAt).position(),
                    List.copyOf(log.subList(0, joinedAt)),
                    others ? snapshots.get(name) : null);
            assertThat(joined.snapshot() != null)
                    .as("a node gets a snapshot if other nodes have joined")
                    .isEqualTo(others);
            stage.carry(stage.hub.joined(stage.now(), joined));
            return this;
        }

        private void carryOut(NodeEffect effect) {
            if (cut) {
                held.add(effect);
            } else {
                perform(this, effect);
            }
        }

        /** Ends the cut and performs the delayed effects. */
        void mend() {
            cut = false;
            List<NodeEffect> late = List.copyOf(held);
            held.clear();
            late.forEach(this::carryOut);
        }

        /**
         * Reads the next entry or receives the next answer. Returns false if the node is cut off or dead, or has
         * nothing to read.
         */
        public boolean step() {
            if (cut || !living.containsValue(this)) {
                return false;
            }
            if (!answers.isEmpty()) {
                answers.remove(0).accept(stage);
                return true;
            }
            return read < log.size() && readTo(read + 1);
        }

        private boolean readTo(int end) {
            while (read < end) {
                Logged entry = log.get(read++);
                stage.carry(stage.hub.logged(stage.now(), List.of(entry)));
            }
            return true;
        }

        private void answer(long number, Declined why) {
            answers.add(there -> there.carry(there.hub.declined(there.now(), number, why)));
        }

        /** Ends the node at once, without any notice. */
        void kill() {
            living.remove(name);
        }

        /** Makes this node lose its membership and join again. The other node evicts it. */
        void rejoin(Node by) {
            held.clear();
            answers.clear();
            cut = false;
            by.bury(this);
            stage.carry(hub().outOfTouch(stage.now(), "the log did not answer"));
            join();
        }

        /** Returns the channel's members in the state of this node, each as {@code clientId:data}. */
        Set<String> present(String channel) {
            var present = new TreeSet<String>();
            for (JsonNode member : new RestClient(stage)
                    .get("/channels/" + channel + "/presence?limit=1000")
                    .tree()) {
                present.add(member.path("clientId").asText() + ":"
                        + member.path("data").asText());
            }
            return present;
        }

        /** Evicts another node. That node can be dead or cut off. */
        void bury(Node dead) {
            living.remove(dead.name);
            add(ChangeText.head("evicted", dead.name, 0).put("by", name) + "\n");
        }
    }

    public Node node() {
        return new Node().join();
    }

    /** Steps all nodes until no node can read another entry or answer. */
    public void settle() {
        boolean more = true;
        while (more) {
            more = false;
            for (Node each : List.copyOf(living.values())) {
                more |= each.step();
            }
        }
    }

    /** Appends this entry to the log, as if a node had written it. */
    public void append(String text) {
        add(text);
    }

    private LogPosition add(String text) {
        var position = new LogPosition(Stage.START_MILLIS + log.size() / 3, log.size() % 3);
        log.add(new Logged(position, text));
        return position;
    }

    private void perform(Node from, NodeEffect effect) {
        effect.accept(new NodeEffect.Cases() {
            @Override
            public void append(NodeEffect.Append append) {
                propose(from, append.proposal());
            }

            @Override
            public void enroll(NodeEffect.Enroll enroll) {
                Kept kept = connections.computeIfAbsent(enroll.connectionId(), id -> new Kept());
                if (!kept.node.isEmpty() && !kept.node.equals(from.name)) {
                    return;
                }
                kept.node = from.name;
                kept.clientId = enroll.clientId();
                var digests = new LinkedHashSet<>(enroll.keyDigests());
                digests.addAll(kept.keyDigests);
                kept.keyDigests = digests.stream().limit(8).toList();
            }

            @Override
            public void discharge(NodeEffect.Discharge discharge) {
                Kept kept = connections.get(discharge.connectionId());
                if (kept != null && kept.node.equals(from.name)) {
                    connections.remove(discharge.connectionId());
                }
            }

            @Override
            public void takeOver(NodeEffect.TakeOver takeOver) {
                Kept kept = connections.get(takeOver.connectionId());
                if (kept == null || !kept.keyDigests.contains(takeOver.keyDigest())) {
                    from.answer(takeOver.number(), new Declined.Unknown());
                } else if (!Objects.equals(kept.clientId, takeOver.clientId())) {
                    from.answer(takeOver.number(), new Declined.AnothersClient());
                } else {
                    kept.node = from.name;
                    ObjectNode answers = JsonNodeFactory.instance.objectNode();
                    kept.answers.forEach((serial, answer) -> answers.put(Long.toString(serial), answer));
                    ObjectNode head = ChangeText.head("taken", from.name, takeOver.number())
                            .put("connection", takeOver.connectionId());
                    head.set("answers", answers);
                    add(head + "\n");
                }
            }

            @Override
            public void show(NodeEffect.Show show) {
                snapshots.put(show.node(), show.snapshot());
            }
        });
    }

    private void propose(Node from, Proposal proposal) {
        if (!living.containsValue(from)) {
            return;
        }
        Kept kept = proposal.connectionId() == null ? null : connections.get(proposal.connectionId());
        boolean gone = kept == null && from.name.equals(proposal.ownerNode());
        if (proposal.connectionId() != null && (gone || (kept != null && !kept.node.equals(proposal.ownerNode())))) {
            from.answer(proposal.number(), new Declined.Elsewhere());
            return;
        }
        var repeated = new ArrayList<Declined.Place>();
        for (String id : proposal.ids()) {
            Declined.Place place = ids.get(proposal.channel() + "\n" + id);
            if (place != null) {
                repeated.add(place);
            }
        }
        if (!repeated.isEmpty()) {
            from.answer(
                    proposal.number(),
                    repeated.size() == proposal.messages()
                            ? new Declined.Repeated(repeated)
                            : new Declined.PartlyRepeated());
            return;
        }
        for (Proposal.Fence fence : proposal.fences()) {
            long highest = terms.getOrDefault(proposal.channel() + "\n" + fence.slot(), 0L);
            if (fence.term() < highest) {
                from.answer(proposal.number(), new Declined.Fenced(fence.slot(), highest));
                return;
            }
        }
        proposal.fences().forEach(fence -> terms.put(proposal.channel() + "\n" + fence.slot(), fence.term()));
        LogPosition position = add(proposal.text());
        for (int i = 0; i < proposal.ids().size(); i++) {
            ids.put(proposal.channel() + "\n" + proposal.ids().get(i), new Declined.Place(position, i));
        }
        if (kept != null && proposal.msgSerial() >= 0) {
            kept.answers.put(proposal.msgSerial(), position + "/" + proposal.messages());
        }
    }
}
