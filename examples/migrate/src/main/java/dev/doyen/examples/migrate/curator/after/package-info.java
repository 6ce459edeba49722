/** Contains the order polling with Doyen. */
@NullMarked
package dev.doyen.examples.migrate.curator.after;

import org.jspecify.annotations.NullMarked;
