package dev.doyen.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a {@code doyen hub} process replaces its keys at SIGHUP and continues. */
@Timeout(300)
class HubReloadProcessTest {

    private static final String KEPT = "app.kept:a-secret-of-the-test";
    private static final String REMOVED = "app.removed:another-secret-of-the-test";
    private static final String ADDED = "app.added:a-new-secret-of-the-test";

    @TempDir
    Path folder;

    @Test
    void sighup_replaces_the_keys_and_ends_only_the_connections_of_removed_keys() throws Exception {
        try (var hub = RunningHub.start(folder, keys(KEPT, REMOVED));
                var kept = hub.connect(KEPT);
                var removed = hub.connect(REMOVED)) {
            assertThat(kept.read().text()).contains("\"action\":4");
            assertThat(removed.read().text()).contains("\"action\":4");

            hub.reload(keys(KEPT, ADDED));
            hub.awaitLog("reloaded " + folder.resolve("hub.yaml"));

            assertThat(removed.read().text())
                    .as("the last frame of a removed key")
                    .contains("40131");
            try (var added = hub.connect(ADDED);
                    var late = hub.connect(REMOVED)) {
                assertThat(added.read().text()).contains("\"action\":4");
                assertThat(late.read().text())
                        .as("a new connection with the removed key")
                        .contains("\"action\":9");
            }
            kept.send("{\"action\":0,\"id\":\"still here\"}");
            assertThat(kept.read().text()).contains("still here");
        }
    }

    private static String keys(String first, String second) {
        return "keys: [{key: \"" + first + "\"}, {key: \"" + second + "\"}]\n";
    }
}
