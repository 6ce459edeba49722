/** Real processes over real stores: a leader is killed, stopped, cut off, and the guarded resource's own log is read. */
@NullMarked
package dev.doyen.drills;

import org.jspecify.annotations.NullMarked;
