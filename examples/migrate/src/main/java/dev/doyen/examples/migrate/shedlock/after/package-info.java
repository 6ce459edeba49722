/** Contains the report application with Doyen. */
@NullMarked
package dev.doyen.examples.migrate.shedlock.after;

import org.jspecify.annotations.NullMarked;
