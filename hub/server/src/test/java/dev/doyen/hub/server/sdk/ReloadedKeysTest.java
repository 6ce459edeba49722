package dev.doyen.hub.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.server.HubServer;
import dev.doyen.hub.server.KeyedAdmins;
import dev.doyen.hub.server.RunningServer;
import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.hub.server.sdk.AblyClient.Wire;
import dev.doyen.hub.server.settings.HubPlan;
import dev.doyen.hub.server.settings.SettingsReload;
import dev.doyen.hub.settings.HubSettings;
import io.ably.lib.realtime.ConnectionState;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the reload of a running hub's keys with the official Java SDK. Removing a key affects only the connections and
 * admins that use this key.
 */
@Timeout(180)
final class ReloadedKeysTest {

    private static final String OLD = "app.old:old-secret";
    private static final String STABLE = "app.stable:stable-secret";
    private static final String NEW = "app.new:new-secret";

    @TempDir
    private Path folder;

    private HubServer start(KeyedAdmins admins) throws Exception {
        write(OLD, STABLE);
        var server = RunningServer.withHub(
                InetAddress.getLoopbackAddress(),
                HubSettings.defaults(),
                HubKeys.of(List.of(OLD, STABLE)),
                StrictClaims.withElection(RunningServer.CHANNEL));
        server.reloadKeys(
                SettingsReload.open(
                        folder.resolve("hub.yaml"),
                        Map.of(),
                        content -> HubPlan.of(content, List.of(), Duration.ofSeconds(5), Optional.empty())),
                admins);
        return server;
    }

    private void write(String... keys) throws Exception {
        var text = new StringBuilder("keys:\n");
        for (String key : keys) {
            text.append("  - key: ").append(key).append('\n');
        }
        Files.writeString(folder.resolve("hub.yaml"), text);
    }

    private static KeyedAdmins admins() {
        return new KeyedAdmins(HubKeys.of(List.of(OLD, STABLE)), HubSettings.defaults());
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void a_removed_key_fails_with_40131_and_other_connections_continue(Wire wire) throws Exception {
        try (var server = start(admins());
                var old = new AblyClient(server.hubAddress(), wire, "old", OLD).connected();
                var stable = new AblyClient(server.hubAddress(), wire, "stable", STABLE).connected()) {
            var room = stable.attached("room");
            write(STABLE, NEW);
            server.reload();

            var change = old.awaitState(ConnectionState.failed);
            assertThat(change.reason.code).isEqualTo(40131);
            assertThat(change.reason.message).contains("app.old").doesNotContain("old-secret");
            try (var added = new AblyClient(server.hubAddress(), wire, "added", NEW).connected()) {
                added.attached("room").publish("greeting", "from the new key");
            }
            assertThat(room.nextMessage().data).isEqualTo("from the new key");
            assertThat(stable.changes())
                    .as("changes after the first connection")
                    .isEmpty();
        }
    }

    @Test
    void admins_need_a_current_key_too() throws Exception {
        var admins = admins();
        try (var server = start(admins);
                var old = new AblyClient(server.hubAddress(), Wire.JSON, "old", OLD).connected()) {
            assertThat(accepts(admins, OLD)).isTrue();
            assertThat(accepts(admins, NEW)).isFalse();
            write(STABLE, NEW);
            server.reload();
            // The server replaces the keys of the admins before those of the hub.
            old.awaitState(ConnectionState.failed);

            assertThat(accepts(admins, OLD)).isFalse();
            assertThat(accepts(admins, NEW)).isTrue();
        }
    }

    private static boolean accepts(KeyedAdmins admins, String key) {
        String encoded = Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8));
        return admins.check("Basic " + encoded, "192.0.2.1", "room").refusal().isEmpty();
    }
}
