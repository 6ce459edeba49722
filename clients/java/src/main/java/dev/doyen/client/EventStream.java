package dev.doyen.client;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/**
 * A byte stream from an elector, which the client reads in pieces.
 *
 * <p>The class requests the next piece only after the previous piece was processed. Therefore at most one piece is
 * pending.
 */
final class EventStream {

    /** A receiver of the events of a stream. The HTTP client calls the receiver on the client's threads. */
    interface Listener {
        void opened(EventStream from, int status, String contentType);

        void bytes(EventStream from, byte[] bytes);

        void ended(EventStream from, String why);
    }

    private final Listener listener;
    private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    private final CompletableFuture<?> response;

    EventStream(URI url, String lastEventId, Listener listener) {
        this.listener = listener;
        HttpRequest.Builder request = Http.get(url).header("Accept", "text/event-stream");
        if (!lastEventId.isEmpty()) {
            request.header("Last-Event-ID", lastEventId);
        }
        this.response = Http.CLIENT.send(request.build(), this::body);
        CompletableFuture<?> unused = response.whenComplete((done, fault) ->
                listener.ended(this, fault == null ? "the elector ended the stream" : Question.why(fault)));
    }

    /** Requests the next piece. Call this method after the previous piece was processed. */
    void more() {
        CompletableFuture<?> unused = subscription.thenAccept(known -> known.request(1));
    }

    /** Closes the connection of the stream. */
    void close() {
        CompletableFuture<?> unused = subscription.thenAccept(Flow.Subscription::cancel);
        response.cancel(true);
    }

    private BodySubscriber<Void> body(ResponseInfo head) {
        listener.opened(
                this,
                head.statusCode(),
                head.headers().firstValue("Content-Type").orElse(""));
        return new Pieces();
    }

    private final class Pieces implements BodySubscriber<Void> {
        private final CompletableFuture<Void> end = new CompletableFuture<>();

        @Override
        public CompletionStage<Void> getBody() {
            return end;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription.complete(given);
            given.request(1);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            int length = 0;
            for (ByteBuffer buffer : buffers) {
                length += buffer.remaining();
            }
            byte[] piece = new byte[length];
            int at = 0;
            for (ByteBuffer buffer : buffers) {
                int some = buffer.remaining();
                buffer.get(piece, at, some);
                at += some;
            }
            listener.bytes(EventStream.this, piece);
        }

        @Override
        public void onError(Throwable fault) {
            end.completeExceptionally(fault);
        }

        @Override
        public void onComplete() {
            end.complete(null);
        }
    }
}
