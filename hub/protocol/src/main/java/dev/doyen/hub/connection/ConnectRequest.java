package dev.doyen.hub.connection;

import dev.doyen.hub.wire.Format;
import java.util.List;
import java.util.Map;

/**
 * The request with which a client opened its WebSocket.
 *
 * @param format the wire format of the session
 * @param params the percent-decoded query parameters; a repeated parameter has its last value
 * @param address the client's address; empty if the address is unknown
 * @param needsToken true if the client needs a token, so that the hub rejects its key
 */
public record ConnectRequest(Format format, Map<String, String> params, String address, boolean needsToken) {

    public ConnectRequest {
        params = Map.copyOf(params);
    }

    /** Creates a request from a query. The format is {@code msgpack} if the query names it, and JSON otherwise. */
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

    /** Creates a request of a client that may use a key. */
    public ConnectRequest(Format format, Map<String, String> params, String address) {
        this(format, params, address, false);
    }

    /** Returns a copy for a client that needs a token. */
    public ConnectRequest withoutKeys() {
        return new ConnectRequest(format, params, address, true);
    }

    /** Returns the format and the parameter names, but no values, because the values contain keys and tokens. */
    @Override
    public String toString() {
        return "ConnectRequest[" + format + ", " + params.keySet() + "]";
    }
}
