/** Contains the report application with ShedLock's lock and Doyen's lease, for use during the migration. */
@NullMarked
package dev.doyen.examples.migrate.shedlock.both;

import org.jspecify.annotations.NullMarked;
