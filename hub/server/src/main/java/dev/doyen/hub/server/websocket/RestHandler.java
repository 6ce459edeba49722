package dev.doyen.hub.server.websocket;

import dev.doyen.elector.http.HttpHandler;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.elector.http.LateReply;
import dev.doyen.elector.http.Reading;
import dev.doyen.elector.http.RemoteAddress;
import dev.doyen.hub.rest.RestAnswer;
import dev.doyen.hub.rest.RestApi;
import dev.doyen.hub.rest.RestRequest;
import dev.doyen.hub.wire.ErrorCode;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.concurrent.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Passes REST requests to the hub and sends its answers.
 *
 * <p>Threads: the socket's event loop handles a request; the hub answers on its own thread.
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
     * Whether the request is for the REST API.
     *
     * <p>SDKs send their version, and expect even a 404 in the API's format.
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
        var asked = RestRequest.of(
                        request.method().name(), request.uri(), headers, ByteBufUtil.getBytes(request.content()))
                .from(RemoteAddress.of(ctx.channel().remoteAddress()));
        var asking = new Waiting(ctx, request, asked);
        if (asking.start()) {
            hub.requested(asked, asking);
        }
    }

    private static HttpReply reply(RestAnswer answer) {
        var reply = new HttpReply(answer.status(), Map.of(), answer.body());
        for (var header : answer.headers()) {
            reply = reply.with(header.name(), header.value());
        }
        return reply;
    }

    /** A request that waits for its answer. Threads: the socket's event loop, except for the hub's calls. */
    private final class Waiting implements HubLoop.Asking {
        private final ChannelHandlerContext ctx;
        private final LateReply late;
        private final RestRequest asked;
        private @Nullable Future<?> deadline;
        private boolean ended;

        private Waiting(ChannelHandlerContext ctx, FullHttpRequest request, RestRequest asked) {
            this.ctx = ctx;
            this.late = new LateReply(ctx, request);
            this.asked = asked;
        }

        /** Returns false, and answers the request, if too many requests wait. */
        private boolean start() {
            int requests = waiting.incrementAndGet();
            int bytes = waitingBytes.addAndGet(asked.body().length);
            if (requests > limits.maxWaiting() || bytes > limits.maxWaitingBytes()) {
                end(refusal("there are as many requests as this hub takes on at once; try again in a moment"));
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
        public void failed() {
            onLoop(() -> end(RestApi.refusal(
                    asked, ErrorCode.INTERNAL.because("the hub failed on this request; its log says more"))));
        }

        private void tooLate() {
            hub.forget(this);
            end(refusal("the hub did not answer within " + limits.answerMillis() + " ms; whether it did what was asked"
                    + " is not known"));
        }

        private RestAnswer refusal(String sentence) {
            return RestApi.refusal(asked, ErrorCode.UNAVAILABLE.because(sentence));
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
            waitingBytes.addAndGet(-asked.body().length);
            if (deadline != null) {
                deadline.cancel(false);
            }
            late.send(reply(answer));
        }
    }
}
