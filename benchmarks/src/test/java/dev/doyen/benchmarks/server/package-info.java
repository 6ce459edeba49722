/** Tests of the benchmarks. */
@NullMarked
package dev.doyen.benchmarks.server;

import org.jspecify.annotations.NullMarked;
