package dev.doyen.benchmarks.hub;

import dev.doyen.benchmarks.Sample;

/**
 * One line of the report.
 *
 * @param unit of all values
 */
record Measured(String what, String unit, String peer, Sample sample) {}
