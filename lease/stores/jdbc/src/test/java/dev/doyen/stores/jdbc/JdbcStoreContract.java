package dev.doyen.stores.jdbc;

import static dev.doyen.stores.jdbc.Leases.record;
import static dev.doyen.stores.jdbc.Leases.written;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseRecordText;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.testkit.LeaseStoreContract;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract tests of every store, with additional tests for stores on JDBC. */
abstract class JdbcStoreContract extends LeaseStoreContract {

    @RegisterExtension
    static final StoreLine LINE = new StoreLine();

    /** Settings with the longest timeout, so that a busy machine does not make the outcome of a write unknown. */
    static final JdbcSettings PATIENT = JdbcSettings.DEFAULT.withTimeout(Duration.ofMinutes(1));

    /** Opens the store of a URL with the timeout of {@link #PATIENT}. */
    static JdbcLeaseStore openPatiently(String url) {
        String mark = url.startsWith("jdbc:h2:") ? ";" : url.contains("?") ? "&" : "?";
        return JdbcLeaseStore.open(
                url + mark + "doyen.timeout-millis=" + PATIENT.timeout().toMillis());
    }

    /** Returns the database's name, for example "postgresql 18.6". */
    abstract String name();

    abstract JdbcLeaseStore openStore();

    /** Returns a connection that only the test uses. */
    abstract Connection connect() throws SQLException;

    @Override
    protected final LeaseStore open() {
        JdbcLeaseStore store = openStore();
        LINE.about(name(), store.promises());
        return store;
    }

    @Test
    void names_are_equal_only_with_equal_trailing_blanks() {
        String name = Leases.fresh();
        List<String> names = List.of(
                name,
                name + " ",
                name + "  ",
                name.toUpperCase(Locale.ROOT),
                name + "e",
                name + "\u00e9",
                name + "e\u0301",
                name + "ss",
                name + "\u00df",
                name + "%",
                name + "_",
                name + "'",
                name + "\\",
                name + "\uD83D\uDC51",
                name + "\uD83D\uDE00",
                "\uD83D\uDC51".repeat(100) + name + " ".repeat(10));
        try (LeaseStore store = open()) {
            for (int i = 0; i < names.size(); i++) {
                written(store.compareAndSet(names.get(i), LeaseVersion.ABSENT, record(names.get(i), i + 1)));
            }
            Map<String, VersionedLease> all = store.readAll(names);
            for (int i = 0; i < names.size(); i++) {
                assertThat(store.read(names.get(i)).record().orElseThrow().term())
                        .isEqualTo(i + 1);
                assertThat(all.get(names.get(i)).record().orElseThrow().term()).isEqualTo(i + 1);
            }
            List<LeaseStore.Write> again = names.stream()
                    .map(each -> new LeaseStore.Write(LeaseVersion.of(1), record(each, 100)))
                    .toList();
            assertThat(store.compareAndSetAll(again)).allMatch(CasOutcome.Written.class::isInstance);
        }
    }

