/** The same work three times: with another library, with both during the migration, and with Doyen. */
@NullMarked
package dev.doyen.examples.migrate;

import org.jspecify.annotations.NullMarked;
