/** The counters of an election, and their text format for Prometheus. */
@NullMarked
package dev.doyen.elector.metrics;

import org.jspecify.annotations.NullMarked;
