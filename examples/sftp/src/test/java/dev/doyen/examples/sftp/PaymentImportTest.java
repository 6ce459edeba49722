package dev.doyen.examples.sftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.fence.StaleTermException;
import dev.doyen.jvms.JvmProcess;
import dev.doyen.jvms.Patience;
import java.io.IOException;
import java.net.URI;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.apache.sshd.server.session.ServerSession;
import org.apache.sshd.sftp.common.SftpException;
import org.apache.sshd.sftp.server.SftpEventListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the program with a real SFTP server and a real PostgreSQL, which all tests share. */
@Timeout(900)
class PaymentImportTest {

    private static final long SEED = 7;
    private static final int KILLS = Integer.getInteger("kills", 4);
    private static final int ROWS = 30_000;
    private static final long LATER = 5;
    private static final String TTL = "PT1S";
    private static final String LEADS = "leads in term ";
    private static final Patience PATIENCE = new Patience(Duration.ofMinutes(3));
    private static final List<String> IDS = List.of("a", "b", "c");

    @AutoClose
    private static Sandbox sandbox;

    private static DataSource database;

    @AutoClose
    private static Connection connection;

    private final Random random = new Random(SEED);
    private final Map<Long, JvmProcess> leaders = new ConcurrentHashMap<>();
    private final Map<String, JvmProcess> nodes = new HashMap<>();
    private long lastTerm;

    @BeforeAll
    static void open() throws Exception {
        sandbox = new Sandbox();
        database = Database.open(sandbox.databaseUrl(), Duration.ofSeconds(10));
        connection = database.getConnection();
        // This creates the table of the fence, which each test empties.
        new Batches(database).close();
    }

    @Test
    void a_replaced_leader_distributes_no_rows() throws Exception {
        var batch = new Batch("stale.csv", 1, List.of("a,1"));
        var next = new Position("stale.csv", 2, 4);
        try (var batches = new Batches(database)) {
            batches.finish(new Position("early.csv", 1, 0), LATER);
            assertThatThrownBy(() -> batches.handOut(batch, next, LATER - 1)).isInstanceOf(StaleTermException.class);
            assertThatThrownBy(() -> batches.finish(next, LATER - 1)).isInstanceOf(StaleTermException.class);
            assertThat(batches.open("stale.csv")).isZero();
            assertThat(batches.isFinished("stale.csv")).isFalse();
            assertThat(batches.isFinished("early.csv")).isTrue();
        }
    }

    @Test
    void distributed_rows_are_unchanged_and_contain_the_next_position() throws Exception {
        var shorter = new Batch("again.csv", 1, List.of("a,1"));
        var longer = new Batch("again.csv", 1, List.of("a,1", "a,10"));
        var afterShorter = new Position("again.csv", 2, 4);
        try (var batches = new Batches(database);
                var clerk = new Clerk(database, "clerk")) {
            assertThat(batches.handOut(shorter, afterShorter, 1)).isEqualTo(afterShorter);
            assertThat(batches.handOut(longer, new Position("again.csv", 3, 9), 1))
                    .as("a leader with larger batches does not change the rows")
                    .isEqualTo(afterShorter);
            assertThat(clerk.bookOne()).isTrue();
            assertThat(clerk.bookOne()).as("the second row was not distributed").isFalse();
            assertThat(batches.handOut(shorter, afterShorter, 2)).isEqualTo(afterShorter);
            assertThat(clerk.bookOne()).as("the row is already booked").isFalse();
            assertThat(balances()).isEqualTo(Map.of("a", 1L));
        }
    }

    @Test
    void a_row_that_cannot_be_booked_is_stored_and_does_not_block_others() throws Exception {
        var batch = new Batch("bad.csv", 1, List.of("a,5", "a;5", "b,lots"));
        try (var batches = new Batches(database);
                var clerk = new Clerk(database, "clerk")) {
            batches.handOut(batch, new Position("bad.csv", 4, 15), 1);
            assertThat(clerk.bookOne()).isTrue();
            assertThat(balances()).isEqualTo(Map.of("a", 5L));
            assertThat(number("SELECT count(*) FROM payment WHERE fault IS NOT NULL"))
                    .isEqualTo(2);
        }
    }

    /** Another leader creates the folder of done files and moves the file just before the server does the same. */
    @Test
    void a_file_that_another_leader_moves_at_the_same_time_is_done() throws Exception {
        Path folder = Files.createDirectories(sandbox.folder().resolveSibling("raced"));
        Files.writeString(folder.resolve("payments.csv"), "a,1\n");
        sandbox.onChange(new SftpEventListener() {
            @Override
            public void creating(ServerSession session, Path path, Map<String, ?> attributes) throws IOException {
                if (path.endsWith("raced/done")) {
                    Files.createDirectory(path);
                }
            }

            @Override
            public void moving(ServerSession session, Path from, Path to, Collection<CopyOption> options)
                    throws IOException {
                if (from.endsWith("raced/payments.csv")) {
                    Files.move(from, to);
                }
            }
        });
        try (SftpFolder former = sftpFolder("/raced")) {
            former.moveToDone("payments.csv");
            former.moveToDone("payments.csv");
        }
        assertThat(folder.resolve("done/payments.csv")).hasContent("a,1");
    }

