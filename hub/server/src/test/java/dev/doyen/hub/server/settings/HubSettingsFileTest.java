package dev.doyen.hub.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.hub.auth.HubKey;
import dev.doyen.hub.auth.Operation;
import dev.doyen.hub.settings.HubSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which settings are valid or rejected, and that the reference page matches. */
class HubSettingsFileTest {

    private static final Path PAGE = Path.of("..", "..", "docs", "reference", "hub-settings.md");
    private static final Map<String, String> ENVIRONMENT =
            Map.of("SHOP_SERVER_SECRET", "s3cret-one", "SHOP_PAGES_SECRET", "s3cret-two", "EMPTY", "");

    @TempDir
    private Path folder;

    @Test
    void the_example_of_the_page_is_read_and_is_in_force() throws Exception {
        var file = HubSettingsFile.of("hub.yaml", example(), ENVIRONMENT);
        var plan = HubPlan.of(file, List.of(), Duration.ofSeconds(5), Optional.empty());

        assertThat(plan.keys()).extracting(HubKey::name).containsExactly("shop.server", "shop.pages");
        var pages = plan.keys().get(1).capability();
        assertThat(pages.allows("tabs:x", Operation.LEAD)).isTrue();
        assertThat(pages.allows("orders:x", Operation.PUBLISH)).isFalse();
        var rules = plan.settings().channelRules().list();
        assertThat(rules.get(0).slots()).containsExactly(Map.entry("leader", 1), Map.entry("worker", 3));
        assertThat(rules.get(0).publishers()).containsExactly("leader", "worker");
        assertThat(rules.get(0).maxClaimTtl()).contains(Duration.ofSeconds(4));
        assertThat(rules.get(1).publishers()).containsExactly("leader");
        assertThat(rules.get(1).maxMembers()).hasValue(500);
        assertThat(rules.get(1).historyCount()).hasValue(5000);
        assertThat(rules.get(1).historyAge()).contains(Duration.ofHours(1));
        assertThat(plan.settings().maxConnections()).isEqualTo(20_000);
        assertThat(plan.settings().lastMessageAge()).isEqualTo(Duration.ofDays(7));
        assertThat(plan.settings().historyAge())
                .isEqualTo(HubSettings.defaults().historyAge());
    }

    @Test
    void what_is_in_force_is_printed_as_a_file_that_says_the_same_without_secrets() throws Exception {
        var file = HubSettingsFile.of("hub.yaml", example(), ENVIRONMENT);
        var plan = HubPlan.of(file, List.of(), Duration.ofSeconds(5), Optional.empty());
        assertThat(plan.text()).doesNotContain("s3cret").contains("shop.server:...");
        var again = HubPlan.of(
                HubSettingsFile.of("again", plan.text(), Map.of()), List.of(), Duration.ofSeconds(5), Optional.empty());
        assertThat(again.settings()).isEqualTo(plan.settings());
    }

    @Test
    void nodes_are_printed_as_the_file_says_them_without_the_password() throws Exception {
        var file = HubSettingsFile.of(
                "f",
                "nodes: {redis: 'redis://u:${PW}@host:1/2', name: shop, ttl: 3s, log-entries: 2000}",
                Map.of("PW", "p"));
        var plan = HubPlan.of(file, List.of(), Duration.ofSeconds(5), Optional.empty());
        assertThat(plan.nodes().orElseThrow().redisUrl()).isEqualTo("redis://u:p@host:1/2");
        assertThat(plan.text())
                .contains("nodes:\n  redis: \"redis://...@host:1/2\"\n  name: shop\n  ttl: 3s\n  log-entries: 2000\n");
        var elsewhere = HubPlan.of(file, List.of(), Duration.ofSeconds(5), Optional.of("redis://other:1"));
        assertThat(elsewhere.nodes().orElseThrow().redisUrl()).isEqualTo("redis://other:1");
        assertThat(elsewhere.nodes().orElseThrow().name()).isEqualTo("shop");
    }

