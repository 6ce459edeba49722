/**
 * Contains the orders application with Spring Integration's lock and Doyen's lease.
 *
 * <p>This version is for use during the migration.
 */
@NullMarked
package dev.doyen.examples.migrate.springintegration.both;

import org.jspecify.annotations.NullMarked;
