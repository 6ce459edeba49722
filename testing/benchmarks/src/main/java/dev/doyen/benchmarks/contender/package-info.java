/**
 * Adapts each system under comparison to one small interface.
 *
 * <p>Each is used as its own documentation advises. Start reading at {@link dev.doyen.benchmarks.contender.Contender}.
 */
@NullMarked
package dev.doyen.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
