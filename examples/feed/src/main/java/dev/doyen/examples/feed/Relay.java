package dev.doyen.examples.feed;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Accepts the connections of receivers while this process leads, and closes all connections afterwards. */
final class Relay implements AutoCloseable {

    /** The maximum number of receivers, each of which requires a thread and a connection. */
    private static final int MAX_RECEIVERS = 100;

    private final ServerSocketChannel server = ServerSocketChannel.open();
    private @Nullable Holding holding;
    private @Nullable ExecutorService serving;

    Relay(InetSocketAddress address) throws IOException {
        server.bind(address);
        var acceptor = new Thread(this::accept, "relay");
        acceptor.setDaemon(true);
        acceptor.start();
    }

    /** Starts to accept receivers, and sends them the lines of {@code begun}. */
    synchronized void open(Holding begun) {
        holding = begun;
        serving = new ThreadPoolExecutor(0, MAX_RECEIVERS, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            var thread = new Thread(task, "receiver");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Closes all connections by interrupting their threads. */
    synchronized void hangUp() {
        if (serving != null) {
            serving.shutdownNow();
        }
        serving = null;
        holding = null;
    }

    private void accept() {
        try {
            while (true) {
                admit(server.accept().socket());
            }
        } catch (IOException e) {
            System.err.println("nobody can connect any more: " + e);
        }
    }

    private synchronized void admit(Socket socket) throws IOException {
        Holding now = holding;
        if (now == null || serving == null) {
            socket.close();
            return;
        }
        try {
            serving.execute(() -> serve(now, socket));
        } catch (RejectedExecutionException e) {
            System.err.println("a receiver is rejected, because " + MAX_RECEIVERS + " receivers are connected");
            socket.close();
        }
    }

    private static void serve(Holding holding, Socket socket) {
        try (socket;
                Wire wire = new Wire(socket)) {
            holding.serve(wire);
        } catch (IOException e) {
            // The receiver has disconnected, or this process no longer leads. A receiver that still runs connects
            // again.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        hangUp();
        server.close();
    }
}
