package dev.doyen.stores.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.fence.StaleTermException;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests SQLite and H2 in files, with processes that halt, settings that lose terms, and missing drivers. */
class EmbeddedTest {

    private static final String NO_OTHER_DRIVER = "h2-|sqlite-|postgresql-|mariadb-|mysql-";

    @TempDir
    Path directory;

    private String h2() {
        return "jdbc:h2:" + directory.resolve("h2") + ";USER=sa";
    }

    private String sqlite() {
        return "jdbc:sqlite:" + directory.resolve("sqlite.db");
    }

    @Test
    void confirmed_terms_survive_a_crash_of_the_process() throws Exception {
        for (String url : new String[] {h2(), sqlite()}) {
            // The process has only this database's driver on its class path. So the store must work without the classes
            // of PostgreSQL's driver, which it uses only for notifications.
            String driver = url.startsWith("jdbc:h2") ? "h2-" : "sqlite-";
            assertThat(run(WriteAndHalt.class, patient(url), NO_OTHER_DRIVER.replace(driver, "none-")))
                    .contains("wrote 20 terms");
            try (LeaseStore store = LeaseStore.open(patient(url))) {
                assertThat(store.promises().durableTerms()).isTrue();
                assertThat(store.promises().remarks()).isEmpty();
                assertThat(store.read("halted").record().orElseThrow().term()).isEqualTo(20);
            }
        }
    }

    @Test
    void admitted_terms_survive_a_crash_of_the_process() throws Exception {
        for (String url : new String[] {h2(), sqlite()}) {
            assertThat(run(AdmitAndHalt.class, url, "none-")).contains("admitted 20 terms");

            JdbcFence fence = JdbcFence.open(AdmitAndHalt.pool(url));
            assertThatThrownBy(() -> fence.admit("halted", 19)).as(url).isInstanceOf(StaleTermException.class);
        }
    }

    @Test
    void a_missing_driver_is_reported() throws Exception {
        assertThat(run(WriteAndHalt.class, sqlite(), NO_OTHER_DRIVER))
                .contains("there is no JDBC driver for jdbc:sqlite: on the class path; add org.xerial:sqlite-jdbc");
    }

    @Test
    void sqlite_with_volatile_settings_has_remarks() {
        LeaseStore.Promises off = promises(sqlite() + "?synchronous=OFF");
        assertThat(off.durableTerms()).isFalse();
        assertThat(off.remarks()).singleElement().asString().contains("synchronous is OFF", "set synchronous=EXTRA");
        assertThat(promises(sqlite() + "?synchronous=NORMAL").remarks())
                .singleElement()
                .asString()
                .contains("synchronous is NORMAL");
        assertThat(promises(sqlite() + "?journal_mode=DELETE&synchronous=FULL").remarks())
                .singleElement()
                .asString()
                .contains("journal_mode delete");
        assertThat(promises(sqlite() + "?journal_mode=DELETE").remarks()).isEmpty();
    }

    @Test
    void sqlite_in_memory_is_rejected() {
        for (String url : new String[] {"jdbc:sqlite::memory:", "jdbc:sqlite:", "jdbc:sqlite:file:x?mode=memory"}) {
            assertThatThrownBy(() -> LeaseStore.open(url))
                    .as(url)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("each connection has one of its own");
        }
    }

    @Test
    void h2_without_the_right_to_checkpoint_has_a_remark() throws Exception {
        String url = "jdbc:h2:" + directory.resolve("h2");
        JdbcLeaseStore.open(patient(url + ";USER=sa")).close();
        try (Connection admin = DriverManager.getConnection(url, "sa", "")) {
            Dialect.execute(admin, "CREATE USER plain PASSWORD 'geheim'");
            Dialect.execute(admin, "GRANT SELECT, INSERT, UPDATE ON doyen_lease TO plain");
        }
        LeaseStore.Promises promises = promises(url + ";USER=plain;PASSWORD=geheim");
        assertThat(promises.durableTerms()).isFalse();
        assertThat(promises.remarks()).singleElement().asString().contains("ADMIN", "WRITE_DELAY");
        assertThat(promises("jdbc:h2:mem:promises;USER=sa").durableTerms()).isFalse();
    }

    private static LeaseStore.Promises promises(String url) {
        try (LeaseStore store = LeaseStore.open(patient(url))) {
            return store.promises();
        }
    }

    /** Adds a long timeout to the URL, because a busy machine needs longer to open a database after a halt. */
    private static String patient(String url) {
        String separator = url.startsWith("jdbc:h2") ? ";" : url.contains("?") ? "&" : "?";
        return url + separator + "doyen.timeout-millis=30000";
    }

    /**
     * Runs a program in a process and returns the output. The class path lacks the files whose name starts with one of
     * the names in {@code without}.
     */
    private static String run(Class<?> program, String url, String without) throws Exception {
        String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> Arrays.stream(without.split("\\|"))
                        .noneMatch(
                                driver -> Path.of(path).getFileName().toString().startsWith(driver)))
                .collect(Collectors.joining(File.pathSeparator));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath,
                        program.getName(),
                        url,
                        "halted")
                .redirectErrorStream(true)
                .start();
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
