package dev.doyen.stores.jdbc;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.store.probe.RightsProbe;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Stores leases in a table of a relational database.
 *
 * <p>A single write is one auto-committed statement. The statement changes a row only if the row has the expected
 * revision, or it inserts a row only if no row exists. The result of the statement shows whether the write succeeded.
 *
 * <p>Threads: any. A call for one election ends within the timeout of the settings, even if the driver hangs. A read or
 * write of many elections is split into chunks, and each chunk takes at most one timeout. If the database rolls back a
 * chunk of writes, the store sends these writes one at a time, each with its own timeout.
 *
 * <p>Errors: see {@link LeaseStore}. No message contains the URL or a credential.
 */
public final class JdbcLeaseStore implements LeaseStore {

    /**
     * The maximum number of attempts for one write. The store repeats a write only if the server reports that it
     * changed nothing.
     */
    private static final int TRIES = 3;

    private final LeaseTable table;
    private final Dialect dialect;
    private final BoundedCalls calls;
    private final Optional<PostgresNotices> notices;
    private final FailedStatement failed;
    private final Findings findings;
    private final RightsProbe rights = new RightsProbe(this);

    JdbcLeaseStore(
            LeaseTable table,
            BoundedCalls calls,
            Optional<PostgresNotices> notices,
            DriverFaults faults,
            Findings findings) {
        this.table = table;
        this.dialect = table.dialect;
        this.calls = calls;
        this.notices = notices;
        this.failed = new FailedStatement(dialect, table.table, faults);
        this.findings = findings;
    }

    /**
     * Opens the store for a JDBC URL. Parameters {@code doyen.*} of the URL are settings of this store.
     *
     * @throws IllegalArgumentException if the URL is invalid
     * @throws StoreUnavailableException if the database cannot be used
     */
    public static JdbcLeaseStore open(String url) {
        return open(url, new Properties(), JdbcSettings.DEFAULT);
    }

    /**
     * Opens the store for a JDBC URL, with additional properties for the driver.
     *
     * <p>If the properties contain {@code user} and {@code password}, the URL need not contain them.
     *
     * @throws IllegalArgumentException if the URL is invalid
     * @throws StoreUnavailableException if the database cannot be used
     */
    public static JdbcLeaseStore open(String url, Properties forDriver, JdbcSettings settings) {
        return Opening.byUrl(url, forDriver, settings);
    }

    /**
     * Opens the store on an application's connection pool.
     *
     * <p>The application configures the pool's timeouts and the settings of its sessions. On PostgreSQL, the first
     * watch reserves one connection of the pool for {@code LISTEN}.
     *
     * @throws IllegalArgumentException if the store does not support the database
     * @throws StoreUnavailableException if the database cannot be used
     */
    public static JdbcLeaseStore open(DataSource pool, JdbcSettings settings) {
        return Opening.byPool(pool, settings);
    }

    @Override
    public VersionedLease read(String election) {
        try {
            return calls.call((connection, deadline) -> table.read(connection, election));
        } catch (SQLException e) {
            throw failed.exception("the lease of \"" + election + "\" cannot be read from " + dialect.product(), e);
        }
    }

    @Override
    public Map<String, VersionedLease> readAll(Collection<String> elections) {
        Map<String, VersionedLease> found = new LinkedHashMap<>();
        for (List<String> chunk : Chunks.ofNames(elections)) {
            Map<String, LeaseTable.Row> rows;
            try {
                rows = calls.call((connection, deadline) -> table.rows(connection, chunk));
            } catch (SQLException e) {
                throw failed.exception(
                        "the leases of " + elections.size() + " elections cannot be read from " + dialect.product(), e);
            }
            for (String election : chunk) {
                LeaseTable.Row row = rows.get(election);
                LeaseStore.findReadable(election, () -> row == null ? VersionedLease.ABSENT : row.parse(election))
                        .ifPresent(lease -> found.put(election, lease));
            }
        }
        return found;
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        if (!next.election().equals(election)) {
            throw new IllegalArgumentException("a record of \"" + next.election() + "\" for \"" + election + "\"");
        }
        var write = new LeaseStore.Write(expected, next);
        LeaseTable.revision(expected);
        try {
            return calls.call((connection, deadline) -> write(connection, write, deadline));
        } catch (SQLException e) {
            return CasOutcome.Unknown.of(failed.ofWrite(election, e));
        } catch (StoreUnavailableException e) {
            return unknown(election, e.getMessage());
        }
    }

