package dev.doyen.hub;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalLong;

/** Numbers without a fraction, however JSON or msgpack spelled them. */
final class WholeNumbers {

    /** Beyond this a double no longer tells neighbouring integers apart. */
    private static final double MAX_EXACT = 1L << 53;

    private WholeNumbers() {}

    static OptionalLong of(JsonNode node) {
        if (node.isIntegralNumber() && node.canConvertToLong()) {
            return OptionalLong.of(node.longValue());
        }
        double value = node.isFloatingPointNumber() ? node.doubleValue() : Double.NaN;
        return value == Math.rint(value) && Math.abs(value) <= MAX_EXACT
                ? OptionalLong.of((long) value)
                : OptionalLong.empty();
    }
}
