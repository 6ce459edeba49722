package dev.doyen.stores.kubernetes.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.StoreUnavailableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(strings = {"s3cret\nmore", "s3cret more", "s3cret\u0000", "s3cret\u2013"})
    void a_malformed_token_is_not_printed(String text) throws Exception {
        Path file = Files.writeString(folder.resolve("token"), text);
        assertThatThrownBy(() -> BearerToken.in(file, () -> 0).header())
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("the token in " + file + " contains white space")
                .hasMessageNotContaining("s3cret");
    }
}
