package dev.doyen.chaos.hostile;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The attacks on a hub.
 *
 * <p>Each attack runs for about three seconds at most. An attack ends early if the hub closes the attack's socket.
 */
public enum Attack {

    /** Claims the leadership of a new channel with each message. */
    CLAIM_NEW_CHANNELS {
        @Override
        void run(Attacker attacker) throws IOException {
            try (HubSocket socket = attacker.connect()) {
                for (int i = 0; attacker.goesOn(); i++) {
                    attacker.present(socket, i, "tabs:claim-" + attacker.next(), "leader");
                    attacker.readIfBehind(socket, i);
                }
            }
        }
    },

    /** Claims and releases the leadership of one channel, again and again. */
    CLAIM_AND_RELEASE {
        @Override
        void run(Attacker attacker) throws IOException {
            try (HubSocket socket = attacker.connect()) {
                String channel = "tabs:flap-" + attacker.name();
                for (int i = 0; attacker.goesOn(); i++) {
                    attacker.present(socket, i, channel, i % 2 == 0 ? "leader" : "no");
                    attacker.readIfBehind(socket, i);
                }
            }
        }
    },

    /** Enters members with large data on many channels. */
    LARGE_MEMBERS {
        @Override
        void run(Attacker attacker) throws IOException {
            try (HubSocket socket = attacker.connect()) {
                for (int i = 0; attacker.goesOn(); i++) {
                    attacker.present(socket, i, "tabs:large-" + attacker.next() % 500, "x".repeat(60_000));
                    attacker.readIfBehind(socket, i);
                }
            }
        }
    },

    /** Opens connections until the hub rejects one, but at most 300. */
    CONNECTIONS {
        @Override
        void run(Attacker attacker) throws IOException {
            List<HubSocket> sockets = new ArrayList<>();
            try {
                while (attacker.goesOn() && sockets.size() < 300) {
                    HubSocket socket = attacker.connect();
                    sockets.add(socket);
                    socket.read();
                }
            } finally {
                for (HubSocket each : sockets) {
                    each.close();
                }
            }
        }
    },

    /** Attaches to a new channel with each message. */
    CHANNELS {
        @Override
        void run(Attacker attacker) throws IOException {
            try (HubSocket socket = attacker.connect()) {
                for (int i = 0; attacker.goesOn(); i++) {
                    socket.send("{\"action\":10,\"channel\":\"tabs:channel-" + attacker.next() + "\"}");
                    attacker.readIfBehind(socket, i);
                }
            }
        }
    },

    /** Publishes long messages as fast as the socket accepts them. */
    MESSAGES {
        @Override
        void run(Attacker attacker) throws IOException {
            try (HubSocket socket = attacker.connect()) {
                String text = "m".repeat(30_000);
                for (int i = 0; attacker.goesOn(); i++) {
                    socket.send("{\"action\":15,\"channel\":\"tabs:talk-" + attacker.next() % 300 + "\",\"msgSerial\":"
                            + i + ",\"messages\":[{\"data\":\"" + text + "\"}]}");
                    attacker.readIfBehind(socket, i);
                }
            }
        }
    },

    /** Attaches to channels with large members, and does not read. */
    READERS_THAT_DO_NOT_READ {
        @Override
        void run(Attacker attacker) throws IOException {
            List<HubSocket> sockets = new ArrayList<>();
            try {
                while (attacker.goesOn() && sockets.size() < 20) {
                    HubSocket socket = attacker.connect();
                    sockets.add(socket);
                    for (int i = 0; i < 100; i++) {
                        socket.send("{\"action\":10,\"channel\":\"tabs:large-" + i + "\"}");
                    }
                }
                attacker.rest();
            } finally {
                for (HubSocket each : sockets) {
                    each.close();
                }
            }
        }
    },

    /** Opens HTTP sockets and sends no request, half a request, or a request for a stream. */
    IDLE_SOCKETS {
        @Override
        void run(Attacker attacker) throws IOException {
            List<Socket> sockets = new ArrayList<>();
            try {
                while (attacker.goesOn() && sockets.size() < 300) {
                    boolean stream = sockets.size() % 3 == 0;
                    Socket socket = HubSocket.open(
                            stream ? attacker.hub().elector() : attacker.hub().address(), attacker.address());
                    sockets.add(socket);
                    String text = stream
                            ? "GET /sse HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            : sockets.size() % 3 == 1 ? "GET / HTTP/1.1\r\nHost: loc" : "";
                    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
                }
                attacker.rest();
            } finally {
                for (Socket each : sockets) {
                    each.close();
                }
            }
        }
    },

    /** Sends requests with guessed keys, and sends malformed frames. */
    GUESSES_AND_GARBAGE {
        @Override
        void run(Attacker attacker) throws IOException {
            while (attacker.goesOn()) {
                try (Socket socket = HubSocket.open(attacker.hub().address(), attacker.address())) {
                    String request = "GET /channels HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic "
                            + "YXBwLmlkOmd1ZXNz\r\nConnection: close\r\n\r\n";
                    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                    socket.getInputStream().read();
                }
                try (HubSocket socket = attacker.connect()) {
                    socket.send("{\"action\":" + attacker.random().nextInt(40) + ",\"channel\":[[[[" + "]".repeat(9));
                    socket.read();
                }
            }
        }
    };

    abstract void run(Attacker attacker) throws IOException;

    static Attack random(Random random) {
        return values()[random.nextInt(values().length)];
    }
}
