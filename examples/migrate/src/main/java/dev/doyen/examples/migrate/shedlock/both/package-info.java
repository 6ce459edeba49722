/** Led by who has ShedLock's lock and Doyen's lease: while one replaces the other. */
@NullMarked
package dev.doyen.examples.migrate.shedlock.both;

import org.jspecify.annotations.NullMarked;
