package dev.doyen.stores.kubernetes.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BearerTokenTest {

    @TempDir
    Path folder;

    @Test
    void a_token_file_is_read_again_after_a_minute_and_after_a_rejection() throws Exception {
        Path file = Files.writeString(folder.resolve("token"), "one");
        var nanos = new AtomicLong();
        BearerToken token = BearerToken.in(file, nanos::get);
        assertThat(token.header()).contains("Bearer one");
        Files.writeString(file, "two");
        nanos.set(59_999_999_999L);
        assertThat(token.header()).contains("Bearer one");
        nanos.set(60_000_000_000L);
        assertThat(token.header()).contains("Bearer two");
        Files.writeString(file, "three");
        token.refused();
        assertThat(token.header()).contains("Bearer three");
    }
}
