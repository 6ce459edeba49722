/** What is measured in nanoseconds, by JMH. */
@NullMarked
package dev.doyen.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
