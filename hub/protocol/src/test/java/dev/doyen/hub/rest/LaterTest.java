package dev.doyen.hub.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaterTest {

    private final Later<String> later = new Later<>();
    private final List<String> seen = new ArrayList<>();

    @Test
    void a_value_reaches_earlier_and_later_listeners() {
        later.map(value -> "mapped " + value).whenThere(seen::add);
        assertThat(seen).isEmpty();

        later.become("a");
        later.whenThere(seen::add);

        assertThat(seen).containsExactly("mapped a", "a");
    }

    @Test
    void a_rejection_reaches_the_waiting_listeners() {
        later.map(value -> "mapped " + value).orElse(Refusal::getMessage).whenThere(seen::add);
        later.whenThere(seen::add);
        assertThat(seen).isEmpty();

        later.refuse(refusal("no"));

        assertThat(seen).containsExactly("no");
    }

    @Test
    void a_list_of_several_waits_for_the_last() {
        var other = new Later<String>();
        Later.all(List.of(later, other)).whenThere(seen::addAll);
        other.become("b");
        assertThat(seen).isEmpty();

        later.become("a");

        assertThat(seen).containsExactly("a", "b");
    }

    @Test
    void a_value_is_completed_only_once() {
        Later<String> there = Later.of("a");
        Later<String> refused = Later.refused(refusal("no"));
        for (Later<String> each : List.of(there, refused)) {
            assertThatThrownBy(() -> each.become("b")).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> each.refuse(refusal("not"))).isInstanceOf(IllegalStateException.class);
        }
    }

    private static Refusal refusal(String sentence) {
        return new Refusal(ErrorCode.UNAVAILABLE, sentence);
    }
}
