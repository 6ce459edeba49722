package dev.doyen.benchmarks;

import dev.doyen.benchmarks.contender.Entrant;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A line of the report: the measured values of one quantity for one system.
 *
 * @param part the part of the benchmark that measured the values
 * @param what the quantity; the report compares lines with the same quantity and the same kind of server
 * @param unit the unit of all values
 */
record Figure(String part, String what, String unit, Entrant entrant, Sample sample) {

    /**
     * Returns this line's median divided by the lowest median of all products except Doyen.
     *
     * <p>The method compares lines with the same quantity and the same kind of server. A value below 1 means that this
     * line's median is lower. The result is empty if no product except Doyen was measured, or if the lowest median is
     * 0.
     */
    OptionalDouble toBestPeer(List<Figure> all) {
        OptionalDouble best = all.stream()
                .filter(other -> other.what.equals(what)
                        && !other.entrant.isDoyen()
                        && other.entrant.server() == entrant.server())
                .mapToDouble(other -> other.sample.median())
                .min();
        return best.isPresent() && best.getAsDouble() > 0
                ? OptionalDouble.of(sample.median() / best.getAsDouble())
                : OptionalDouble.empty();
    }
}
