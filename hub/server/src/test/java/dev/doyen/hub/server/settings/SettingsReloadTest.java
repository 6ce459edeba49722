package dev.doyen.hub.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.elector.reload.RepeatedTask;
import dev.doyen.hub.auth.HubKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a changed settings file is read again, and which changes are applied. */
final class SettingsReloadTest {

    private static final Duration SOON = Duration.ofMillis(1);
    /** The time between checks if the test itself requests the checks. */
    private static final Duration NEVER = Duration.ofDays(1);

    @TempDir
    private Path folder;

    private final Lines lines = new Lines();
    private final BlockingQueue<HubKeys> changes = new LinkedBlockingQueue<>();
    private Path file;

    @BeforeEach
    void write() throws Exception {
        file = folder.resolve("hub.yaml");
        Files.writeString(file, "keys: [{key: 'a.one:s1'}]\nlimits: {connections: 5}\n");
        lines.open();
    }

    @AfterEach
    void close() {
        lines.close();
    }

    private SettingsReload open() throws SettingsException {
        return SettingsReload.open(
                file,
                Map.of("TWO", "hush"),
                content -> HubPlan.of(content, List.of(), Duration.ofSeconds(5), Optional.empty()));
    }

    private void replace(String text) throws Exception {
        // An editor replaces a file by a rename. So the hub never reads half a file.
        Path next = Files.writeString(folder.resolve("next"), text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void a_changed_file_is_found_without_a_signal() throws Exception {
        try (var reload = open()) {
            reload.start(SOON, changes::add);
            replace("keys: [{key: 'a.one:s1'}, {key: 'a.two:${TWO}'}]\nlimits:\n  connections: 5\n");

            assertThat(next(changes)).hasToString("HubKeys[a.one, a.two]");
            assertThat(lines.next()).isEqualTo("reloaded " + file + "; the keys are a.one, a.two");
        }
        assertThat(lines.all).as("no line about other sections is logged").isEmpty();
    }

    @Test
    void a_check_can_be_requested() throws Exception {
        try (var reload = open()) {
            reload.start(NEVER, changes::add);
            // The call of start causes a first check. That check may run before or after the next change.
            replace("keys: [{key: 'a.two:s2'}]\nlimits: {connections: 5}\n");
            reload.checkNow();

            assertThat(next(changes)).hasToString("HubKeys[a.two]");
            replace("keys: [{key: 'a.three:s2'}]\nlimits: {connections: 5}\n");
            reload.checkNow();
            assertThat(next(changes)).hasToString("HubKeys[a.three]");
        }
    }

    @Test
    void a_wrong_file_keeps_the_keys_and_logs_one_error() throws Exception {
        try (var reload = open()) {
            reload.start(SOON, changes::add);
            replace("keys:\n  - key: 'hush'\n");

            assertThat(lines.next())
                    .isEqualTo(
                            "reloading the keys failed and is tried again: hub.yaml:2: keys[1].key: an API key is not"
                                    + " written appId.keyId:secret; the program continues with the previous keys");
            replace("keys: []\n");
            assertThat(lines.next()).contains("keys has 0 keys").doesNotContain("hush");
            replace("limits: {connections: 5}\n");
            assertThat(lines.next())
                    .contains("a hub needs at least one API key", "the program continues with the previous keys");
            assertThat(changes).isEmpty();
            replace("keys: [{key: 'a.two:s2'}]\nlimits: {connections: 5}\n");
            assertThat(next(changes)).hasToString("HubKeys[a.two]");
            assertThat(lines.next()).startsWith("reloaded ");
        }
        assertThat(lines.all).isEmpty();
    }

    @Test
    void a_change_of_another_section_is_logged_and_not_applied() throws Exception {
        try (var reload = open()) {
            reload.start(SOON, changes::add);
            replace("http: {streams-per-address: 7}\nkeys: [{key: 'a.one:s1'}]\nlimits: {connections: 6}\n");

            assertThat(next(changes)).hasToString("HubKeys[a.one]");
            assertThat(lines.next()).startsWith("reloaded ");
            assertThat(lines.next())
                    .isEqualTo(file + ": only keys are reloaded; restart the hub to apply the changes of http, limits");
            assertThat(reload.plan().settings().maxConnections()).isEqualTo(5);
        }
    }

    @Test
    void a_wrong_file_at_the_start_is_an_error() throws Exception {
        replace("keys: 7\n");
        assertThatThrownBy(this::open)
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("hub.yaml:1: keys is ");
    }

    private static <T> T next(BlockingQueue<T> queue) throws Exception {
        T next = queue.poll(60, TimeUnit.SECONDS);
        assertThat(next).as("an element arrives within 60 s").isNotNull();
        return next;
    }

    /** The lines that the reload logs. */
    private static final class Lines extends Handler {
        private final List<Logger> loggers = List.of(
                Logger.getLogger(RepeatedTask.class.getName()), Logger.getLogger(SettingsReload.class.getName()));
        private final BlockingQueue<String> all = new LinkedBlockingQueue<>();

        void open() {
            loggers.forEach(logger -> logger.addHandler(this));
        }

        String next() throws Exception {
            return SettingsReloadTest.next(all);
        }

        @Override
        public void publish(LogRecord published) {
            all.add(published.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            loggers.forEach(logger -> logger.removeHandler(this));
        }
    }
}
