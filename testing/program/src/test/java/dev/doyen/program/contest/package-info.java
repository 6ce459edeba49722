/**
 * Seeded contests for the claims of a hub.
 *
 * <p>Many small clients use real sockets on a hub that is killed, and an observer records what it receives. The check
 * of these records uses no code of the hub.
 */
@NullMarked
package dev.doyen.program.contest;

import org.jspecify.annotations.NullMarked;
