/**
 * Makes views of who is present on a channel: {@link dev.doyen.channel.roll.RollCall} takes a state, the time and what
 * happened, and returns the next state and what is to be done. Rules P1 to P6 of docs/spec/ring.md are decided here and
 * nowhere else. No clock, thread, randomness, I/O or logger in here.
 */
@NullMarked
package dev.doyen.channel.roll;

import org.jspecify.annotations.NullMarked;
