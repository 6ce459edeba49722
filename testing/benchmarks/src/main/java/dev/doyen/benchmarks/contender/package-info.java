/**
 * Adapts each system under comparison to one small interface.
 *
 * <p>Each system is used as its own documentation recommends. Start with
 * {@link dev.doyen.benchmarks.contender.Contender}.
 */
@NullMarked
package dev.doyen.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
