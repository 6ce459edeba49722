package dev.doyen.stores.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.testkit.ServerProcess;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the store names a missing right of a Redis user and the remedy. */
@Timeout(180)
class RedisRightsTest {

    private static final String REMEDY = "on the keys ~rights:* and the channel &rights:changes@0";

    @TempDir
    Path data;

    private ServerProcess server;

    @BeforeEach
    void start() throws Exception {
        RedisServers.assumeInstalled();
        server = RedisServers.start(data, RedisServers.FORGETFUL);
    }

    @AfterEach
    void end() {
        server.close();
    }

    @Test
    void a_user_with_the_named_rights_has_no_remark() {
        for (int database : List.of(0, 1)) {
            String url = url("app:secret@") + "?database=" + database;
            user("-@all resetkeys resetchannels " + RedisRefusal.commands(RedisSettings.of(url))
                    + " ~rights:* &rights:changes@" + database);
            try (LeaseStore store = LeaseStore.open(url)) {
                assertThat(store.missingRights()).isEmpty();
                assertThat(store.watch("orders", () -> {})).isPresent();
                assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, record()))
                        .isInstanceOf(CasOutcome.Written.class);
            }
        }
    }

    @Test
    void the_documentation_lists_the_same_rights() throws Exception {
        String page = Files.readString(Path.of("../../../docs/reference/store-redis.md"));
        String rights = RedisRefusal.commands(RedisSettings.of(url("")));
        assertThat(page).contains("`" + rights.replace("|", "\\|") + "`, and `+select` for a database above 0,");
    }

    @Test
    void a_user_that_may_only_read_has_a_remark_and_its_writes_are_rejected() {
        user("+@all -hset ~rights:* &*");
        try (LeaseStore store = open("app:secret@")) {
            assertThat(store.missingRights()).singleElement().asString().contains("may not write leases", REMEDY);
            assertThat(store.read("orders").record()).isEmpty();
            isRefused(store.compareAndSet("orders", LeaseVersion.ABSENT, record()));
        }
    }

    @Test
    void a_user_without_the_keys_of_the_leases_may_not_read() {
        user("+@all ~other:* &*");
        try (LeaseStore store = open("app:secret@")) {
            assertThat(store.missingRights()).singleElement().asString().contains("may not read leases", "NOPERM");
            assertThatThrownBy(() -> store.read("orders"))
                    .isInstanceOf(StoreRefusedException.class)
                    .hasMessageContaining("NOPERM")
                    .hasMessageContaining(REMEDY);
            assertThatThrownBy(() -> store.readAll(List.of("orders", "bills")))
                    .isInstanceOf(StoreRefusedException.class);
            isRefused(store.compareAndSet("orders", LeaseVersion.ABSENT, record()));
        }
    }

    @Test
    void a_right_that_is_revoked_later_is_named() {
        user("+@all ~rights:* &*");
        try (LeaseStore store = open("app:secret@")) {
            user("-hmget");
            assertThatThrownBy(() -> store.read("orders"))
                    .isInstanceOf(StoreRefusedException.class)
                    .hasMessageContaining("NOPERM");
        }
    }

    @Test
    void a_write_that_cannot_be_published_counts_as_written() {
        user("+@all ~rights:* &*");
        try (LeaseStore store = open("app:secret@")) {
            user("-publish");
            assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, record()))
                    .isInstanceOf(CasOutcome.Written.class);
            user("+publish resetchannels");
            assertThat(store.compareAndSet("orders", store.read("orders").version(), record()))
                    .isInstanceOf(CasOutcome.Written.class);
        }
    }

    @Test
    void a_missing_password_is_named() {
        user("+@all ~* &*");
        command("ACL", "SETUSER", "default", "off");
        assertThatThrownBy(() -> open(""))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("NOAUTH")
                .hasMessageEndingWith("; check the user and the password in the URL");
    }

    private LeaseStore open(String login) {
        return LeaseStore.open(url(login));
    }

    private String url(String login) {
        return "redis://" + login + "127.0.0.1:" + server.port() + "/rights";
    }

    /** Creates or changes the user {@code app} with these rules. */
    private void user(String rules) {
        String[] words = ("ACL SETUSER app on >secret " + rules).split(" ");
        command(words);
    }

    private void command(String... words) {
        RedisClient client = RedisClient.create("redis://127.0.0.1:" + server.port());
        try (var connection = client.connect()) {
            var arguments = new CommandArgs<>(StringCodec.UTF8);
            for (int i = 1; i < words.length; i++) {
                arguments.add(words[i]);
            }
            ProtocolKeyword name = new ProtocolKeyword() {
                @Override
                public byte[] getBytes() {
                    return words[0].getBytes(StandardCharsets.US_ASCII);
                }

                @Override
                public String toString() {
                    return words[0];
                }
            };
            assertThat(connection.sync().dispatch(name, new StatusOutput<>(StringCodec.UTF8), arguments))
                    .isEqualTo("OK");
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(10));
        }
    }

    private static void isRefused(CasOutcome outcome) {
        assertThat(outcome).isInstanceOfSatisfying(CasOutcome.Unknown.class, unknown -> {
            assertThat(unknown.refused()).isTrue();
            assertThat(unknown.reason()).contains(REMEDY);
        });
    }

    private static LeaseRecord record() {
        return LeaseRecord.unheld("orders", 1, "nonce", Duration.ofSeconds(10), Instant.EPOCH);
    }
}
