/** Led by who has Curator's latch and Doyen's lease: while one replaces the other. */
@NullMarked
package dev.doyen.examples.migrate.curator.both;

import org.jspecify.annotations.NullMarked;
