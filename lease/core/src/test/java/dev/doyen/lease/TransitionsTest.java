package dev.doyen.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.lease.Transitions.Transition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Tests the table of transitions, and that {@code docs/spec/lease-transitions.md} contains the same table.
 *
 * <p>{@code ./dev fix} generates that page.
 */
class TransitionsTest {

    private static final Path PAGE = Path.of("..", "..", "docs", "spec", "lease-transitions.md");

    private static final Identity ME = new Identity("me", "1");

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
        var campaigning = new Role.Campaigning(ME, 0);
        assertThatThrownBy(() -> Transitions.check(Role.Observing.ONLY, LeaseInput.Answered.class, campaigning))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the role cannot change from Observing to Campaigning on Answered");
        Transitions.check(Role.Observing.ONLY, LeaseInput.Campaign.class, campaigning);
    }

    @Test
    void a_role_can_stay_the_same_on_any_input() {
        Transitions.check(new Role.Campaigning(ME, 0), LeaseInput.Woken.class, new Role.Campaigning(ME, 1));
    }

    private static String page() {
        var page = new StringBuilder("""
                # Transitions of the lease machine

                This page is generated from `Transitions.java` by `./dev fix`. The machine rejects every other change of
                its role. The rules are those of [lease.md](lease.md).

                The inputs `ReadAnswered` and `Answered` are the store's answers to a read and to a write. `Woken` stands for the
                passing of time, which the machine checks with every input.

                | role | next role | inputs | rules |
                |---|---|---|---|
                """);
        for (Transition each : Transitions.TABLE) {
            page.append("| ").append(each.from().getSimpleName());
            page.append(" | ").append(each.to().getSimpleName());
            page.append(" | ")
                    .append(each.inputs().stream().map(Class::getSimpleName).collect(Collectors.joining(", ")));
            page.append(" | ").append(each.rule()).append(" |\n");
        }
        return page.toString();
    }
}
