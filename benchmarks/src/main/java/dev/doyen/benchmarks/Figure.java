package dev.doyen.benchmarks;

import dev.doyen.benchmarks.contender.Entrant;
import java.util.List;
import java.util.OptionalDouble;

/**
 * One line of the report.
 *
 * @param part the part of the run that measured it
 * @param what what was measured; lines of the same {@code what} on the same kind of server are compared
 * @param unit of all values
 */
record Figure(String part, String what, String unit, Entrant entrant, Sample sample) {

    /** This median by the best peer's on the same kind of server: below 1 is less. Empty if there is no peer's. */
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
