/** Runs Doyen beside other systems that elect, and reports figures; nothing here is published. */
@NullMarked
package dev.doyen.benchmarks;

import org.jspecify.annotations.NullMarked;
