package dev.doyen.stores.kubernetes.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests cancelled requests, and answers that are too long, stop midway or end early. */
class ApiServerTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int MOST_BYTES = 10;

    private final CountDownLatch answered = new CountDownLatch(1);
    private final CountDownLatch closedByClient = new CountDownLatch(1);
    private ServerSocket listening;

    @BeforeEach
    void listen() throws IOException {
        listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        listening.close();
    }

    @Test
    void an_answer_that_is_too_long_fails_and_its_connection_is_closed() throws Exception {
        serve("\r\n12345678901", false);

        assertThatThrownBy(() -> client(LONG).get("/").get(60, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(IOException.class)
                .hasRootCauseMessage("the answer has more than 10 bytes");
        assertThat(closedByClient.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void an_answer_that_stops_in_the_middle_times_out_and_its_connection_is_closed() throws Exception {
        serve("Content-Length: 9\r\n\r\n123", false);

        assertThatThrownBy(() -> client(Duration.ofSeconds(2)).get("/").get(60, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(HttpTimeoutException.class);
        assertThat(closedByClient.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void the_connection_of_a_request_that_is_cancelled_is_closed() throws Exception {
        serve("Content-Length: 9\r\n\r\n123", false);

        CompletableFuture<Answer> answer = client(LONG).get("/");
        assertThat(answered.await(60, TimeUnit.SECONDS)).isTrue();
        answer.cancel(true);

        // The aborted HTTP request can complete the future before the call of cancel does. In this case join throws
        // an exception whose cause is the CancellationException.
        assertThatThrownBy(answer::join)
                .satisfiesAnyOf(
                        thrown -> assertThat(thrown).isInstanceOf(CancellationException.class),
                        thrown -> assertThat(thrown).hasCauseInstanceOf(CancellationException.class));
        assertThat(closedByClient.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void an_answer_that_ends_in_the_middle_fails() throws Exception {
        serve("Content-Length: 9\r\n\r\n123", true);

        assertThatThrownBy(() -> client(LONG).get("/").get(60, TimeUnit.SECONDS))
                .hasCauseInstanceOf(IOException.class);
    }

    private ApiServer client(Duration timeout) throws Exception {
        URI server = URI.create("http://127.0.0.1:" + listening.getLocalPort());
        return new ApiServer(
                new Cluster(server, SSLContext.getDefault(), BearerToken.none(), "default"),
                "test",
                timeout,
                MOST_BYTES);
    }

    /**
     * Answers one request. If {@code closes} is true, the server then closes the connection at once; otherwise it waits
     * until the client closes the connection.
     */
    private void serve(String headersAndBody, boolean closes) {
        var thread = new Thread(() -> {
            try (Socket socket = listening.accept()) {
                InputStream in = socket.getInputStream();
                skipRequest(in);
                socket.getOutputStream()
                        .write(("HTTP/1.1 200 OK\r\n" + headersAndBody).getBytes(StandardCharsets.US_ASCII));
                answered.countDown();
                if (!closes && in.read() < 0) {
                    closedByClient.countDown();
                }
            } catch (IOException e) {
                // The client closed the connection with a reset.
                closedByClient.countDown();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    /** Reads up to the empty line that ends the headers. */
    private static void skipRequest(InputStream in) throws IOException {
        for (int last = 0; last != 0x0d0a0d0a; ) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the request has no end");
            }
            last = last << 8 | next;
        }
    }
}
