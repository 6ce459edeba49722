package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.stores.quorum.Register.Operation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that {@link Register} accepts valid histories and rejects invalid histories. */
class RegisterTest {

    @Test
    void a_read_during_a_write_may_return_the_old_value_or_the_new_one() {
        assertThat(Register.unexplained(List.of(read(0, 10, "-"), cas(5, 20, "-", "1", "1"), read(15, 30, "1"))))
                .isEmpty();
        assertThat(Register.unexplained(List.of(cas(5, 20, "-", "1", "1"), read(16, 17, "-"), read(18, 30, "1"))))
                .isEmpty();
    }

    @Test
    void a_read_after_a_write_does_not_return_the_old_value() {
        assertThat(Register.unexplained(List.of(cas(0, 10, "-", "1", "1"), read(15, 30, "-"))))
                .containsExactly("r");
    }

    @Test
    void only_one_of_two_writes_over_one_value_succeeds() {
        assertThat(Register.unexplained(List.of(cas(0, 10, "-", "1", "1"), cas(0, 10, "-", "2", "2"))))
                .containsExactly("r");
        assertThat(Register.unexplained(List.of(cas(0, 10, "-", "1", "1"), cas(0, 10, "-", "2", "1"))))
                .isEmpty();
    }

    @Test
    void a_write_without_an_answer_happens_once_or_never_and_at_any_time_after_its_call() {
        Operation unknown = cas(0, Register.NEVER, "-", "1", "");
        assertThat(Register.unexplained(List.of(unknown, read(15, 30, "-"), read(40, 50, "1"))))
                .isEmpty();
        assertThat(Register.unexplained(List.of(unknown, read(15, 30, "-")))).isEmpty();
        assertThat(Register.unexplained(List.of(unknown, read(15, 30, "1"), read(40, 50, "-"))))
                .containsExactly("r");
    }

    @Test
    void a_rejected_write_returns_the_current_value() {
        assertThat(Register.unexplained(List.of(cas(0, 10, "-", "1", "1"), cas(20, 30, "-", "2", "7"))))
                .containsExactly("r");
    }

    private static Operation read(long call, long end, String found) {
        return new Operation("r", call, end, "c", "", "", found);
    }

    private static Operation cas(long call, long end, String expected, String next, String found) {
        return new Operation("r", call, end, "c", expected, next, found);
    }
}
