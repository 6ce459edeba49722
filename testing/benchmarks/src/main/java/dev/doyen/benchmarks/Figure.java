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
     * Returns this median divided by the best median of other products.
     *
     * <p>The method compares systems on the same kind of server. A value below 1 means that this median is lower. The
     * result is empty if no other product was measured.
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
