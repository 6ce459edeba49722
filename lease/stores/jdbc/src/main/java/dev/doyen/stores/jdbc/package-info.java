/**
 * Stores leases in a relational database, one row per election.
 *
 * <p>The package supports PostgreSQL, MariaDB, MySQL, SQLite and H2. {@link dev.doyen.stores.jdbc.JdbcFence} is a fence
 * for data in such a database. Start reading at {@link dev.doyen.stores.jdbc.JdbcLeaseStore}. Operators read
 * docs/reference/store-jdbc.md.
 */
@NullMarked
package dev.doyen.stores.jdbc;

import org.jspecify.annotations.NullMarked;
