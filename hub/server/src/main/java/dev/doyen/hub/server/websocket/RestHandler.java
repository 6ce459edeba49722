package dev.doyen.hub.server.websocket;

import dev.doyen.elector.http.ClientAddress;
import dev.doyen.elector.http.HttpHandler;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.elector.http.LateReply;
import dev.doyen.elector.http.Reading;
import dev.doyen.hub.rest.RestAnswer;
import dev.doyen.hub.rest.RestApi;
import dev.doyen.hub.rest.RestRequest;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Passes REST requests to the hub, and sends the answers to the clients.
 *
 * <p>The event loop of the socket handles a request. The hub answers on its own thread.
 */
final class RestHandler implements HttpHandler {

    private final HubLoop hub;
    private final RestLimits limits;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger waitingBytes = new AtomicInteger();

    RestHandler(HubLoop hub, RestLimits limits) {
        this.hub = hub;
        this.limits = limits;
    }

    /**
     * Returns true if the request is for the REST API.
     *
     * <p>A request that contains an SDK version counts as an API request, because SDKs expect the API's format even for
     * a 404. A CORS preflight request also counts as an API request.
     */
    static boolean isFor(FullHttpRequest request) {
        return RestApi.serves(Reading.path(request))
                || request.headers().contains("X-Ably-Version")
                || (request.method().equals(HttpMethod.OPTIONS)
                        && request.headers().contains(HttpHeaderNames.ACCESS_CONTROL_REQUEST_METHOD));
    }

    @Override
    public void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
        var headers = new HashMap<String, String>();
        request.headers().forEach(header -> headers.put(header.getKey(), header.getValue()));
        var plain = RestRequest.of(
                        request.method().name(), request.uri(), headers, ByteBufUtil.getBytes(request.content()))
                .from(ClientAddress.of(ctx.channel(), request));
        var restRequest = ctx.pipeline().get(SslHandler.class) == null ? plain : plain.overTls();
        var pending = new Waiting(ctx, request, restRequest);
        if (pending.start()) {
            hub.requested(restRequest, pending);
        }
    }

    private static HttpReply reply(RestAnswer answer) {
        var reply = new HttpReply(answer.status(), Map.of(), answer.body());
        for (var header : answer.headers()) {
            reply = reply.with(header.name(), header.value());
        }
        return reply;
    }

    /**
     * A request that waits for its answer. The threads that {@link HubLoop.PendingRequest} describes call
     * {@link #answered}, {@link #address} and {@link #failed}, and the event loop of the socket calls the other
     * methods.
     */
    private final class Waiting implements HubLoop.PendingRequest {
        private final ChannelHandlerContext ctx;
        private final LateReply late;
        private final RestRequest restRequest;
        private @Nullable Future<?> deadline;
        private boolean ended;

        private Waiting(ChannelHandlerContext ctx, FullHttpRequest request, RestRequest restRequest) {
            this.ctx = ctx;
            this.late = new LateReply(ctx, request);
            this.restRequest = restRequest;
        }

        /**
         * Returns true if the request may wait. If the waiting requests exceed one of the {@link RestLimits}, the
         * method rejects this request and returns false.
         */
        private boolean start() {
            int requests = waiting.incrementAndGet();
            int bytes = waitingBytes.addAndGet(restRequest.body().length);
            if (requests > limits.maxWaiting() || bytes > limits.maxWaitingBytes()) {
                end(refusal("the hub has reached its limit of concurrent requests; try again in a second"));
                return false;
            }
            deadline = ctx.executor().schedule(this::tooLate, limits.answerMillis(), TimeUnit.MILLISECONDS);
            return true;
        }

        @Override
        public void answered(RestAnswer answer) {
            onLoop(() -> end(answer));
        }

        @Override
        public String address() {
            return restRequest.address();
        }

        @Override
        public void failed(ErrorInfo error) {
            onLoop(() -> end(RestApi.refusal(restRequest, error)));
        }

        private void tooLate() {
            hub.forget(this);
            end(refusal("the hub did not answer within " + limits.answerMillis() + " ms; the request may have been"
                    + " carried out"));
        }

        private RestAnswer refusal(String sentence) {
            return RestApi.refusal(restRequest, ErrorCode.UNAVAILABLE.because(sentence));
        }

        private void onLoop(Runnable end) {
            try {
                ctx.executor().execute(end);
            } catch (RejectedExecutionException e) {
                // The event loop has shut down, so the connection is closed.
            }
        }

        private void end(RestAnswer answer) {
            if (ended) {
                return;
            }
            ended = true;
            waiting.decrementAndGet();
            waitingBytes.addAndGet(-restRequest.body().length);
            if (deadline != null) {
                deadline.cancel(false);
            }
            late.send(reply(answer));
        }
    }
}
