/** A real PostgreSQL for tests, benchmarks and the examples' sandboxes. */
@NullMarked
package dev.doyen.postgresserver;

import org.jspecify.annotations.NullMarked;