    @Test
    void a_file_that_cannot_be_moved_is_an_error() throws Exception {
        Path folder = Files.createDirectories(sandbox.folder().resolveSibling("taken/done"));
        Files.writeString(folder.resolve("payments.csv"), "a,1\n");
        Files.writeString(folder.resolveSibling("payments.csv"), "a,2\n");
        try (SftpFolder taken = sftpFolder("/taken")) {
            assertThatThrownBy(() -> taken.moveToDone("payments.csv")).isInstanceOf(SftpException.class);
        }
    }

    private static SftpFolder sftpFolder(String path) throws IOException {
        List<String> options = sandbox.options();
        URI address = URI.create(options.get(options.indexOf("--sftp") + 1)).resolve(path);
        return SftpFolder.open(address, options.get(options.indexOf("--host-key") + 1), Sandbox.PASSWORD);
    }

    /** Kills leaders and sometimes another process, and suspends one leader. A seed determines the times. */
    @Test
    void each_row_is_booked_once_after_any_kill() throws Exception {
        sandbox.upload("payments.csv", ROWS);
        try {
            for (String id : IDS) {
                start(id);
            }
            for (int kill = 0; kill < KILLS; kill++) {
                String leader = leaderAtWork().id();
                nodes.get(leader).close();
                if (kill % 5 == 0) {
                    String clerk = IDS.get((IDS.indexOf(leader) + 1) % IDS.size());
                    nodes.get(clerk).close();
                    start(clerk);
                }
                start(leader);
            }
            JvmProcess frozen = leaderAtWork();
            frozen.stop();
            leaderAtWork();
            frozen.goOn();
            PATIENCE.await(
                    "the file is in the folder done",
                    () -> Files.exists(sandbox.folder().resolve("done/payments.csv")));
        } finally {
            for (JvmProcess node : nodes.values()) {
                node.close();
            }
        }
        assertThat(number("SELECT count(DISTINCT term) FROM import_batch"))
                .as("terms in which rows were distributed")
                .isGreaterThan(KILLS);
        assertThat(termsInOrder()).as("the terms of the batches never decrease").isSorted();
        assertThat(number("SELECT count(*) FROM payment")).isEqualTo(ROWS);
        assertThat(number("SELECT count(DISTINCT booked_by) FROM payment"))
                .as("each process has booked rows")
                .isEqualTo(IDS.size());
        Map<String, Long> balances = new HashMap<>();
        for (long row = 1; row <= ROWS; row++) {
            balances.merge(Sandbox.account(row), Sandbox.cents(row), Long::sum);
        }
        assertThat(balances()).isEqualTo(balances);
    }

    private void start(String id) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--id", id, "--ttl", TTL));
        arguments.addAll(sandbox.options());
        var builder = JvmProcess.builder(PaymentImport.class, arguments).redirectError(JvmProcess.to("nodes.log"));
        builder.environment().put("SFTP_PASSWORD", Sandbox.PASSWORD);
        var node = new JvmProcess(id, builder.start());
        nodes.put(id, node);
        node.onLine(line -> {
            if (line.startsWith(LEADS)) {
                leaders.put(Long.parseLong(line.substring(LEADS.length())), node);
            }
        });
    }

    /** Waits for a new leader and for some of its first batches, and then returns the leader. */
    private JvmProcess leaderAtWork() throws Exception {
        String its = " FROM import_batch WHERE term > " + lastTerm;
        int batches = 1 + random.nextInt(6);
        PATIENCE.await("another leader has distributed batches", () -> number("SELECT count(*)" + its) >= batches);
        LockSupport.parkNanos(random.nextInt(5_000_000));
        PATIENCE.await("the new leader has reported its term", () -> {
            lastTerm = number("SELECT max(term) FROM import_batch");
            return nodes.containsValue(leaders.get(lastTerm));
        });
        return leaders.get(lastTerm);
    }

    private static List<Long> termsInOrder() throws SQLException {
        List<Long> terms = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT term FROM import_batch ORDER BY handed")) {
            while (rows.next()) {
                terms.add(rows.getLong(1));
            }
        }
        return terms;
    }

    private static Map<String, Long> balances() throws SQLException {
        Map<String, Long> balances = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT account, cents FROM balance")) {
            while (rows.next()) {
                balances.put(rows.getString(1), rows.getLong(2));
            }
        }
        return balances;
    }

    @AfterEach
    void deleteAllRows() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("TRUNCATE import_batch, import_file, payment, balance, doyen_fence");
        }
    }

    private static long number(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
