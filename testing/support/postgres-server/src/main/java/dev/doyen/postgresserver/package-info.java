/** Starts a real PostgreSQL for tests, benchmarks and the sandboxes of the examples. */
@NullMarked
package dev.doyen.postgresserver;

import org.jspecify.annotations.NullMarked;
