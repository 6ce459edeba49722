package dev.doyen.client;

import dev.doyen.client.state.Answer;
import java.io.ByteArrayOutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A request to an elector, whose answer has a limited size. */
final class Question {

    /** The maximum length of an answer, in bytes. */
    static final int MAX_LENGTH = 64 * 1024;

    private Question() {}

    /**
     * Sends a request.
     *
     * <p>The future completes on a thread of the HTTP client. The future's value is empty if the elector has not found
     * a leader yet. The future fails if no valid answer arrives.
     */
    static CompletableFuture<Optional<Answer>> put(URI url, Duration timeout) {
        CompletableFuture<HttpResponse<String>> response = Http.CLIENT.send(
                Http.get(url).header("Accept", "application/json").build(), head -> new BoundedText());
        CompletableFuture<Optional<Answer>> answer =
                response.thenApply(Question::read).orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
        CompletableFuture<?> unused = answer.whenComplete((read, fault) -> response.cancel(true));
        return answer;
    }

    /** Returns the reason why a request failed. */
    static String why(Throwable fault) {
        Throwable cause = fault;
        boolean connecting = cause instanceof ConnectException;
        while (cause.getCause() != null) {
            cause = cause.getCause();
            connecting = connecting || cause instanceof ConnectException;
        }
        if (cause instanceof UnresolvedAddressException) {
            return "the name of its host cannot be resolved";
        }
        if (connecting && cause.getMessage() == null) {
            return "nothing accepts connections at this address";
        }
        if (cause instanceof TimeoutException) {
            return "no answer came in time";
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    private static Optional<Answer> read(HttpResponse<String> response) {
        if (response.statusCode() != 200) {
            throw new IllegalArgumentException("its status is " + response.statusCode() + " where 200 was expected");
        }
        return Answer.read(response.body(), response.headers().firstValue("X-Fencing-Token"));
    }

    private static final class BoundedText implements BodySubscriber<String> {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final CompletableFuture<String> text = new CompletableFuture<>();

        @Override
        public CompletionStage<String> getBody() {
            return text;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            CompletableFuture<?> unused = text.whenComplete((read, fault) -> given.cancel());
            given.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                if (bytes.size() + buffer.remaining() > MAX_LENGTH) {
                    text.completeExceptionally(
                            new IllegalArgumentException("its answer is longer than " + MAX_LENGTH + " bytes"));
                    return;
                }
                byte[] some = new byte[buffer.remaining()];
                buffer.get(some);
                bytes.writeBytes(some);
            }
        }

        @Override
        public void onError(Throwable fault) {
            text.completeExceptionally(fault);
        }

        @Override
        public void onComplete() {
            text.complete(bytes.toString(StandardCharsets.UTF_8));
        }
    }
}
