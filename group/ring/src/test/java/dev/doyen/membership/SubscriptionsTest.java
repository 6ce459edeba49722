package dev.doyen.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubscriptionsTest {

    private static final Member ME = new Member("me", "1");
    private static final View VIEW = new View(new ViewId(1, "me/1"), List.of(ME));

    private final Subscriptions subscriptions = new Subscriptions();

    @Test
    void a_late_listener_gets_the_view_and_then_earlier_messages() {
        subscriptions.install(VIEW);
        subscriptions.receive(ME, "a", new byte[] {1});
        subscriptions.receive(ME, "b", new byte[] {2});
        var a = listen("a");
        assertThat(a).containsExactly("view 1", "message 1");
        subscriptions.receive(ME, "a", new byte[] {3});
        assertThat(a).endsWith("message 3");
        assertThat(listen("b")).containsExactly("view 1", "message 2");
    }

    @Test
    void the_latest_messages_without_a_listener_are_kept() {
        for (int i = 0; i <= Subscriptions.MAX_KEPT; i++) {
            subscriptions.receive(ME, "a", new byte[] {(byte) (i == 0 ? 9 : 1)});
        }
        assertThat(listen("a")).hasSize(Subscriptions.MAX_KEPT).doesNotContain("message 9");
    }

    @Test
    void a_topic_has_one_listener_even_after_the_end() {
        listen("a");
        assertThatThrownBy(() -> listen("a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("this membership takes part, or took part, in \"a\", which is possible only once;"
                        + " open another membership for another candidate");
    }

    @Test
    void topics_are_limited() {
        for (int i = 0; i < Membership.MAX_TOPICS; i++) {
            listen("t" + i);
        }
        assertThatThrownBy(() -> listen("one more")).hasMessageContaining("1000 topics, which is the limit");
    }

    @Test
    void an_Error_of_a_listener_does_not_affect_other_listeners() { // L8
        var views = new ArrayList<Long>();
        subscriptions.listen("failing", new MembershipListener() {
            @Override
            public void installed(View view) {
                views.add(view.id().number());
                throw new OutOfMemoryError("on purpose");
            }

            @Override
            public void received(Member from, byte[] message) {}

            @Override
            public void ended() {}
        });
        var sound = listen("sound");
        subscriptions.install(VIEW);
        subscriptions.install(new View(new ViewId(2, "me/1"), List.of(ME)));

        assertThat(sound).containsExactly("view 1", "view 2");
        assertThat(views).containsExactly(1L, 2L);
    }

    @Test
    void the_end_is_reported_once_as_the_last_event() {
        var a = listen("a");
        subscriptions.end();
        subscriptions.end();
        subscriptions.install(VIEW);
        subscriptions.receive(ME, "a", new byte[] {1});
        assertThat(a).containsExactly("ended");
        assertThat(listen("b")).containsExactly("ended");
    }

    @Test
    void a_failing_listener_does_not_affect_the_others() {
        subscriptions.listen("a", new Received(new ArrayList<>()) {
            @Override
            public void installed(View view) {
                throw new IllegalStateException("planted");
            }
        });
        var b = listen("b");
        subscriptions.install(VIEW);
        assertThat(b).containsExactly("view 1");
    }

    @Test
    void a_view_has_each_member_once() {
        assertThatThrownBy(() -> new View(VIEW.id(), List.of(ME, ME)))
                .hasMessageContaining("has the member me/1 twice");
        assertThatThrownBy(() -> new View(VIEW.id(), List.of())).hasMessageContaining("has 0 members");
        assertThat(new View(VIEW.id(), List.of(new Member("z", "1"), ME)))
                .isEqualTo(new View(VIEW.id(), List.of(ME, new Member("z", "1"))));
    }

    private List<String> listen(String topic) {
        var delivered = new ArrayList<String>();
        subscriptions.listen(topic, new Received(delivered));
        return delivered;
    }

    private static class Received implements MembershipListener {
        private final List<String> delivered;

        Received(List<String> delivered) {
            this.delivered = delivered;
        }

        @Override
        public void installed(View view) {
            delivered.add("view " + view.id().number());
        }

        @Override
        public void received(Member from, byte[] message) {
            delivered.add("message " + message[0]);
        }

        @Override
        public void ended() {
            delivered.add("ended");
        }
    }
}
