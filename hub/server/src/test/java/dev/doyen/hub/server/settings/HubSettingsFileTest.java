package dev.doyen.hub.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.elector.http.AddressLimits;
import dev.doyen.hub.auth.HubKey;
import dev.doyen.hub.auth.Operation;
import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.settings.Quotas;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which settings are valid or rejected, and that the reference page matches the code. */
class HubSettingsFileTest {

    private static final Path PAGE = Path.of("..", "..", "docs", "reference", "hub-settings.md");
    private static final Map<String, String> ENVIRONMENT =
            Map.of("SHOP_SERVER_SECRET", "s3cret-one", "SHOP_PAGES_SECRET", "s3cret-two", "EMPTY", "");

    @TempDir
    private Path folder;

    @Test
    void the_example_of_the_page_is_read_and_applied() throws Exception {
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
    void token_issuers_have_a_name_a_key_set_and_a_capability() throws SettingsException {
        var file = HubSettingsFile.of("f", """
                token-issuers:
                  - name: login
                    jwks: https://login.example.com/jwks.json
                    issuer: https://login.example.com
                    audience: hub
                    capability: {"orders:*": [subscribe]}
                  - {name: jobs, jwks: jwks.json, issuer: jobs, capability: {"*": ["*"]}}
                """, Map.of());
        assertThat(file.issuers()).hasSize(2);
        assertThat(file.issuers().get(0).issuer().audience()).isEqualTo("hub");
        assertThat(HubPlan.of(file, List.of(), Duration.ofSeconds(5), Optional.empty())
                        .text())
                .contains("""
                        token-issuers:
                          - name: login
                            jwks: "https://login.example.com/jwks.json"
                            issuer: "https://login.example.com"
                            audience: "hub"
                            capability: {"orders:*":["subscribe"]}
                          - name: jobs
                            jwks: "jwks.json"
                            issuer: "jobs"
                            capability: {"*":["*"]}
                        """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{jwks: x, capability: {a: [lead]}}|has no name; a token issuer needs name, jwks and capability",
                "{name: a, capability: {a: [lead]}}|has no jwks",
                "{name: a, jwks: x}|has no capability",
                "{name: a.b, jwks: x, capability: {a: [lead]}}|1 to 40 letters",
                "{name: a, jwks: 'http://login/x', capability: {a: [lead]}}|begins with https://HOST",
                "{name: a, jwks: 'https://u:p@login/x', capability: {a: [lead]}}|begins with https://HOST",
                "{name: a, jwks: x, capability: {a: [lead]}}, {name: a, jwks: x, issuer: b, capability: {a: [lead]}}"
                        + "|needs its own issuer",
                "{name: a, jwks: x, issuer: b, capability: {a: [lead]}}, {name: c, jwks: x, issuer: b, capability: {a: [lead]}}"
                        + "|needs its own issuer",
                "{name: a, jwks: x, issuer: b, capability: {a: [lead]}}, {name: a, jwks: x, issuer: c, capability: {a: [lead]}}"
                        + "|has the name of another token issuer",
            })
    void incomplete_token_issuers_are_rejected(String issuers, String reason) {
        assertThatThrownBy(() -> HubSettingsFile.of("f", "token-issuers: [" + issuers + "]", Map.of()))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void the_printed_settings_are_an_equal_file_without_secrets() throws Exception {
        var file = HubSettingsFile.of("hub.yaml", example(), ENVIRONMENT);
        var plan = HubPlan.of(file, List.of(), Duration.ofSeconds(5), Optional.empty());
        assertThat(plan.text()).doesNotContain("s3cret").contains("shop.server:...");
        var again = HubPlan.of(
                HubSettingsFile.of("again", plan.text(), Map.of()), List.of(), Duration.ofSeconds(5), Optional.empty());
        assertThat(again.settings()).isEqualTo(plan.settings());
    }

    @Test
    void a_rule_whose_messages_need_no_fence_is_read_and_printed() throws Exception {
        var file = HubSettingsFile.of("f", "channels: [{channel: a, fenced: holder}]", Map.of());
        var plan = HubPlan.of(file, List.of(), Duration.ofSeconds(5), Optional.empty());
        assertThat(plan.settings().channelRules().of("a"))
                .isEqualTo(ChannelRule.of("a").fencedByHolder());
        assertThat(plan.text()).contains("fenced: holder");
    }

    @Test
    void the_leases_of_several_nodes_outlive_the_claims() throws Exception {
        var seconds = Duration.ofSeconds(6);
        var single = HubPlan.of(HubSettingsFile.NONE, List.of(), seconds, Optional.empty());
        var nodes = HubPlan.of(HubSettingsFile.NONE, List.of(), seconds, Optional.of("redis://host:1"));

        assertThat(single.leaseTtl(seconds)).isEqualTo(seconds);
        assertThat(nodes.leaseTtl(seconds)).isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void nodes_are_printed_without_the_password() throws Exception {
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
    void invalid_nodes_are_rejected_and_their_url_is_not_printed() throws Exception {
        for (String nodes :
                List.of("{redis: 'http://a:secret@b'}", "{redis: 'redis://'}", "{redis: 'redis://:secret@'}")) {
            var file = HubSettingsFile.of("f", "nodes: " + nodes, Map.of());
            assertThatThrownBy(() -> HubPlan.of(file, List.of(), Duration.ofSeconds(5), Optional.empty()))
                    .hasMessageContaining("write it like redis://HOST:PORT")
                    .hasMessageNotContaining("secret");
        }
    }

    @Test
    void the_tables_of_limits_equal_the_limits_of_the_program() throws Exception {
        var rows = Pattern.compile("(?m)^\\| `([a-z-]+)` \\| ([0-9a-z]+) \\| [^|]+ \\|$")
                .matcher(Files.readString(PAGE))
                .results()
                .map(row -> row.group(1) + " " + row.group(2))
                .toList();
        var own = new ArrayList<String>();
        HubLimits.shown(HubSettings.defaults()).forEach((name, value) -> own.add(name + " " + value));
        own.add("connections-per-address " + AddressLimits.DEFAULT.connections());
        own.add("streams-per-address " + AddressLimits.DEFAULT.streams());
        assertThat(rows).containsExactlyElementsOf(own);
    }

    @Test
    void the_table_of_quotas_equals_the_quotas_of_the_program() throws Exception {
        var rows = Pattern.compile("(?m)^\\| `([a-z-]+)` \\| ([0-9]+) \\| ([0-9]+) \\| ([0-9]+) \\|")
                .matcher(Files.readString(PAGE))
                .results()
                .map(row -> row.group(1) + " " + row.group(2) + " " + row.group(3) + " " + row.group(4))
                .toList();
        var shown = HubQuotas.shown(HubSettings.defaults());
        var own = shown.get("key").keySet().stream()
                .map(limit -> limit + " " + shown.get("key").get(limit) + " "
                        + shown.get("client").get(limit) + " "
                        + shown.get("address").get(limit))
                .toList();
        assertThat(rows).containsExactlyElementsOf(own);
    }

    @Test
    void quotas_are_read_and_printed() throws Exception {
        var file = HubSettingsFile.of(
                "f", "quotas:\n  client: {claims: 5, presence-bytes: 7}\n  address: {connections: 6}", Map.of());
        var plan = HubPlan.of(file, List.of(), Duration.ofSeconds(5), Optional.empty());
        assertThat(plan.settings().quotas())
                .isEqualTo(Quotas.DEFAULT
                        .withClient(Quotas.DEFAULT.client().withClaims(5).withPresenceBytes(7))
                        .withAddress(Quotas.DEFAULT.address().withConnections(6)));
        assertThat(plan.text()).contains("  address: {connections: 6, channels: 4000, claims: 2000");
        assertThatThrownBy(() -> HubSettingsFile.of("f", "quotas: {client: {claims: 0}}", Map.of()))
                .hasMessage("f:1: quotas.client.claims is \"0\"; give it a whole number from 1 to 1000000");
        assertThatThrownBy(() -> HubSettingsFile.of("f", "quotas: {token: {claims: 1}}", Map.of()))
                .hasMessage("f:1: quotas.token is unknown; there are address, client, key here");
    }

    @Test
    void the_limits_of_an_address_are_read_and_printed() throws Exception {
        var file = HubSettingsFile.of("f", "http: {connections-per-address: 7}", Map.of());
        var plan = HubPlan.of(file, List.of(), Duration.ofSeconds(5), Optional.empty());
        assertThat(plan.perAddress()).isEqualTo(new AddressLimits(7, AddressLimits.DEFAULT.streams()));
        assertThat(plan.text()).contains("http:\n  connections-per-address: 7\n  streams-per-address: 100\n");
    }

    @Test
    void trusted_proxies_are_read_and_printed() throws Exception {
        var file = HubSettingsFile.of(
                "f", "trusted-proxies: [127.0.0.1, '::1', 10.0.0.0/8]\nproxy-protocol: true", Map.of());
        var plan = HubPlan.of(file, List.of(), Duration.ofSeconds(5), Optional.empty());
        assertThat(plan.proxies().addresses()).containsExactly("127.0.0.1", "::1", "10.0.0.0/8");
        assertThat(plan.proxies().usesProxyProtocol()).isTrue();
        assertThat(plan.proxies().trusts(InetAddress.getByName("10.1.2.3"))).isTrue();
        assertThat(plan.proxies().trusts(InetAddress.getByName("11.1.2.3"))).isFalse();
        assertThat(plan.text())
                .contains("trusted-proxies: [\"127.0.0.1\", \"::1\", \"10.0.0.0/8\"]\nproxy-protocol: true\n");
    }

    @Test
    void the_age_of_saved_state_is_read_and_printed() throws Exception {
        var file = HubSettingsFile.of("f", "saved-state-age: 7d", Map.of());
        var plan = HubPlan.of(file, List.of(), Duration.ofSeconds(5), Optional.empty());
        assertThat(plan.savedStateAge()).isEqualTo(Duration.ofDays(7));
        assertThat(plan.text()).contains("saved-state-age: 7d\n");
        assertThat(HubSettingsFile.NONE.savedStateAge())
                .isEqualTo(HubSettingsFile.of("f", "", Map.of()).savedStateAge())
                .isEqualTo(Duration.ofDays(30));
    }

    @Test
    void json_and_empty_files_are_accepted() throws Exception {
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
                refused(
                        "chanels: []",
                        "f:1: chanels is unknown; there are channels, http, keys, limits, nodes, proxy-protocol,"),
                refused("limits:\n  conections: 5", "f:2: limits.conections is unknown; there are attachments-per"),
                refused("limits:\n  channels: many", "f:2: limits.channels is \"many\"; give it a whole number from 1"),
                refused("limits: {channels: 0}", "f:1: limits.channels is \"0\"; give it a whole number from 1 to"),
                refused("limits: {channels: 1.5}", "f:1: limits.channels is \"1.5\"; give it a whole number"),
                refused("limits: {channels: 99999999999999999999}", "f:1: limits.channels is \"99999999999999999999\""),
                refused("limits: {history-age: 5}", "f:1: limits.history-age is \"5\"; give it a time from 1s to 30d"),
                refused("limits: {history-age: 60d}", "f:1: limits.history-age is \"60d\"; give it a time from 1s"),
                refused("nodes: {name: a}", "f:1: nodes has no address of Redis; write redis: redis://host:port"),
                refused(
                        "nodes: {redis: 'redis://a', ttl: 5m}",
                        "f:1: nodes.ttl is \"5m\"; give it a time from 1s to 2m"),
                refused("nodes: {redis: 'redis://${NO}'}", "f:1: nodes.redis needs NO of the environment"),
                refused("limits: [1]", "f:1: limits is a list of 1; give it an object with any of"),
                refused("limits:\n", "f:1: limits is empty; give it an object"),
                refused("limits: {channels: 1}\nlimits: {}", "f:2: this line contains \"limits\" twice; keep one"),
                refused("channels: {a: 1}", "f:1: channels is an object; give it a list of rules"),
                refused("channels:\n - fenced: true", "f:2: channels[1] names no channel; begin it with"),
                refused("channels:\n - channel: 'a*b'", "f:2: channels[1]: a rule is for the channel \"a*b\", which"),
                refused("channels: [{channel: a}, {channel: a}]", "f:1: channels: the channel \"a\" has two rules"),
                refused(
                        "channels: [{channel: a, fenced: maybe}]",
                        "f:1: channels[1].fenced is \"maybe\"; give it true, false, holder or a list of slots"),
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
                        "f:3: keys[1].capability: the capability gives \"x\" the operation \"\"fly\"\", which is unknown"),
                refused(
                        "keys: [{key: 'a.b:c', capability: {}}]",
                        "f:1: keys[1].capability: the capability is not an obj"),
                refused("trusted-proxies: 127.0.0.1", "f:1: trusted-proxies is \"127.0.0.1\"; give it a list of"),
                refused(
                        "trusted-proxies: [proxy]",
                        "f:1: trusted-proxies: \"proxy\" is not an IP address or network; write"),
                refused("proxy-protocol: true", "f:1: proxy-protocol: the PROXY protocol needs trusted-proxies"),
                refused("proxy-protocol: maybe", "f:1: proxy-protocol is \"maybe\"; give it true"),
                refused("saved-state-age: 59m", "f:1: saved-state-age is \"59m\"; give it a time from 1h to 3650d"),
                refused("saved-state-age: 3651d", "f:1: saved-state-age is \"3651d\"; give it a time from 1h to"),
                refused("a: [hush", "f:1: this is not YAML; check brackets"),
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
    void invalid_settings_are_rejected_with_line_and_remedy(String text, String sentence) {
        assertThatThrownBy(() -> HubSettingsFile.of("f", text, ENVIRONMENT))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith(sentence)
                .hasMessageNotContaining("hush")
                .hasMessageNotContaining("secret]");
    }

    @Test
    void inconsistent_settings_are_rejected() throws Exception {
        var rule = HubSettingsFile.of("f", "channels: [{channel: a, max-claim-ttl: 6s}]", Map.of());
        assertThatThrownBy(() -> HubPlan.of(rule, List.of(), Duration.ofSeconds(5), Optional.empty()))
                .hasMessage(
                        "the settings do not fit together: maxClaimTtl (PT5S) must not be less than that of the rule"
                                + " for \"a\" (PT6S); raise the one or lower the other");
        var key = HubSettingsFile.of("f", "keys: [{key: 'a.b:c'}]", Map.of());
        assertThatThrownBy(() -> HubPlan.of(key, List.of(HubKey.of("x.y:z")), Duration.ofSeconds(5), Optional.empty()))
                .hasMessageContaining("belong to two apps");
    }

    @Test
    void a_missing_long_or_binary_file_is_rejected() throws Exception {
        Path file = folder.resolve("hub.yaml");
        assertThatThrownBy(() -> HubSettingsFile.read(file, Map.of()))
                .hasMessage(file + " cannot be read (NoSuchFile)");
        Files.write(file, new byte[] {(byte) 0xc3, 0x28});
        assertThatThrownBy(() -> HubSettingsFile.read(file, Map.of()))
                .hasMessage(file + " is not UTF-8; save it as UTF-8");
        Files.writeString(file, "#".repeat(256 * 1024 + 1));
        assertThatThrownBy(() -> HubSettingsFile.read(file, Map.of()))
                .hasMessageContaining("at most 262144 are allowed");
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
