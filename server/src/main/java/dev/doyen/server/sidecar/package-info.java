/**
 * What {@code doyen elector} decides: whom it names as the leader, whether it stands, what it takes for the end of the
 * app, and in which order it leaves. Pure; the clock comes with each input. {@code sidecar.driver} carries it out.
 *
 * <p>Entry types: {@code Reported}, {@code Standing}, {@code AppWatch}, {@code Leaving}, {@code StartGate}, {@code Tally}.
 */
@NullMarked
package dev.doyen.server.sidecar;

import org.jspecify.annotations.NullMarked;
