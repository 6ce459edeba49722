package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings and URLs: what they mean, and which are rejected with what message. */
class QuorumSettingsTest {

    private static final QuorumSettings SETTINGS =
            QuorumSettings.of(List.of("a:7800", "b:7800", "c:7800"), "a:7800", Path.of("/dir"));

    @TempDir
    private Path folder;

    @Test
    void a_url_names_the_members_this_process_its_directory_and_the_secret() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef\n");

        assertThat(QuorumUrl.parse("quorum://a,b:7900,c/var/lib/doyen?id=b&timeout-millis=500&secret-file=" + secret))
                .isEqualTo(QuorumSettings.of(List.of("a:7800", "b:7900", "c:7800"), "b:7900", Path.of("/var/lib/doyen"))
                        .withSecret("0123456789abcdef")
                        .withTimeout(Duration.ofMillis(500)));
    }

    @Test
    void members_on_one_host_are_told_apart_by_their_ports() {
        String url = "quorum://h:1,h:2,h:3/dir?id=";

        assertThat(((QuorumSettings) QuorumUrl.parse(url + "h:2")).self()).isEqualTo("h:2");
        assertThatThrownBy(() -> QuorumUrl.parse(url + "h"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("quorum: id is \"h\", which is 3 of the members h:1, h:2, h:3; write host:port");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "quorum://a,b/dir?id=a | a quorum has 3, 5 or 7 members, but 2 are named: a:7800, b:7800",
                "quorum://a,b,a/dir?id=b | a member is named twice: a:7800, b:7800, a:7800",
                "quorum://a,b,c/dir?id=d | quorum: id is \"d\", which is none of the members a:7800, b:7800, c:7800",
                "quorum://a,b,c/dir | quorum: names a directory, so this process is a member, but not which one; add id, one"
                        + " of a:7800, b:7800, c:7800. A client needs neither: quorum://a:7800,b:7800,c:7800",
                "quorum://a,b,c?id=a | quorum: names id, so this process is a member, but no directory of this process;"
                        + " write quorum://a:7800,b:7800,c:7800/var/lib/doyen?id=a. A client needs neither:"
                        + " quorum://a:7800,b:7800,c:7800",
                "quorum://:x@a,b,c/dir?id=a | quorum: takes no user and no password; name the file with the members'"
                        + " secret: secret-file=/path",
            })
    void what_cannot_be_meant_is_rejected(String url, String message) {
        assertThatThrownBy(() -> QuorumUrl.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void a_secret_has_the_length_and_the_variety_of_any_other_secret() {
        for (String weak : List.of("x", "aaaaaaaaaaaaaaaaaaaa", "0123456789abcdef".repeat(63))) {
            assertThatThrownBy(() -> SETTINGS.withSecret(weak))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the secret has");
        }
        assertThat(SETTINGS.withSecret("0123456789abcdef").secret()).contains("0123456789abcdef");
    }

    @Test
    void the_timeout_has_bounds_and_the_secret_is_not_printed() {
        for (Duration wrong : List.of(Duration.ofMillis(99), Duration.ofMillis(60_001))) {
            assertThatThrownBy(() -> SETTINGS.withTimeout(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("its bounds are 100 ms and 60000 ms");
        }
        assertThat(SETTINGS.withSecret("0123456789abcdef")).hasToString("a:7800 of the quorum a:7800, b:7800, c:7800");
    }
}
