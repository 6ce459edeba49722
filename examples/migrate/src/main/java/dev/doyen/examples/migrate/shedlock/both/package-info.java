/** With ShedLock's lock and Doyen's lease, during the migration. */
@NullMarked
package dev.doyen.examples.migrate.shedlock.both;

import org.jspecify.annotations.NullMarked;
