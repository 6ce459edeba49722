/**
 * Contains the same work before, during and after a migration to Doyen.
 *
 * <p>The work uses another library before the migration, both libraries during the migration, and Doyen afterwards.
 */
@NullMarked
package dev.doyen.examples.migrate;

import org.jspecify.annotations.NullMarked;
