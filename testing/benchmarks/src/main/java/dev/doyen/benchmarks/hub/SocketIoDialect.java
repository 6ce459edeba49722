package dev.doyen.benchmarks.hub;

import java.util.List;

/** Socket.IO 4 over a WebSocket (Engine.IO protocol 4), for {@code benchmarks/socket-io/server.js}. */
final class SocketIoDialect implements Dialect {

    private static final String CLAIM = "42[\"claim\"]";

    @Override
    public String target(String clientId) {
        return "/socket.io/?EIO=4&transport=websocket";
    }

    @Override
    public String publish(Part part, String channel, long number, String text) {
        return "42[\"publish\",\"" + channel + "\",\"" + text + "\"]";
    }

    @Override
    public String firstClaim(String channel) {
        return CLAIM;
    }

    @Override
    public List<String> farewell() {
        return List.of("41");
    }

    @Override
    public Protocol talk(Part part, String clientId, String channel) {
        return new SocketIoProtocol(part, clientId, channel);
    }

    private static final class SocketIoProtocol implements Protocol {
        private final Part part;
        private final String clientId;
        private final String channel;
        private boolean ready;
        private String leader = "";

        SocketIoProtocol(Part part, String clientId, String channel) {
            this.part = part;
            this.clientId = clientId;
            this.channel = channel;
        }

        @Override
        public List<String> received(String text) {
            if (text.startsWith("0{")) {
                return List.of("40");
            } else if (text.startsWith("40")) {
                return List.of(
                        part == Part.LISTENER
                                ? "420[\"listen\",\"" + channel + "\"]"
                                : "420[\"enter\",\"" + channel + "\",\"" + clientId + "\"," + (part != Part.WORKER)
                                        + "]");
            } else if (text.startsWith("430")) {
                ready = true;
            } else if (text.equals("2")) {
                return List.of("3");
            } else if (part == Part.CANDIDATE && text.startsWith("42[\"leads\"")) {
                leader = leaderIn(text);
            } else if (part == Part.CANDIDATE && text.equals("42[\"left\",\"" + leader + "\"]")) {
                return List.of(CLAIM);
            }
            return List.of();
        }

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public String messageIn(String text) {
            return text.startsWith("42[\"t\",\"") ? AblyDialect.between(text, "[\"t\",\"", "\"") : "";
        }

        @Override
        public String leaderIn(String text) {
            return text.startsWith("42[\"leads\",\"") ? AblyDialect.between(text, "[\"leads\",\"", "\"") : "";
        }
    }
}