    @Test
    void more_elections_than_a_statement_can_contain_are_written_and_read() {
        List<LeaseStore.Write> creations = new ArrayList<>();
        List<String> names = new ArrayList<>();
        String prefix = Leases.fresh();
        for (int i = 0; i < Chunks.MAX_WRITES * 2 + 1; i++) {
            names.add(prefix + "-" + i);
            creations.add(new LeaseStore.Write(LeaseVersion.ABSENT, record(names.get(i), i + 1)));
        }
        try (LeaseStore store = open()) {
            assertThat(store.compareAndSetAll(creations))
                    .hasSize(creations.size())
                    .allMatch(outcome -> outcome.equals(new CasOutcome.Written(LeaseVersion.of(1))));
            List<LeaseStore.Write> changes = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                changes.add(new LeaseStore.Write(LeaseVersion.of(1), record(names.get(i), i + 2)));
            }
            assertThat(store.compareAndSetAll(changes))
                    .allMatch(outcome -> outcome.equals(new CasOutcome.Written(LeaseVersion.of(2))));
            assertThat(store.compareAndSetAll(creations))
                    .hasSize(creations.size())
                    .allMatch(outcome -> outcome instanceof CasOutcome.Conflict conflict
                            && conflict.current().version().equals(LeaseVersion.of(2)));
            Map<String, VersionedLease> all = store.readAll(names);
            assertThat(all).hasSize(names.size());
            for (int i = 0; i < names.size(); i++) {
                assertThat(all.get(names.get(i)).record().orElseThrow().term()).isEqualTo(i + 2);
            }
        }
    }

    @Test
    void large_states_are_written_in_a_batch() {
        var bytes = new byte[SavedState.MAX_BYTES];
        List<LeaseStore.Write> writes = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            LeaseRecord small = record(Leases.fresh(), 1);
            writes.add(new LeaseStore.Write(
                    LeaseVersion.ABSENT,
                    new LeaseRecord(
                            small.election(),
                            small.holder(),
                            small.incarnation(),
                            1,
                            small.nonce(),
                            Duration.ofSeconds(10),
                            Instant.EPOCH,
                            Instant.EPOCH,
                            SavedState.of(bytes),
                            1)));
        }
        try (LeaseStore store = open()) {
            assertThat(store.compareAndSetAll(writes)).allMatch(CasOutcome.Written.class::isInstance);
            assertThat(store.read(writes.get(39).next().election()).record())
                    .contains(writes.get(39).next());
        }
    }

    @Test
    void a_batched_write_over_an_absent_record_is_rejected() {
        String absent = Leases.fresh();
        String there = Leases.fresh();
        try (LeaseStore store = open()) {
            List<CasOutcome> outcomes = store.compareAndSetAll(List.of(
                    new LeaseStore.Write(LeaseVersion.of(1), record(absent, 1)),
                    new LeaseStore.Write(LeaseVersion.ABSENT, record(there, 1))));
            assertThat(outcomes.get(0)).isEqualTo(new CasOutcome.Conflict(VersionedLease.ABSENT));
            assertThat(outcomes.get(1)).isInstanceOf(CasOutcome.Written.class);
            assertThat(store.read(absent)).isEqualTo(VersionedLease.ABSENT);
        }
    }

    @Test
    void two_batched_writes_of_one_election_are_sequential() {
        String name = Leases.fresh();
        try (LeaseStore store = open()) {
            List<CasOutcome> outcomes = store.compareAndSetAll(List.of(
                    new LeaseStore.Write(LeaseVersion.ABSENT, record(name, 1)),
                    new LeaseStore.Write(LeaseVersion.ABSENT, record(name, 2)),
                    new LeaseStore.Write(LeaseVersion.of(1), record(name, 3))));
            assertThat(outcomes.get(0)).isInstanceOf(CasOutcome.Written.class);
            assertThat(outcomes.get(1)).isInstanceOf(CasOutcome.Conflict.class);
            assertThat(outcomes.get(2)).isInstanceOf(CasOutcome.Written.class);
        }
    }

    @Test
    void exactly_one_of_two_concurrent_batches_wins_each_election() throws Exception {
        var threads = Executors.newFixedThreadPool(2);
        try (LeaseStore one = open();
                LeaseStore two = open()) {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                names.add(Leases.fresh());
            }
            List<String> backwards = new ArrayList<>(names);
            Collections.reverse(backwards);
            for (long revision = 0; revision < 5; revision++) {
                LeaseVersion expected = revision == 0 ? LeaseVersion.ABSENT : LeaseVersion.of(revision);
                long term = revision + 1;
                var start = new CyclicBarrier(2);
                Future<List<CasOutcome>> first = threads.submit(() -> {
                    start.await();
                    return one.compareAndSetAll(all(names, expected, term));
                });
                Future<List<CasOutcome>> second = threads.submit(() -> {
                    start.await();
                    return two.compareAndSetAll(all(backwards, expected, term));
                });
                List<CasOutcome> ofFirst = first.get(60, TimeUnit.SECONDS);
                List<CasOutcome> ofSecond = new ArrayList<>(second.get(60, TimeUnit.SECONDS));
                Collections.reverse(ofSecond);
                for (int i = 0; i < names.size(); i++) {
                    List<CasOutcome> both = List.of(ofFirst.get(i), ofSecond.get(i));
                    assertThat(both)
                            .as(both.toString())
                            .filteredOn(CasOutcome.Written.class::isInstance)
                            .hasSize(1);
                    assertThat(both)
                            .as(both.toString())
                            .filteredOn(CasOutcome.Conflict.class::isInstance)
                            .hasSize(1);
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void a_row_without_a_valid_record_is_a_fault_and_not_an_absent_lease() throws Exception {
        String name = Leases.fresh();
        try (LeaseStore store = open()) {
            LeaseVersion version = written(store.compareAndSet(name, LeaseVersion.ABSENT, record(name, 1)));
            overwrite(name, "doyen-lease 1\nelection: " + name + "\ncut off");
            assertThatThrownBy(() -> store.read(name)).isInstanceOf(StoreUnavailableException.class);
            assertThat(store.compareAndSet(name, LeaseVersion.ABSENT, record(name, 1)))
                    .isInstanceOf(CasOutcome.Unknown.class);
            assertThat(store.compareAndSetAll(List.of(new LeaseStore.Write(LeaseVersion.ABSENT, record(name, 1)))))
                    .allMatch(CasOutcome.Unknown.class::isInstance);
            // A write with the expected version replaces the unreadable record.
            written(store.compareAndSet(name, version, record(name, 2)));
        }
    }

    @Test
    void the_row_of_another_election_is_a_fault() throws Exception {
        String name = Leases.fresh();
        try (LeaseStore store = open()) {
            written(store.compareAndSet(name, LeaseVersion.ABSENT, record(name, 1)));
            overwrite(name, LeaseRecordText.write(record(name + "x", 1)));
            assertThatThrownBy(() -> store.read(name))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("it is the lease of \"" + name + "x\"");
        }
    }

    @Test
    void a_closed_store_reports_that_it_is_closed() {
        LeaseStore store = open();
        store.close();
        store.close();
        assertThatThrownBy(() -> store.read("any"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("the store is closed");
        assertThat(store.compareAndSet("any", LeaseVersion.ABSENT, record("any", 1)))
                .isInstanceOf(CasOutcome.Unknown.class);
    }

    @Override
    protected final boolean makeUnreadable(String name) throws SQLException {
        overwrite(name, "rubbish");
        return true;
    }

    private void overwrite(String name, String text) throws SQLException {
        try (Connection connection = connect()) {
            Dialect dialect = Dialects.of(connection);
            try (PreparedStatement statement =
                    connection.prepareStatement("UPDATE doyen_lease SET record = ? WHERE name = ?")) {
                statement.setString(1, text);
                dialect.setName(statement, 2, name);
                assertThat(statement.executeUpdate()).isEqualTo(1);
            }
        }
    }

    private static List<LeaseStore.Write> all(List<String> names, LeaseVersion expected, long term) {
        return names.stream()
                .map(name -> new LeaseStore.Write(expected, record(name, term)))
                .toList();
    }
}
