package dev.doyen.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.Candidate;
import dev.doyen.Election;
import dev.doyen.ElectionListener;
import dev.doyen.Leadership;
import dev.doyen.channel.ChannelMembership;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.hub.HubSettings;
import dev.doyen.membership.Member;
import dev.doyen.membership.MembershipListener;
import dev.doyen.membership.View;
import dev.doyen.server.DoyenServer;
import dev.doyen.server.RunningServer;
import dev.doyen.server.claims.ClaimKeeper;
import io.ably.lib.types.ClientOptions;
import io.ably.lib.util.Log;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Elections on a ring and by ranking over a channel of the real hub, through the official Java SDK. */
@Timeout(180)
final class ChannelElectionTest {

    private static final String CHANNEL = "orders";

    /** Long, so that a leader keeps its term although this process stands still for a while. */
    private static final Duration FOLLOW = Duration.ofSeconds(10);

    private final LinkedBlockingQueue<String> news = new LinkedBlockingQueue<>();
    private final List<Node> nodes = new ArrayList<>();
    private DoyenServer server;

    private record Node(ChannelMembership membership, Election election, Candidate candidate) {
        String leader() {
            return candidate.leader().map(Leader::id).orElse("");
        }

        void close() {
            election.close();
            membership.close();
        }
    }

    /** Whatever happens, the test looks again. */
    private class News implements ElectionListener, MembershipListener {
        @Override
        public void elected(Leadership leadership) {
            news.add("elected");
        }

        @Override
        public void lost(LossCause cause) {
            news.add("lost");
        }

        @Override
        public void leaderChanged(Optional<Leader> leader) {
            news.add("leader");
        }

        @Override
        public void installed(View view) {
            news.add("view");
        }

        @Override
        public void received(Member from, byte[] message) {
            news.add(from.id() + " said " + Arrays.toString(message));
        }

        @Override
        public void ended() {
            news.add("ended");
        }
    }

    @BeforeEach
    void start() throws Exception {
        server = RunningServer.withHub(
                HubSettings.builder().build(),
                ClaimKeeper.open("memory:", RunningServer.CHANNEL, Duration.ofSeconds(5)));
    }

    @AfterEach
    void stop() {
        nodes.forEach(Node::close);
        server.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void three_agree_and_another_leads_when_the_leader_closes(boolean byRing) throws Exception {
        for (String id : List.of("ann", "bob", "cyd")) {
            join(id, byRing);
        }
        Node first = agreed(List.copyOf(nodes));
        long term = first.candidate().leader().orElseThrow().term();
        first.close();
        nodes.remove(first);
        Node second = agreed(List.copyOf(nodes));
        assertThat(second.candidate().leader().orElseThrow().term()).isGreaterThan(term);
    }

    @Test
    void who_joins_does_not_unseat_the_leader_though_it_would_come_first_by_name() throws Exception {
        Node first = join("zoe", true);
        agreed(List.of(first));
        long term = first.candidate().leader().orElseThrow().term();
        join("ann", true);
        assertThat(agreed(List.copyOf(nodes))).isSameAs(first);
        assertThat(first.candidate().leader().orElseThrow().term()).isEqualTo(term);
    }

    @Test
    void messages_arrive_in_order_at_the_one_they_are_for_and_at_oneself() throws Exception {
        try (var ann = ChannelMembership.open(options("ann"), CHANNEL);
                var bob = ChannelMembership.open(options("bob"), CHANNEL)) {
            var views = new LinkedBlockingQueue<View>();
            ann.listen("talk", new News() {
                @Override
                public void installed(View view) {
                    views.add(view);
                }
            });
            View view = views.poll(30, TimeUnit.SECONDS);
            while (view != null && !view.has(bob.me())) {
                view = views.poll(30, TimeUnit.SECONDS);
            }
            assertThat(view).isNotNull();
            bob.listen("talk", new News());
            news.clear();

            for (byte i = 0; i < 50; i++) {
                assertThat(ann.send(bob.me(), "talk", new byte[] {i, -1})).isTrue();
            }
            for (int i = 0; i < 50; i++) {
                await("message " + i, () -> true, "ann said [" + i + ", -1]");
            }
            assertThat(ann.send(ann.me(), "talk", new byte[] {7})).isTrue();
            await("its own", () -> true, "ann said [7]");
            assertThat(ann.send(new Member("bob", "another"), "talk", new byte[0]))
                    .isFalse();
            assertThatThrownBy(() -> ann.send(bob.me(), "talk", new byte[16 * 1024 + 1]))
                    .hasMessageContaining("16385 bytes");
            ann.close();
            assertThat(ann.send(bob.me(), "talk", new byte[1])).isFalse();
        }
    }

    @Test
    void who_cannot_enter_is_told_why() {
        ClientOptions stranger = options("ann");
        stranger.key = "app.id:another-secret";
        assertThatThrownBy(() -> ChannelMembership.open(stranger, CHANNEL))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(CHANNEL);
        assertThatThrownBy(() -> ChannelMembership.open(options("*"), CHANNEL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("clientId is *");
    }

    private Node join(String id, boolean byRing) throws Exception {
        var membership = ChannelMembership.open(options(id), CHANNEL);
        Election election = byRing
                ? Election.ring("orders").follow(FOLLOW).membership(membership).open()
                : Election.ranking("orders").membership(membership).open();
        var candidate = election.join(id);
        var node = new Node(membership, election, candidate);
        nodes.add(node);
        candidate.listen(new News());
        return node;
    }

    /** Waits until one of them leads, and all name it. */
    private Node agreed(List<Node> all) throws Exception {
        Supplier<Optional<Node>> look = () -> {
            List<Node> leaders =
                    all.stream().filter(node -> node.candidate().isLeader()).toList();
            return leaders.size() == 1
                            && all.stream()
                                    .allMatch(node -> node.leader()
                                            .equals(leaders.get(0)
                                                    .membership()
                                                    .me()
                                                    .id()))
                    ? Optional.of(leaders.get(0))
                    : Optional.empty();
        };
        var found = new AtomicReference<>(look.get());
        await(
                "one leads and all name it",
                () -> found.updateAndGet(last -> look.get()).isPresent(),
                null);
        return found.get().orElseThrow();
    }

    /** Waits until this is so; if something is to be said next, until that has been said, and refuses other talk. */
    private void await(String what, Supplier<Boolean> holds, String said) throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (said != null || !holds.get()) {
            // Leaderships also end by themselves, without news.
            String next = news.poll(100, TimeUnit.MILLISECONDS);
            if (next != null && next.contains(" said ") && said != null) {
                assertThat(next).isEqualTo(said);
                return;
            }
            if (System.nanoTime() - until > 0) {
                throw new TimeoutException(what + ": not so within a minute");
            }
        }
    }

    private ClientOptions options(String clientId) {
        try {
            var options = new ClientOptions(RunningServer.KEY);
            options.clientId = clientId;
            options.restHost = "localhost";
            options.realtimeHost = "localhost";
            options.port = server.hubAddress().getPort();
            options.tls = false;
            options.logLevel = Log.NONE;
            return options;
        } catch (io.ably.lib.types.AblyException e) {
            throw new IllegalStateException(e);
        }
    }
}
