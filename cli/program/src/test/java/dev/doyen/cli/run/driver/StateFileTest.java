package dev.doyen.cli.run.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.SavedState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class StateFileTest {

    private StateFile file;
    private long second = 1;

    @BeforeEach
    void given() throws IOException {
        file = StateFile.create();
        file.give(SavedState.ofText("before"));
    }

    @AfterEach
    void close() {
        file.close();
    }

    @Test
    void the_command_finds_what_was_left_before() throws IOException {
        assertThat(file.path()).hasContent("before");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(file.path().getParent())))
                .isEqualTo("rwx------");
    }

    @Test
    void what_the_command_did_not_change_is_no_news() throws Exception {
        assertThat(file.settled()).isEmpty();
        assertThat(file.left()).isEmpty();
    }

    @Test
    void news_is_taken_once_it_has_stood_from_one_look_to_the_next() throws Exception {
        write("half");
        assertThat(file.settled()).isEmpty();
        write("whole");
        assertThat(file.settled()).isEmpty();

        assertThat(file.settled()).contains(SavedState.ofText("whole"));
        assertThat(file.settled()).isEmpty();
    }

    @Test
    void what_is_left_at_the_end_is_taken_at_once_and_only_if_it_is_news() throws Exception {
        write("end");

        assertThat(file.left()).contains(SavedState.ofText("end"));
        assertThat(file.left()).isEmpty();
    }

    @Test
    void emptying_the_file_is_news_and_taking_it_away_is_not() throws Exception {
        write("");
        assertThat(file.left()).contains(SavedState.EMPTY);

        Files.delete(file.path());
        assertThat(file.left()).isEmpty();
    }

    @Test
    void exactly_as_much_as_fits_is_taken_and_one_byte_more_is_refused_in_a_sentence() throws Exception {
        write("x".repeat(SavedState.MAX_BYTES));
        assertThat(file.left()).isPresent();

        write("x".repeat(SavedState.MAX_BYTES + 1));
        assertThatThrownBy(file::left)
                .isInstanceOf(StateFile.TooLargeException.class)
                .hasMessageContainingAll("65537 bytes", "65536", "leave a pointer");
    }

    @Test
    void too_much_is_said_once() throws Exception {
        write("x".repeat(SavedState.MAX_BYTES + 1));
        assertThat(file.settled()).isEmpty();
        assertThatThrownBy(file::settled).isInstanceOf(StateFile.TooLargeException.class);

        assertThat(file.settled()).isEmpty();
    }

    @Test
    void nothing_stays_behind() {
        file.close();

        assertThat(file.path().getParent()).doesNotExist();
    }

    /** Gives each write its own modification time, as in practice. */
    private void write(String text) throws IOException {
        Files.writeString(file.path(), text);
        Files.setLastModifiedTime(file.path(), FileTime.fromMillis(1000 * second++));
    }
}
