/** With Curator's latch and Doyen's lease, during the migration. */
@NullMarked
package dev.doyen.examples.migrate.curator.both;

import org.jspecify.annotations.NullMarked;
