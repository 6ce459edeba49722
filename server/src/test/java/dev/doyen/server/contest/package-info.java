/**
 * Seeded contests for the claims of a hub: many small clients over real sockets, a hub that is killed under them, and an
 * observer whose records are judged without the hub's code.
 */
@NullMarked
package dev.doyen.server.contest;

import org.jspecify.annotations.NullMarked;
