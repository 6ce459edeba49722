package dev.doyen.hub.content;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalLong;

/** Reads numbers without a fraction from JSON and msgpack, in any notation. */
public final class WholeNumbers {

    /** The greatest value up to which a {@code double} distinguishes adjacent integers. */
    private static final double MAX_EXACT = 1L << 53;

    private WholeNumbers() {}

    /** Returns the number; empty if the node is no whole number or too large. */
    public static OptionalLong of(JsonNode node) {
        if (node.isIntegralNumber() && node.canConvertToLong()) {
            return OptionalLong.of(node.longValue());
        }
        double value = node.isFloatingPointNumber() ? node.doubleValue() : Double.NaN;
        return value == Math.rint(value) && Math.abs(value) <= MAX_EXACT
                ? OptionalLong.of((long) value)
                : OptionalLong.empty();
    }
}