    @Override
    public List<CasOutcome> compareAndSetAll(List<LeaseStore.Write> writes) {
        writes.forEach(write -> LeaseTable.revision(write.expected()));
        List<CasOutcome> outcomes = new ArrayList<>(writes.size());
        Optional<StoreUnavailableException> earlier = Optional.empty();
        for (List<LeaseStore.Write> chunk : Chunks.ofWrites(writes)) {
            if (earlier.isPresent()) {
                // Do not try the next chunks. They would probably hang too, and each would wait for a timeout.
                StoreUnavailableException first = earlier.get();
                for (LeaseStore.Write write : chunk) {
                    outcomes.add(new CasOutcome.Unknown(
                            failed.unknown(write.next().election())
                                    + ": this write was not tried, because an earlier write failed: "
                                    + first.getMessage(),
                            first instanceof StoreRefusedException));
                }
                continue;
            }
            try {
                outcomes.addAll(calls.call((connection, deadline) -> writeAll(connection, chunk)));
            } catch (LeaseTable.RolledBack e) {
                // One write of the chunk is faulty, or conflicts with a transaction of another client. The other writes
                // can succeed if they are sent one at a time.
                chunk.forEach(
                        write -> outcomes.add(compareAndSet(write.next().election(), write.expected(), write.next())));
            } catch (SQLException e) {
                for (LeaseStore.Write write : chunk) {
                    outcomes.add(
                            CasOutcome.Unknown.of(failed.ofWrite(write.next().election(), e)));
                }
                earlier = Optional.of(failed.exception("the database rejected it", e));
            } catch (StoreUnavailableException e) {
                String why = String.valueOf(e.getMessage());
                chunk.forEach(write -> outcomes.add(unknown(write.next().election(), why)));
                earlier = Optional.of(e);
            }
        }
        return outcomes;
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        return notices.flatMap(present -> present.watch(election, changed));
    }

    @Override
    public List<String> missingRights() {
        return rights.missing();
    }

    @Override
    public LeaseStore.Promises promises() {
        return new LeaseStore.Promises(findings.durable(), notices.isPresent(), findings.scope(), findings.remarks());
    }

    @Override
    public void close() {
        notices.ifPresent(PostgresNotices::close);
        calls.close();
    }

    private CasOutcome write(Connection connection, LeaseStore.Write write, long deadline) throws SQLException {
        String election = write.next().election();
        for (int tries = 1; ; tries++) {
            try {
                if (!table.write(connection, write)) {
                    return new CasOutcome.Conflict(table.read(connection, election));
                }
                break;
            } catch (SQLException e) {
                // A deadlock, a serialization failure or a locked file means that nothing was written, so a retry is
                // safe.
                if (!dialect.didNothing(e) || tries == TRIES || System.nanoTime() - deadline >= 0) {
                    throw e;
                }
            }
            VersionedLease current = table.read(connection, election);
            if (!current.version().equals(write.expected())) {
                return new CasOutcome.Conflict(current);
            }
        }
        forceIfNecessary(connection);
        return writtenOver(write);
    }

    /**
     * Writes the records.
     *
     * @throws LeaseTable.RolledBack if nothing was written
     */
    private List<CasOutcome> writeAll(Connection connection, List<LeaseStore.Write> writes) throws SQLException {
        boolean[] written;
        try {
            written = table.writeAll(connection, writes);
        } catch (SQLException e) {
            throw dialect.didNothing(e) ? new LeaseTable.RolledBack(e) : e;
        }
        forceIfNecessary(connection);
        List<String> refused = new ArrayList<>();
        for (int i = 0; i < written.length; i++) {
            if (!written[i]) {
                refused.add(writes.get(i).next().election());
            }
        }
        Map<String, LeaseTable.Row> rows = refused.isEmpty() ? Collections.emptyMap() : table.rows(connection, refused);
        List<CasOutcome> outcomes = new ArrayList<>(written.length);
        for (int i = 0; i < written.length; i++) {
            LeaseStore.Write write = writes.get(i);
            outcomes.add(
                    written[i]
                            ? writtenOver(write)
                            : conflict(
                                    write.next().election(),
                                    rows.get(write.next().election())));
        }
        return outcomes;
    }

    /**
     * Syncs written records to the disk if the database does not do this itself. If the sync fails, the caller must not
     * repeat the write, whatever the exception states.
     */
    private void forceIfNecessary(Connection connection) throws SQLException {
        if (findings.mustForce()) {
            dialect.force(connection);
        }
    }

    private CasOutcome conflict(String election, LeaseTable.@Nullable Row row) {
        try {
            return new CasOutcome.Conflict(row == null ? VersionedLease.ABSENT : row.parse(election));
        } catch (StoreUnavailableException e) {
            return unknown(election, e.getMessage());
        }
    }

    private static CasOutcome writtenOver(LeaseStore.Write write) {
        return new CasOutcome.Written(LeaseVersion.of(LeaseTable.revision(write.expected()) + 1));
    }

    private CasOutcome unknown(String election, @Nullable String why) {
        return new CasOutcome.Unknown(failed.unknown(election) + ": " + why);
    }
}