    @Test
    void nodes_that_cannot_be_meant_are_refused_without_the_url_which_may_have_a_password() throws Exception {
        for (String nodes :
                List.of("{redis: 'http://a:secret@b'}", "{redis: 'redis://'}", "{redis: 'redis://:secret@'}")) {
            var file = HubSettingsFile.of("f", "nodes: " + nodes, Map.of());
            assertThatThrownBy(() -> HubPlan.of(file, List.of(), Duration.ofSeconds(5), Optional.empty()))
                    .hasMessageContaining("write it like redis://HOST:PORT")
                    .hasMessageNotContaining("secret");
        }
    }

    @Test
    void the_pages_table_of_limits_is_the_programs_own() throws Exception {
        var rows = Pattern.compile("(?m)^\\| `([a-z-]+)` \\| ([0-9a-z]+) \\|")
                .matcher(Files.readString(PAGE))
                .results()
                .map(row -> row.group(1) + " " + row.group(2))
                .toList();
        var own = HubLimits.shown(HubSettings.defaults()).entrySet().stream()
                .map(limit -> limit.getKey() + " " + limit.getValue())
                .toList();
        assertThat(rows).containsExactlyElementsOf(own);
    }

    @Test
    void json_is_read_too_and_an_empty_file_changes_nothing() throws Exception {
        var json = HubSettingsFile.of("f", "{\"limits\": {\"channels\": 7}}", Map.of());
        assertThat(HubPlan.of(json, List.of(), Duration.ofSeconds(5), Optional.empty())
                        .settings()
                        .maxChannels())
                .isEqualTo(7);
        for (String empty : List.of("", "# nothing\n", "{}")) {
            var file = HubSettingsFile.of("f", empty, Map.of());
            assertThat(HubPlan.of(file, List.of(), Duration.ofSeconds(60), Optional.empty())
                            .settings())
                    .isEqualTo(HubSettings.defaults());
        }
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                refused("chanels: []", "f:1: chanels is unknown; there are channels, keys, limits, nodes here"),
                refused("limits:\n  conections: 5", "f:2: limits.conections is unknown; there are attachments-per"),
                refused("limits:\n  channels: many", "f:2: limits.channels is \"many\"; give it a whole number from 1"),
                refused("limits: {channels: 0}", "f:1: limits.channels is \"0\"; give it a whole number from 1 to"),
                refused("limits: {channels: 1.5}", "f:1: limits.channels is \"1.5\"; give it a whole number"),
                refused("limits: {channels: 99999999999999999999}", "f:1: limits.channels is \"99999999999999999999\""),
                refused("limits: {history-age: 5}", "f:1: limits.history-age is \"5\"; give it a time from 1s to 30d"),
                refused("limits: {history-age: 60d}", "f:1: limits.history-age is \"60d\"; give it a time from 1s"),
                refused(
                        "nodes: {name: a}",
                        "f:1: nodes does not say where the nodes meet; write redis: redis://host:port"),
                refused(
                        "nodes: {redis: 'redis://a', ttl: 5m}",
                        "f:1: nodes.ttl is \"5m\"; give it a time from 1s to 2m"),
                refused("nodes: {redis: 'redis://${NO}'}", "f:1: nodes.redis needs NO of the environment"),
                refused("limits: [1]", "f:1: limits is a list of 1; give it an object with any of"),
                refused("limits:\n", "f:1: limits is empty; give it an object"),
                refused("limits: {channels: 1}\nlimits: {}", "f:2: this line says \"limits\" twice; keep one"),
                refused("channels: {a: 1}", "f:1: channels is an object; give it a list of rules"),
                refused("channels:\n - fenced: true", "f:2: channels[1] names no channel; begin it with"),
                refused("channels:\n - channel: 'a*b'", "f:2: channels[1]: a rule is for the channel \"a*b\", which"),
                refused("channels: [{channel: a}, {channel: a}]", "f:1: channels: the channel \"a\" has two rules"),
                refused(
                        "channels: [{channel: a, fenced: maybe}]",
                        "f:1: channels[1].fenced is \"maybe\"; give it true"),
                refused("channels: [{channel: a, fenced: []}]", "f:1: channels[1].fenced names no slot; write fenced"),
                refused(
                        "channels: [{channel: a, fenced: [b]}]",
                        "f:1: channels[1]: the rule for the channel \"a\" is f"),
                refused(
                        "channels: [{channel: a, slots: {b: x}}]",
                        "f:1: channels[1].slots.b is \"x\"; give it a whole"),
                refused("channels: [{channel: a, slots: {b: 101}}]", "f:1: channels[1].slots.b is \"101\"; give it a"),
                refused("keys: []", "f:1: keys has 0 keys; give 1 to 1000, or leave keys out"),
                refused("keys: [{}]", "f:1: keys[1] has no key; write key"),
                refused("keys: [{key: [secret]}]", "f:1: keys[1].key is a list of 1; give it a key, written"),
                refused("keys: [{key: hush}]", "f:1: keys[1].key: an API key is not written appId.keyId:secret"),
                refused("keys: [{key: 'a.b:${NO}'}]", "f:1: keys[1].key needs NO of the environment, which is not set"),
                refused("keys: [{key: 'a.b:${EMPTY}'}]", "f:1: keys[1].key needs EMPTY of the environment"),
                refused(
                        "keys:\n - key: 'a.b:c'\n   capability: {x: [fly]}",
                        "f:3: keys[1].capability: the capability gives \"x\" the operation \"\"fly\"\", which is none"),
                refused("keys: [{key: 'a.b:c', capability: {}}]", "f:1: keys[1].capability: the capability is no obj"),
                refused("a: [hush", "f:1: this is no YAML; look for brackets"),
                refused("limits: &x {channels: 1}", "f:1: this line has an anchor, alias or tag of YAML"),
                refused("limits: !x {channels: 1}", "f:1: this line has an anchor, alias or tag of YAML"),
                refused("limits: {}\n---\nlimits: {}", "f:3: this line begins a second document"),
                refused("[".repeat(30) + "]".repeat(30), "f:1: this line is nested deeper than 8 levels"));
    }

    private static Arguments refused(String text, String sentence) {
        return Arguments.of(text, sentence);
    }

    @ParameterizedTest
    @MethodSource("refused")
    void what_cannot_be_meant_is_refused_with_line_and_remedy(String text, String sentence) {
        assertThatThrownBy(() -> HubSettingsFile.of("f", text, ENVIRONMENT))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith(sentence)
                .hasMessageNotContaining("hush")
                .hasMessageNotContaining("secret]");
    }

    @Test
    void what_does_not_fit_together_is_refused() throws Exception {
        var rule = HubSettingsFile.of("f", "channels: [{channel: a, max-claim-ttl: 6s}]", Map.of());
        assertThatThrownBy(() -> HubPlan.of(rule, List.of(), Duration.ofSeconds(5), Optional.empty()))
                .hasMessage(
                        "the settings do not fit together: maxClaimTtl (PT5S) must not be less than that of the rule"
                                + " for \"a\" (PT6S); raise the one or lower the other");
        var key = HubSettingsFile.of("f", "keys: [{key: 'a.b:c'}]", Map.of());
        assertThatThrownBy(() -> HubPlan.of(key, List.of(HubKey.of("x.y:z")), Duration.ofSeconds(5), Optional.empty()))
                .hasMessageContaining("are of two apps");
    }

    @Test
    void a_file_that_is_not_there_too_long_or_no_text_is_refused() throws Exception {
        Path file = folder.resolve("hub.yaml");
        assertThatThrownBy(() -> HubSettingsFile.read(file, Map.of()))
                .hasMessage(file + " cannot be read (NoSuchFile)");
        Files.write(file, new byte[] {(byte) 0xc3, 0x28});
        assertThatThrownBy(() -> HubSettingsFile.read(file, Map.of()))
                .hasMessage(file + " is not UTF-8; save it as such");
        Files.writeString(file, "#".repeat(256 * 1024 + 1));
        assertThatThrownBy(() -> HubSettingsFile.read(file, Map.of())).hasMessageContaining("at most 262144 are read");
        Files.writeString(file, "limits: {channels: 3}");
        assertThat(HubSettingsFile.read(file, Map.of())).isNotNull();
    }

    private static String example() throws Exception {
        var found = Pattern.compile("<!-- example: settings -->\n```yaml\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(PAGE));
        assertThat(found.find()).isTrue();
        return found.group(1);
    }
}
