package dev.doyen.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings under {@code doyen.datasource.}, for a store that uses the application's own DataSource.
 *
 * @param table The name of the lease table. By default doyen_lease.
 * @param schema The schema of the lease table. By default the schema of the connection.
 * @param createTable Whether the store creates a missing table. By default true. Set false if a migration tool creates
 *     the table.
 * @param timeout The timeout of each call to the database, which can run several statements. 100 ms to 1 min; by
 *     default 2 s.
 * @param connections How many connections of the DataSource the store uses at once, at most. 1 to 32; by default 4.
 */
public record DataSourceSettings(
        @Nullable String table,
        @Nullable String schema,
        @Nullable Boolean createTable,
        @Nullable Duration timeout,
        @Nullable Integer connections) {

    static final DataSourceSettings NONE = new DataSourceSettings(null, null, null, null, null);
}
