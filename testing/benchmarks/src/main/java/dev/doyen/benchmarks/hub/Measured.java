package dev.doyen.benchmarks.hub;

import dev.doyen.benchmarks.Sample;

/**
 * A line of the report: the measured values of one quantity for one server.
 *
 * @param what the quantity
 * @param unit the unit of all values
 * @param peer the label of the server
 */
record Measured(String what, String unit, String peer, Sample sample) {}
