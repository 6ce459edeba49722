package dev.doyen.demo.ring.driver;

import dev.doyen.demo.ring.RecordingParameters;
import dev.doyen.elector.http.HttpHandler;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.elector.http.LateReply;
import dev.doyen.elector.http.Reading;
import dev.doyen.elector.http.SubPage;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;

/**
 * Serves the ring visualizer at {@code /ring/} and its recordings at {@code /ring/recording}.
 *
 * <p>A recording contains no secrets, because it shows a simulated ring that exists only for the request.
 *
 * <p>Threads: the event loop of the socket calls this handler. A {@link ThrottledRecorder} makes the recordings on
 * its own thread.
 */
public final class RingVisualizerHandler implements HttpHandler {

    private static final System.Logger LOG = System.getLogger(RingVisualizerHandler.class.getName());
    private static final String RECORDING = "/ring/recording";

    private final ThrottledRecorder recorder = new ThrottledRecorder();
    private final SubPage page = new SubPage("/ring", "picture");
    private final HttpHandler other;

    /**
     * Creates the handler.
     *
     * @param other the handler of all other requests
     */
    public RingVisualizerHandler(HttpHandler other) {
        this.other = other;
    }

    @Override
    public void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
        String path = Reading.path(request);
        if (!page.has(path)) {
            other.serve(ctx, request);
        } else if (!Reading.is(request)) {
            Reading.only().send(ctx, request);
        } else if (path.equals(RECORDING)) {
            recording(ctx, request);
        } else {
            page.reply(path).send(ctx, request);
        }
    }

    private void recording(ChannelHandlerContext ctx, FullHttpRequest request) {
        RecordingParameters plan;
        try {
            plan = RecordingParameters.of(once(new QueryStringDecoder(request.uri(), true).parameters()));
        } catch (IllegalArgumentException e) {
            HttpReply.sentence(400, e.getMessage() + ".").send(ctx, request);
            return;
        }
        try {
            var made = recorder.make(plan);
            var late = new LateReply(ctx, request);
            made.whenComplete((json, fault) -> {
                if (fault != null) {
                    LOG.log(Level.ERROR, "a recording failed: " + plan, fault);
                    late.send(HttpReply.sentence(500, "The recording failed; see the log."));
                } else {
                    late.send(new HttpReply(200, Reading.headers("application/json"), json));
                }
            });
        } catch (RejectedExecutionException e) {
            HttpReply.sentence(
                            503,
                            "The server already has " + ThrottledRecorder.MAX_WAITING
                                    + " recordings to make; try again in a second.")
                    .with("Retry-After", "1")
                    .send(ctx, request);
        }
    }

    private static Map<String, String> once(Map<String, List<String>> parameters) {
        var query = new HashMap<String, String>();
        parameters.forEach((name, values) -> {
            if (values.size() > 1) {
                throw new IllegalArgumentException("a parameter occurs twice; give each parameter once");
            }
            query.put(name, values.get(0));
        });
        return query;
    }
}
