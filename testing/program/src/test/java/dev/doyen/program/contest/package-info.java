/**
 * Seeded contests in which the clients of a hub claim leadership.
 *
 * <p>Many small clients use real sockets on a hub that the test kills. Observers record the messages that they receive.
 * The check of these records uses no code of the hub.
 */
@NullMarked
package dev.doyen.program.contest;

import org.jspecify.annotations.NullMarked;
