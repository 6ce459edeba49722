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
    void the_command_receives_the_saved_state() throws IOException {
        assertThat(file.path()).hasContent("before");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(file.path().getParent())))
                .isEqualTo("rwx------");
    }

    @Test
    void an_unchanged_state_is_not_saved() throws Exception {
        assertThat(file.settled()).isEmpty();
        assertThat(file.left()).isEmpty();
    }

    @Test
    void a_changed_state_is_saved_when_it_is_equal_in_two_reads() throws Exception {
        write("half");
        assertThat(file.settled()).isEmpty();
        write("whole");
        assertThat(file.settled()).isEmpty();

        assertThat(file.settled()).contains(SavedState.ofText("whole"));
        assertThat(file.settled()).isEmpty();
    }

    @Test
    void the_final_state_is_saved_at_once_if_it_changed() throws Exception {
        write("end");

        assertThat(file.left()).contains(SavedState.ofText("end"));
        assertThat(file.left()).isEmpty();
    }

    @Test
    void an_emptied_file_is_saved_and_a_deleted_file_is_not() throws Exception {
        write("");
        assertThat(file.left()).contains(SavedState.EMPTY);

        Files.delete(file.path());
        assertThat(file.left()).isEmpty();
    }

    @Test
    void a_state_at_the_limit_is_saved_and_one_byte_more_is_rejected() throws Exception {
        write("x".repeat(SavedState.MAX_BYTES));
        assertThat(file.left()).isPresent();

        write("x".repeat(SavedState.MAX_BYTES + 1));
        assertThatThrownBy(file::left)
                .isInstanceOf(StateFile.TooLargeException.class)
                .hasMessageContainingAll("65537 bytes", "65536", "save a pointer");
    }

    @Test
    void a_state_that_is_too_large_is_reported_once() throws Exception {
        write("x".repeat(SavedState.MAX_BYTES + 1));
        assertThat(file.settled()).isEmpty();
        assertThatThrownBy(file::settled).isInstanceOf(StateFile.TooLargeException.class);

        assertThat(file.settled()).isEmpty();
    }

    @Test
    void no_temporary_file_remains() {
        file.close();

        assertThat(file.path().getParent()).doesNotExist();
    }

    /** Writes the file. Each write sets a different modification time, as two writes in practice do. */
    private void write(String text) throws IOException {
        Files.writeString(file.path(), text);
        Files.setLastModifiedTime(file.path(), FileTime.fromMillis(1000 * second++));
    }
}
