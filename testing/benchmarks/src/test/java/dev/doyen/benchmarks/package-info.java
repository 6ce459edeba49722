/** Tests of the benchmarks. */
@NullMarked
package dev.doyen.benchmarks;

import org.jspecify.annotations.NullMarked;
