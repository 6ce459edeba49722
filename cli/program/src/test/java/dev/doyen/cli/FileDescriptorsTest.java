package dev.doyen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FileDescriptorsTest {

    @Test
    void a_limit_below_the_connections_and_the_reserve_is_a_warning() {
        assertThat(FileDescriptors.warning(10_000, 10_500)).isEmpty();
        assertThat(FileDescriptors.warning(10_000, 10_499))
                .contains("this process may open 10499 files and sockets, and its connection limits need 10500; raise"
                        + " the limit (ulimit -n 10500), or lower limits.connections in --settings");
    }

    @Test
    void the_limit_of_this_process_is_known() {
        assertThat(FileDescriptors.warning(Integer.MAX_VALUE).isPresent())
                .isEqualTo(!System.getProperty("os.name").startsWith("Windows"));
    }
}
