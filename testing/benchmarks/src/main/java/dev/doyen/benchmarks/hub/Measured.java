package dev.doyen.benchmarks.hub;

import dev.doyen.benchmarks.Sample;

/**
 * One line of the report.
 *
 * @param what the quantity
 * @param unit the unit of all values
 * @param peer the label of the server
 */
record Measured(String what, String unit, String peer, Sample sample) {}
