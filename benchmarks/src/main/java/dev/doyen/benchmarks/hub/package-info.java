/**
 * The hub beside Socket.IO, which does presence and leadership by hand: the same crowd of clients talks to both, in the
 * same run. Start at {@link dev.doyen.benchmarks.hub.HubBench}.
 */
@NullMarked
package dev.doyen.benchmarks.hub;

import org.jspecify.annotations.NullMarked;
