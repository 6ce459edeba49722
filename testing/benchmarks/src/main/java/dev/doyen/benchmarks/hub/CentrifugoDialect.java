package dev.doyen.benchmarks.hub;

import java.util.List;

/**
 * The client protocol of Centrifugo, in JSON. A client that subscribes to a channel is present on it.
 *
 * <p>Source: the client protocol in the documentation of Centrifugo 6.
 */
final class CentrifugoDialect implements Dialect {

    private static final String PING = "{}";
    private static final String PUBLICATION = "{\"push\":{\"channel\":";

    @Override
    public String target(String clientId) {
        return "/connection/websocket";
    }

    @Override
    public String publish(Part part, String channel, long number, String text) {
        return "{\"id\":" + (number + 3) + ",\"publish\":{\"channel\":\"" + channel + "\",\"data\":\"" + text + "\"}}";
    }

    @Override
    public String firstClaim(String channel) {
        throw new UnsupportedOperationException("Centrifugo has no elections");
    }

    @Override
    public List<String> farewell() {
        return List.of();
    }

    /** Centrifugo can send several replies in one frame, one in each line. */
    @Override
    public List<String> parts(String frame) {
        return frame.indexOf('\n') < 0 ? List.of(frame) : frame.lines().toList();
    }

    @Override
    public Protocol talk(Part part, String clientId, String channel) {
        return new CentrifugoProtocol(part, channel);
    }

    private static final class CentrifugoProtocol implements Protocol {
        private final Part part;
        private final String channel;
        private boolean ready;

        CentrifugoProtocol(Part part, String channel) {
            this.part = part;
            this.channel = channel;
        }

        @Override
        public List<String> opening() {
            return List.of("{\"id\":1,\"connect\":{}}");
        }

        @Override
        public List<String> received(String text) {
            if (text.equals(PING)) {
                return List.of(PING);
            }
            if (text.startsWith("{\"id\":1,") && part != Part.WORKER) {
                return List.of("{\"id\":2,\"subscribe\":{\"channel\":\"" + channel + "\"}}");
            }
            if (text.startsWith("{\"id\":1,") || text.startsWith("{\"id\":2,")) {
                ready = true;
            }
            return List.of();
        }

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public String messageIn(String text) {
            return text.startsWith(PUBLICATION) ? AblyDialect.between(text, "\"data\":\"", "\"") : "";
        }

        @Override
        public String leaderIn(String text) {
            return "";
        }
    }
}
