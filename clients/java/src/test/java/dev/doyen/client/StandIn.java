package dev.doyen.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** A fake elector whose replies the test chooses for each path. A reply can be slow, too long or missing. */
final class StandIn implements AutoCloseable {

    /** A reply to one connection. The connection closes when {@link #to} returns. */
    interface Reply {
        void to(List<String> request, OutputStream out) throws Exception;
    }

    private final ServerSocket server;
    private final Map<String, Reply> replies = new ConcurrentHashMap<>();
    private final List<Socket> open = new ArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);

    StandIn() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    /** Sets the reply to a path, and returns the address of the path. */
    String on(String path, Reply reply) {
        replies.put(path, reply);
        return "http://localhost:" + server.getLocalPort() + path;
    }

    static Reply body(int status, String... headersAndBody) {
        String text = headersAndBody[headersAndBody.length - 1];
        var head = new StringBuilder("HTTP/1.1 " + status + " X\r\nConnection: close\r\n");
        for (int i = 0; i < headersAndBody.length - 1; i++) {
            head.append(headersAndBody[i]).append("\r\n");
        }
        head.append("Content-Length: ")
                .append(text.getBytes(StandardCharsets.UTF_8).length)
                .append("\r\n\r\n");
        return (request, out) -> write(out, head + text);
    }

    static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    static void streamHead(OutputStream out) throws IOException {
        write(out, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
    }

    static void chunk(OutputStream out, String text) throws IOException {
        write(out, Integer.toHexString(text.getBytes(StandardCharsets.UTF_8).length) + "\r\n" + text + "\r\n");
    }

    /** Blocks until the test ends, so that the reply sends no more bytes. */
    void hold() throws InterruptedException {
        end.await();
    }

    @Override
    public void close() throws IOException {
        end.countDown();
        server.close();
        synchronized (open) {
            for (Socket each : open) {
                each.close();
            }
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                synchronized (open) {
                    open.add(socket);
                }
                daemon(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            List<String> request = new ArrayList<>();
            for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                request.add(line);
            }
            if (!request.isEmpty()) {
                String target = request.get(0).split(" ", -1)[1];
                Reply reply = replies.get(target.split("\\?", -1)[0]);
                (reply == null ? body(404, "no such path") : reply).to(request, socket.getOutputStream());
            }
        } catch (Exception e) {
            // The client has closed the connection, as some tests intend.
        }
    }

    private static void daemon(Runnable task) {
        var thread = new Thread(task, "stand-in");
        thread.setDaemon(true);
        thread.start();
    }
}
