/** Measures calls that take nanoseconds, with JMH. */
@NullMarked
package dev.doyen.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
