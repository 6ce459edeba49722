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

/** Tests the meaning of settings and URLs, and the messages for invalid values. */
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
    void members_on_one_host_are_distinguished_by_their_ports() {
        String url = "quorum://h:1,h:2,h:3/dir?id=";

        assertThat(((QuorumSettings) QuorumUrl.parse(url + "h:2")).self()).isEqualTo("h:2");
        assertThatThrownBy(() -> QuorumUrl.parse(url + "h"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("quorum: id is \"h\", which is 3 of the members h:1, h:2, h:3; write host:port");
    }

    @Test
    void an_address_that_is_not_in_the_list_names_a_process_that_joins() {
        assertThat(((QuorumSettings) QuorumUrl.parse("quorum://a,b,c/dir?id=d:7900")).self())
                .isEqualTo("d:7900");
        assertThat(((QuorumSettings) QuorumUrl.parse("quorum://a,b/dir?id=a")).members())
                .containsExactly("a:7800", "b:7800");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "quorum://a/dir?id=a | a quorum has 2 to 9 members, and a new one 3, 5 or 7; 1 are named: a:7800",
                "quorum://a,b,a/dir?id=b | a member is named twice: a:7800, b:7800, a:7800",
                "quorum://a,b,c/dir?id=d | quorum: id is \"d\", which is not one of the members a:7800, b:7800, c:7800;"
                        + " write host:port if this process is to join them",
                "quorum://a,b,c/dir | quorum: names a directory, so this process is a member, but not which one; add id, one"
                        + " of a:7800, b:7800, c:7800. A client needs neither: quorum://a:7800,b:7800,c:7800",
                "quorum://a,b,c?id=a | quorum: names id, so this process is a member, but no directory of this process;"
                        + " write quorum://a:7800,b:7800,c:7800/var/lib/doyen?id=a. A client needs neither:"
                        + " quorum://a:7800,b:7800,c:7800",
                "quorum://a,b,c/dir?members=3 | quorum: names members=3 and 3 hosts; with members= name one host, the"
                        + " headless Service of a StatefulSet",
                "quorum://a/dir?members=4 | quorum: members is \"4\"; a quorum has 3, 5 or 7 members",
                "quorum://a/dir?members=3&id=b | quorum: id is \"b\", which is none of NAME-0 to NAME-8, as the pods of a"
                        + " StatefulSet are named; add id=, such as id=doyen-0, or name all members and their ports",
                "quorum://a,b,c/dir?id=a&listen=7800 | \"7800\" is not the address of a member; write host:port, such as"
                        + " 10.0.0.1:7800",
                "quorum://:x@a,b,c/dir?id=a | quorum: takes no user and no password; name the file with the members'"
                        + " secret: secret-file=/path",
            })
    void invalid_settings_are_rejected(String url, String message) {
        assertThatThrownBy(() -> QuorumUrl.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void a_url_without_a_directory_is_that_of_a_client_with_any_number_of_addresses() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef\n");

        assertThat(QuorumUrl.parse("quorum://a,b:7900?timeout-millis=500&secret-file=" + secret))
                .isEqualTo(QuorumClientSettings.of(List.of("a:7800", "b:7900"))
                        .withSecret("0123456789abcdef")
                        .withTimeout(Duration.ofMillis(500)));
        assertThat(QuorumUrl.parse("quorum://svc")).isEqualTo(QuorumClientSettings.of(List.of("svc:7800")));
        assertThat(QuorumClientSettings.of(List.of("a:7800", "b:7800")).withSecret("0123456789abcdef"))
                .hasToString("a client of the quorum at a:7800, b:7800");
    }

    @Test
    void members_of_a_stateful_set_are_named_by_its_pods() {
        var expected = QuorumSettings.of(
                List.of("doyen-0.d.ns.svc:7800", "doyen-1.d.ns.svc:7800", "doyen-2.d.ns.svc:7800"),
                "doyen-1.d.ns.svc:7800",
                Path.of("/dir"));
        assertThat(QuorumUrl.parse("quorum://d.ns.svc/dir?members=3", () -> "doyen-1"))
                .isEqualTo(expected);
        assertThat(QuorumUrl.parse("quorum://d.ns.svc/dir?members=3", () -> "doyen-1.d.ns.svc.cluster.local"))
                .isEqualTo(expected);
        assertThat(QuorumUrl.parse("quorum://d.ns.svc/dir?members=3&id=doyen-1", () -> "laptop"))
                .isEqualTo(expected);
        assertThat(QuorumUrl.parse("quorum://d.ns.svc/dir?members=3&listen=0.0.0.0:7801", () -> "doyen-1"))
                .isEqualTo(expected.withListen("0.0.0.0:7801"));
        assertThat(QuorumUrl.parse("quorum://d.ns.svc/dir?members=3", () -> "doyen-3"))
                .as("a pod after the founders joins")
                .isEqualTo(QuorumSettings.of(expected.members(), "doyen-3.d.ns.svc:7800", Path.of("/dir")));
        for (String other : List.of("laptop", "doyen-9", "doyen-12345", "doyen-01", "-1")) {
            assertThatThrownBy(() -> QuorumUrl.parse("quorum://d.ns.svc/dir?members=3", () -> other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "quorum: this process's host name is \"" + other + "\", which is none of NAME-0 to NAME-8,"
                                    + " as the pods of a StatefulSet are named; add id=, such as id=doyen-0, or name all members"
                                    + " and their ports");
        }
    }

    @Test
    void the_examples_for_kubernetes_name_the_same_members_for_pods_and_clients() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef\n");
        String member = exampleUrl("members.yaml", secret).replace("$(POD_NAME)", "doyen-2");

        QuorumSettings settings = (QuorumSettings) QuorumUrl.parse(member);
        assertThat(settings.self()).isEqualTo("doyen-2.doyen.default.svc:7800");
        assertThat(settings.members()).hasSize(3);
        assertThat(settings.secret()).isPresent();
        assertThat(QuorumUrl.parse(exampleUrl("clients.yaml", secret)))
                .isEqualTo(QuorumClientSettings.of(List.of("doyen.default.svc:7800"))
                        .withSecret("0123456789abcdef"));
    }

    private static String exampleUrl(String file, Path secret) throws IOException {
        Path path = Path.of("..", "..", "..", "examples", "quorum-on-kubernetes", file);
        String url = Files.readString(path).replaceFirst("(?s).*--store=(quorum:[^\\n]*)\\n.*", "$1");
        return url.replace("/secret/quorum.secret", secret.toString());
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
    void the_timeout_is_limited_and_the_secret_is_not_printed() {
        for (Duration wrong : List.of(Duration.ofMillis(99), Duration.ofMillis(60_001))) {
            assertThatThrownBy(() -> SETTINGS.withTimeout(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("its bounds are 100 ms and 60000 ms");
        }
        assertThat(SETTINGS.withSecret("0123456789abcdef")).hasToString("a:7800 of the quorum a:7800, b:7800, c:7800");
    }
}
