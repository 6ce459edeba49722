package dev.doyen.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Accepts connections at an address of this machine, and forwards them to the store on loopback. */
final class Relay implements AutoCloseable {

    private final ServerSocket listener;

    Relay(InetAddress address, int toPort) throws IOException {
        listener = new ServerSocket(0, 50, address);
        daemon(() -> {
            while (!listener.isClosed()) {
                Socket guest = listener.accept();
                daemon(() -> join(guest, toPort));
            }
        });
    }

    int port() {
        return listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private static void join(Socket guest, int toPort) throws IOException {
        var host = new Socket(InetAddress.getLoopbackAddress(), toPort);
        daemon(() -> carry(host, guest));
        carry(guest, host);
    }

    private static void carry(Socket from, Socket to) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8192];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
                out.flush();
            }
        }
    }

    private static void daemon(Ledger.IoTask task) {
        var thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        // One of the two sides has closed its connection.
                    }
                },
                "relay");
        thread.setDaemon(true);
        thread.start();
    }
}
