package dev.doyen.hub;

import dev.doyen.hub.wire.Format;
import java.util.List;
import java.util.Map;

/**
 * What a client asked for when it opened its WebSocket.
 *
 * @param format the session's wire format
 * @param params the query, each parameter with its last value; names and values percent-decoded
 * @param address where it came from; empty if that is unknown
 */
public record ConnectRequest(Format format, Map<String, String> params, String address) {

    public ConnectRequest {
        params = Map.copyOf(params);
    }

    /** Reads the format from a query: {@code msgpack} if it says so, else JSON. */
    public static ConnectRequest of(Map<String, List<String>> query, String address) {
        var last = new java.util.HashMap<String, String>();
        query.forEach((name, values) -> {
            if (!values.isEmpty()) {
                last.put(name, values.get(values.size() - 1));
            }
        });
        var format = "msgpack".equals(last.get("format")) ? Format.MSGPACK : Format.JSON;
        return new ConnectRequest(format, last, address);
    }

    /** Names only: the values hold keys and tokens. */
    @Override
    public String toString() {
        return "ConnectRequest[" + format + ", " + params.keySet() + "]";
    }
}
