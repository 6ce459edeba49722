/** The servers that the systems elect in, and how the requests that reach them are counted. */
@NullMarked
package dev.doyen.benchmarks.server;

import org.jspecify.annotations.NullMarked;
