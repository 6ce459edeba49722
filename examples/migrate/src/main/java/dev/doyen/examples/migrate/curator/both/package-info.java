/** Contains the order polling with Curator's latch and Doyen's lease, for use during the migration. */
@NullMarked
package dev.doyen.examples.migrate.curator.both;

import org.jspecify.annotations.NullMarked;
