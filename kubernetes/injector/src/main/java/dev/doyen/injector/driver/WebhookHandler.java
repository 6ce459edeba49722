package dev.doyen.injector.driver;

import dev.doyen.injector.AdmissionReview;
import dev.doyen.injector.Injection;
import dev.doyen.injector.InjectionRefusedException;
import dev.doyen.injector.Revision;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Handles admission requests at {@code /inject}, and probes of the kubelet at {@code /healthz}. */
final class WebhookHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

    private static final System.Logger LOG = System.getLogger(WebhookHandler.class.getName());

    private final Injection injection;
    private final ReplicaSetRevisions revisions;

    WebhookHandler(Injection injection, ReplicaSetRevisions revisions) {
        this.injection = injection;
        this.revisions = revisions;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
        var path = new QueryStringDecoder(request.uri()).path();
        if (request.decoderResult().isFailure()) {
            reply(ctx, request, HttpResponseStatus.BAD_REQUEST, "This is not a well-formed HTTP/1.1 request.");
        } else if (path.equals("/healthz")) {
            reply(ctx, request, HttpResponseStatus.OK, "ok");
        } else if (!path.equals("/inject")) {
            reply(ctx, request, HttpResponseStatus.NOT_FOUND, "Unknown path; the paths are /inject and /healthz.");
        } else if (!request.method().equals(HttpMethod.POST)) {
            reply(ctx, request, HttpResponseStatus.METHOD_NOT_ALLOWED, "POST an AdmissionReview.");
        } else {
            inject(ctx, request);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // For example, the peer does not trust this server, or has disconnected. The API server reports the failure to
        // the creator of the pod.
        LOG.log(Level.DEBUG, "a connection to the webhook failed", cause);
        ctx.close();
    }

    private void inject(ChannelHandlerContext ctx, FullHttpRequest request) {
        AdmissionReview review;
        try {
            review = AdmissionReview.read(ByteBufUtil.getBytes(request.content()));
        } catch (IllegalArgumentException e) {
            reply(ctx, request, HttpResponseStatus.BAD_REQUEST, String.valueOf(e.getMessage()));
            return;
        }
        Optional<String> replicaSet;
        try {
            replicaSet = injection.replicaSet(review.pod());
        } catch (InjectionRefusedException | RuntimeException e) {
            // The injection throws it again, and answers.
            replicaSet = Optional.empty();
        }
        if (replicaSet.isEmpty()) {
            inject(ctx, request, review, Revision.NONE);
            return;
        }
        CompletableFuture<?> unused = revisions
                .read(review.namespace(), replicaSet.get())
                .thenAcceptAsync(revision -> inject(ctx, request, review, revision), ctx.executor());
    }

    private void inject(ChannelHandlerContext ctx, FullHttpRequest request, AdmissionReview review, Revision revision) {
        byte[] answer;
        try {
            var injected = injection.inject(review.pod(), review.namespace(), revision);
            answer = review.allow(injected);
            if (!injected.equals(review.pod())) {
                Injection.warnings(injected)
                        .forEach(warning -> LOG.log(
                                Level.INFO, "admitted a pod in namespace " + review.namespace() + ": " + warning));
            }
        } catch (InjectionRefusedException e) {
            LOG.log(Level.INFO, "rejected a pod in namespace " + review.namespace() + ": " + e.sentence());
            answer = review.refuse(e.sentence());
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "a pod in namespace " + review.namespace() + " could not be read", e);
            reply(ctx, request, HttpResponseStatus.INTERNAL_SERVER_ERROR, "The pod could not be read.");
            return;
        }
        reply(ctx, request, HttpResponseStatus.OK, "application/json", answer);
    }

    private static void reply(
            ChannelHandlerContext ctx, FullHttpRequest request, HttpResponseStatus status, String sentence) {
        reply(ctx, request, status, "text/plain; charset=utf-8", sentence.getBytes(StandardCharsets.UTF_8));
    }

    private static void reply(
            ChannelHandlerContext ctx, FullHttpRequest request, HttpResponseStatus status, String type, byte[] body) {
        boolean stays = HttpUtil.isKeepAlive(request) && request.decoderResult().isSuccess();
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, type).set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        HttpUtil.setKeepAlive(response, stays);
        var written = ctx.writeAndFlush(response);
        if (!stays) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }
}
