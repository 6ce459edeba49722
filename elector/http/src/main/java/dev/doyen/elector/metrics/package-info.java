/** The counters of an election and of its store, and their text format for Prometheus. */
@NullMarked
package dev.doyen.elector.metrics;

import org.jspecify.annotations.NullMarked;
