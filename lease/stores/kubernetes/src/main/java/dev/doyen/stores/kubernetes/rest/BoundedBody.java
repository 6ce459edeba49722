package dev.doyen.stores.kubernetes.rest;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/**
 * Reads an answer's text up to a size limit. Java has such a limit only since Java 25.
 *
 * <p>If an answer exceeds the limit, the read fails and the connection is closed, because the remaining text can be
 * endless.
 */
final class BoundedBody implements BodySubscriber<String> {

    private final int most;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<String> body = new CompletableFuture<>();

    BoundedBody(int most) {
        this.most = most;
    }

    @Override
    public CompletionStage<String> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        CompletableFuture<?> unused = body.whenComplete((read, fault) -> {
            if (fault != null) {
                subscription.cancel();
            }
        });
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
        for (ByteBuffer part : parts) {
            if (bytes.size() + part.remaining() > most) {
                body.completeExceptionally(new IOException("the answer has more than " + most + " bytes"));
                return;
            }
            byte[] some = new byte[part.remaining()];
            part.get(some);
            bytes.writeBytes(some);
        }
    }

    @Override
    public void onError(Throwable fault) {
        body.completeExceptionally(fault);
    }

    @Override
    public void onComplete() {
        body.complete(bytes.toString(StandardCharsets.UTF_8));
    }
}
