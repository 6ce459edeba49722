/** Contains the order polling with Curator's LeaderLatch. */
@NullMarked
package dev.doyen.examples.migrate.curator.before;

import org.jspecify.annotations.NullMarked;
