/**
 * Leases in a relational database, one row per election: PostgreSQL, MariaDB, MySQL, SQLite, H2. And a fence for data
 * that lives in one ({@link dev.doyen.stores.jdbc.JdbcFence}). docs/reference/store-jdbc.md is the page for operators.
 */
@NullMarked
package dev.doyen.stores.jdbc;

import org.jspecify.annotations.NullMarked;
