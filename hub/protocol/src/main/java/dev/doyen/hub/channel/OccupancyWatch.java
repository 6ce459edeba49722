package dev.doyen.hub.channel;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Occupancy;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The occupancy metrics that an attachment receives.
 *
 * <p>The channel parameter {@code occupancy} has the value {@code metrics} for all metrics, or a value such
 * as {@code metrics.publishers} for a single metric.
 *
 * @param only the single metric; null if the attachment receives all metrics
 */
public record OccupancyWatch(@Nullable String only) {

    public static final String PARAM = "occupancy";

    private static final String ALL = "metrics";

    /** Reads the parameter; null if it is absent. Throws a {@link Refusal} if the value is unknown. */
    public static @Nullable OccupancyWatch read(Map<String, String> params) throws Refusal {
        String text = params.get(PARAM);
        if (text == null) {
            return null;
        }
        if (text.equals(ALL)) {
            return new OccupancyWatch(null);
        }
        String metric = text.startsWith(ALL + ".") ? text.substring(ALL.length() + 1) : "";
        if (!Occupancy.NOBODY.metrics().has(metric)) {
            throw new Refusal(
                    ErrorCode.BAD_REQUEST,
                    PARAM + " is " + Quote.of(text) + "; give metrics, or one of them, like metrics.publishers");
        }
        return new OccupancyWatch(metric);
    }

    /** Returns the data of the message for this attachment. */
    ObjectNode of(Occupancy occupancy) {
        ObjectNode metrics = occupancy.metrics();
        if (only != null) {
            metrics.retain(only);
        }
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        data.set(ALL, metrics);
        return data;
    }
}
