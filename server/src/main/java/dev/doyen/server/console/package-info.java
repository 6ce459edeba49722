/**
 * The console: who may look, and that they are told each second. Of a hub also what is shown: figures, who leads and led, who
 * was refused and why; of a process on a ring that is in {@code server.member}. It looks on, and decides nothing.
 *
 * <p>Threads: what is shown belongs to one thread; see {@link dev.doyen.server.console.Scene}.
 */
@NullMarked
package dev.doyen.server.console;

import org.jspecify.annotations.NullMarked;
