/** Tests of the servers for benchmarks. */
@NullMarked
package dev.doyen.benchmarks.server;

import org.jspecify.annotations.NullMarked;
