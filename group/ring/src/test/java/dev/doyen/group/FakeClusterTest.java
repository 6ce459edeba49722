package dev.doyen.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.membership.Member;
import dev.doyen.membership.Membership;
import dev.doyen.membership.MembershipListener;
import dev.doyen.membership.View;
import dev.doyen.testkit.ManualThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FakeClusterTest {

    private final ManualThreads threads = new ManualThreads();
    private final FakeCluster cluster = new FakeCluster(threads);
    private final Membership a = cluster.join("a");
    private final Membership b = cluster.join("b");
    private final Membership c = cluster.join("c");
    private final List<String> atA = deliveries(a);
    private final List<String> atB = deliveries(b);
    private final List<String> atC = deliveries(c);

    @Test
    void all_install_the_same_view() {
        pass(0);
        assertThat(atA).contains("3 a/1 [a, b, c]");
        assertThat(atB).endsWith("3 a/1 [a, b, c]");
        assertThat(atC).endsWith("3 a/1 [a, b, c]");
    }

    @Test
    void both_sides_of_a_partition_have_views_of_the_same_number() {
        pass(0);
        cluster.partition(c);
        pass(0);
        assertThat(atA).endsWith("4 a/1 [a, b]");
        assertThat(atC).endsWith("4 c/3 [c]");
        send(a, c, 1);
        pass(0);
        assertThat(atC).endsWith("4 c/3 [c]");
        cluster.merge();
        pass(0);
        assertThat(atC).endsWith("5 a/1 [a, b, c]");
        assertThat(atA).endsWith("5 a/1 [a, b, c]");
    }

    @Test
    void a_killed_process_is_removed_and_receives_nothing() {
        pass(0);
        int before = atB.size();
        cluster.kill(b);
        pass(0);
        assertThat(atA).endsWith("4 a/1 [a, c]");
        assertThat(atB).hasSize(before);
        assertThat(send(b, a, 1)).isFalse();
    }

    @Test
    void a_closing_process_is_notified_and_removed() {
        pass(0);
        b.close();
        pass(0);
        assertThat(atB).endsWith("ended");
        assertThat(atA).endsWith("4 a/1 [a, c]");
    }

    @Test
    void a_link_drops_messages_in_one_direction() {
        pass(0);
        cluster.drop(a, b);
        send(a, b, 1);
        send(b, a, 2);
        pass(0);
        assertThat(atB).doesNotContain("a says 1");
        assertThat(atA).endsWith("b says 2");
        assertThat(cluster.lost()).isEqualTo(1);
        cluster.dropNothing();
        send(a, b, 3);
        pass(0);
        assertThat(atB).endsWith("a says 3");
    }

    @Test
    void links_keep_their_order_with_any_delay() {
        pass(0);
        cluster.delay(Duration.ofMillis(100));
        send(a, b, 1);
        cluster.delay(Duration.ofMillis(10));
        send(a, b, 2);
        pass(99);
        assertThat(atB).doesNotContain("a says 1", "a says 2");
        pass(1);
        assertThat(atB).endsWith("a says 1", "a says 2");
    }

    @Test
    void a_message_that_is_too_long_is_rejected() {
        pass(0);
        assertThatThrownBy(() -> a.send(b.me(), "t", new byte[Membership.MAX_MESSAGE_BYTES + 1]))
                .hasMessage("a message of 81921 bytes to b/2; at most 81920 can be sent");
    }

    private void pass(long millis) {
        threads.pass(Duration.ofMillis(millis));
    }

    private static boolean send(Membership from, Membership to, int what) {
        return from.send(to.me(), "t", new byte[] {(byte) what});
    }

    private static List<String> deliveries(Membership membership) {
        var delivered = new ArrayList<String>();
        membership.listen("t", new MembershipListener() {
            @Override
            public void installed(View view) {
                delivered.add(view.id().number() + " " + view.id().creator() + " "
                        + view.members().stream().map(Member::id).sorted().toList());
            }

            @Override
            public void received(Member from, byte[] message) {
                delivered.add(from.id() + " says " + message[0]);
            }

            @Override
            public void ended() {
                delivered.add("ended");
            }
        });
        return delivered;
    }
}
