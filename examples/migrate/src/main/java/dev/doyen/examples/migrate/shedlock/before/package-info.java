/** Contains the report application with ShedLock. */
@NullMarked
package dev.doyen.examples.migrate.shedlock.before;

import org.jspecify.annotations.NullMarked;
