package dev.doyen.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.ring.RingTransitions.Transition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Tests the table of transitions, and its page {@code docs/spec/ring-transitions.md}. The command {@code ./dev fix}
 * generates the page.
 */
class RingTransitionsTest {

    private static final Path PAGE = Path.of("..", "..", "docs", "spec", "ring-transitions.md");

    @Test
    void the_page_contains_the_table_of_the_machine() throws IOException {
        if (Boolean.getBoolean("rewrite")) {
            Files.writeString(PAGE, page());
        }
        assertThat(Files.readString(PAGE))
                .as("the page is current; otherwise run ./dev fix")
                .isEqualTo(page());
    }

    @Test
    void a_change_that_the_table_does_not_contain_is_rejected() {
        assertThatThrownBy(
                        () -> RingTransitions.check(RingPhase.OUTSIDE, RingMessage.Heartbeat.class, RingPhase.LEADING))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the phase cannot change from OUTSIDE to LEADING on Heartbeat");
        RingTransitions.check(RingPhase.LEADERLESS, RingMessage.Heartbeat.class, RingPhase.FOLLOWING);
    }

    @Test
    void a_phase_can_stay_the_same_on_any_input() {
        RingTransitions.check(RingPhase.OUTSIDE, RingMessage.Heartbeat.class, RingPhase.OUTSIDE);
    }

    private static String page() {
        var page = new StringBuilder("""
                # Transitions of the ring machine

                This page is generated from `RingTransitions.java` by `./dev fix`. The machine rejects every other change
                of the phase. The rules are those of [ring.md](ring.md).

                | phase | meaning |
                |---|---|
                | outside | no view contains the member |
                | electing | the member does not know the result of its round |
                | awaiting state | the member has won the round and waits for a saved state (rule T4) |
                | leading | the member leads, whether or not a round is open |
                | following | the round is decided, and another member is the known leader |
                | leaderless | the round is decided, and no leader is known |
                | gone | the member has left the election |

                A received message is listed by its own name. `Woken` stands for the passing of time, which the machine
                checks before each input. `Installed` includes the messages that were kept for the view.

                | phase | next phase | inputs | rules |
                |---|---|---|---|
                """);
        for (Transition each : RingTransitions.TABLE) {
            page.append("| ")
                    .append(each.from().stream()
                            .sorted()
                            .map(RingTransitionsTest::displayName)
                            .collect(Collectors.joining(", ")));
            page.append(" | ").append(displayName(each.to()));
            page.append(" | ")
                    .append(each.inputs().stream().map(Class::getSimpleName).collect(Collectors.joining(", ")));
            page.append(" | ").append(each.rule()).append(" |\n");
        }
        return page.toString();
    }

    private static String displayName(RingPhase phase) {
        return phase.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
