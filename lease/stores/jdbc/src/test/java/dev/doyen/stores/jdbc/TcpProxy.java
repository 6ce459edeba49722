package dev.doyen.stores.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A proxy between a client and a server. The proxy can drop the server's answers. */
final class TcpProxy implements AutoCloseable {

    /** The ways in which the proxy handles the server's answers. */
    enum Answers {
        PASSED_ON,
        SWALLOWED,
        /** The proxy resets the client's connection at the first byte of an answer. */
        CUT
    }

    private final ServerSocket listening;
    private volatile int serverPort;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Answers answers = Answers.PASSED_ON;

    TcpProxy(int serverPort) throws IOException {
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.serverPort = serverPort;
        daemon(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    void answers(Answers from) {
        answers = from;
    }

    /** Closes all connections. Forwards later connections to the server on {@code port}. */
    void reconnectTo(int port) throws IOException {
        serverPort = port;
        for (Socket socket : open) {
            socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            var server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            open.add(client);
            open.add(server);
            daemon(() -> pump(client, server, false));
            daemon(() -> pump(server, client, true));
        }
    }

    private void pump(Socket from, Socket to, boolean answering) throws IOException {
        var buffer = new byte[65_536];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                Answers what = answering ? answers : Answers.PASSED_ON;
                if (what == Answers.CUT) {
                    to.setSoLinger(true, 0);
                    return;
                }
                if (what == Answers.PASSED_ON) {
                    out.write(buffer, 0, n);
                    out.flush();
                }
            }
        }
    }

    private interface Io {
        void run() throws IOException;
    }

    private static void daemon(Io io) {
        var thread = new Thread(() -> {
            try {
                io.run();
            } catch (IOException e) {
                // A connection has ended, and the pump has closed both of its ends. Or the proxy was closed.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
