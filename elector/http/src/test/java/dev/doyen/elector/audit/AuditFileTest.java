package dev.doyen.elector.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.doyen.log.LineLimiter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the format, the limits and the file of the audit log. */
@Timeout(60)
class AuditFileTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    @Test
    void a_record_is_one_line_of_json_with_its_fields_in_order() {
        var entry = AuditRecord.of(AuditEvent.LOGIN_FAILED)
                .with("key", "app.id")
                .with("token", null)
                .with("client_id", "")
                .with("code", 40101)
                .with("message", "a \"quote\"\nand a line");

        assertThat(entry.json(Instant.parse("2026-11-27T08:00:00.5Z")))
                .isEqualTo("{\"time\":\"2026-11-27T08:00:00.500Z\",\"event\":\"login_failed\",\"key\":\"app.id\","
                        + "\"code\":40101,\"message\":\"a \\\"quote\\\"\\nand a line\"}");
    }

    @Test
    void a_long_value_is_cut() {
        var entry = AuditRecord.of(AuditEvent.LOGIN_FAILED).with("message", "x".repeat(10_000));

        assertThat(entry.fields().get("message").toString()).hasSize(AuditRecord.MAX_VALUE_LENGTH);
    }

    @Test
    void records_are_appended_to_a_file_that_only_its_owner_can_read() throws IOException {
        Path file = directory.resolve("audit.log");
        for (int run = 0; run < 2; run++) {
            try (var log = AuditFile.appendTo(file)) {
                log.write(AuditRecord.of(AuditEvent.ADMIN_COMMAND).with("command", "resign"));
            }
        }

        assertThat(lines(file))
                .extracting(line -> line.path("event").asText())
                .containsExactly("admin_command", "admin_command");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void a_file_in_a_missing_directory_cannot_be_opened() {
        assertThatThrownBy(() -> AuditFile.appendTo(directory.resolve("missing").resolve("audit.log")))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void a_renamed_file_is_created_again() throws Exception {
        Path file = directory.resolve("audit.log");
        Path renamed = directory.resolve("audit.log.1");
        try (var log = AuditFile.appendTo(file)) {
            Files.move(file, renamed);
            log.write(AuditRecord.of(AuditEvent.ADMIN_COMMAND).with("command", "resign"));
            await(() -> Files.exists(file));
            log.write(AuditRecord.of(AuditEvent.ADMIN_COMMAND).with("command", "pause"));
        }

        assertThat(lines(renamed))
                .extracting(line -> line.path("command").asText())
                .containsExactly("resign");
        assertThat(lines(file))
                .extracting(line -> line.path("command").asText())
                .containsExactly("pause");
    }

    @Test
    void while_the_new_file_cannot_be_opened_records_go_to_the_renamed_file() throws Exception {
        Path logs = Files.createDirectory(directory.resolve("logs"));
        Path file = logs.resolve("audit.log");
        Path renamed = directory.resolve("logs.1").resolve("audit.log");
        try (var log = AuditFile.appendTo(file)) {
            Files.move(logs, renamed.getParent());
            log.write(AuditRecord.of(AuditEvent.ADMIN_COMMAND).with("command", "resign"));
            await(() -> Files.size(renamed) > 0);
            long length = Files.size(renamed);
            log.write(AuditRecord.of(AuditEvent.ADMIN_COMMAND).with("command", "pause"));
            await(() -> Files.size(renamed) > length);
            Files.createDirectory(logs);
            log.write(AuditRecord.of(AuditEvent.ADMIN_COMMAND).with("command", "resume"));
            await(() -> Files.exists(file));
            log.write(AuditRecord.of(AuditEvent.ADMIN_COMMAND).with("command", "transfer"));
        }

        assertThat(lines(renamed))
                .extracting(line -> line.path("command").asText())
                .startsWith("resign", "pause");
        assertThat(lines(file))
                .extracting(line -> line.path("command").asText())
                .endsWith("transfer");
    }

    @Test
    void events_of_clients_are_limited_and_counted_and_admin_commands_are_not() throws IOException {
        var out = new ByteArrayOutputStream();
        int many = LineLimiter.AT_ONCE * 50;
        try (var log = AuditFile.to(out)) {
            for (int i = 0; i < many; i++) {
                log.write(AuditRecord.of(AuditEvent.LOGIN_FAILED));
                log.write(AuditRecord.of(AuditEvent.ADMIN_COMMAND));
            }
            log.write(AuditRecord.of(AuditEvent.QUOTA_EXCEEDED));
        }

        List<JsonNode> lines = new ArrayList<>();
        for (String line : out.toString(StandardCharsets.UTF_8).lines().toList()) {
            lines.add(JSON.readTree(line));
        }
        long failed = count(lines, "login_failed");
        assertThat(failed).isBetween((long) LineLimiter.AT_ONCE, (long) many - 1);
        assertThat(count(lines, "admin_command")).isEqualTo(many);
        assertThat(count(lines, "quota_exceeded")).isEqualTo(1);
        assertThat(lines.get(lines.size() - 1).path("message").asText())
                .startsWith((many - failed) + " lines were left out")
                .endsWith((many - failed) + " login_failed");
    }

    @Test
    void more_records_than_the_queue_holds_are_counted() {
        var out = new ByteArrayOutputStream();
        var goOn = new CountDownLatch(1);
        try (var log = AuditFile.to(new ByteArrayOutputStream() {
            @Override
            public synchronized void write(byte[] bytes, int from, int count) {
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                out.write(bytes, from, count);
            }
        })) {
            for (int i = 0; i < AuditFile.MAX_WAITING + 100; i++) {
                log.write(AuditRecord.of(AuditEvent.ADMIN_COMMAND));
            }
            goOn.countDown();
        }

        assertThat(out.toString(StandardCharsets.UTF_8))
                .containsPattern("[0-9]+ records were left out, because more than 10000 records waited");
    }

    /** Waits until the condition holds. The interrupt of the timeout ends the wait. */
    private static void await(Callable<Boolean> condition) throws Exception {
        while (!condition.call()) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the condition does not hold");
            }
            Thread.onSpinWait();
        }
    }

    private static long count(List<JsonNode> lines, String event) {
        return lines.stream()
                .filter(line -> line.path("event").asText().equals(event))
                .count();
    }

    private static List<JsonNode> lines(Path file) throws IOException {
        var lines = new ArrayList<JsonNode>();
        for (String line : Files.readAllLines(file)) {
            lines.add(JSON.readTree(line));
        }
        return lines;
    }
}
