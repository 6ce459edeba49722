/**
 * Contains the same work in three versions: with another library, with both libraries during the migration, and with
 * Doyen.
 */
@NullMarked
package dev.doyen.examples.migrate;

import org.jspecify.annotations.NullMarked;
