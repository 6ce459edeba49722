package dev.doyen.demo.quorum.driver;

import dev.doyen.demo.quorum.Action;
import dev.doyen.elector.AdminKey;
import dev.doyen.elector.console.ConsoleFeed;
import dev.doyen.elector.http.Audience;
import dev.doyen.elector.http.HttpHandler;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.elector.http.LateReply;
import dev.doyen.elector.http.PendingAdminCommands;
import dev.doyen.elector.http.Reading;
import dev.doyen.elector.http.RequestOrigin;
import dev.doyen.elector.http.SubPage;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Serves the page of the quorum demonstration at {@code /quorum/}.
 *
 * <p>The event stream {@code /quorum/events} contains the state of the demonstration. A POST to {@code
 * /quorum/v1/ACTION} or {@code /quorum/v1/ACTION/MEMBER} sends an action.
 *
 * <p>An action starts or ends processes on this machine. Therefore an action request must contain the admin key. The
 * event stream needs no key, but it is sent only to clients on this machine that use a loopback name and no proxy.
 *
 * <p>Threads: the event loop of the socket calls this handler.
 */
public final class QuorumDemoHandler implements HttpHandler {

    public static final Duration BETWEEN_EVENTS = Duration.ofMillis(250);

    private static final SubPage PAGE = new SubPage("/quorum", "quorum");
    private static final String EVENTS = "/quorum/events";
    private static final String ACTIONS = "/quorum/v1/";

    private final QuorumDemo demo;
    private final AdminKey adminKey;
    private final ConsoleFeed<Audience> feed;
    private final HttpHandler other;

    /**
     * Creates the handler.
     *
     * @param adminKey the key that an action needs
     * @param other the handler of all other requests
     */
    public QuorumDemoHandler(QuorumDemo demo, AdminKey adminKey, ConsoleFeed<Audience> feed, HttpHandler other) {
        this.demo = demo;
        this.adminKey = adminKey;
        this.feed = feed;
        this.other = other;
    }

    /**
     * Returns a handler that answers 404 instead of the page. Use this handler if other machines can reach the server.
     */
    public static HttpHandler absent(HttpHandler other) {
        return (ctx, request) -> {
            if (PAGE.has(Reading.path(request))) {
                HttpReply.sentence(
                                404,
                                "The quorum demonstration starts and ends processes, so it is not served here: other"
                                        + " machines reach this server. Start it without --bind.")
                        .send(ctx, request);
            } else {
                other.serve(ctx, request);
            }
        };
    }

    @Override
    public void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
        String path = Reading.path(request);
        if (!PAGE.has(path)) {
            other.serve(ctx, request);
        } else if (request.method().equals(HttpMethod.POST) && path.startsWith(ACTIONS)) {
            act(ctx, request, path.substring(ACTIONS.length()));
        } else if (!Reading.is(request)) {
            Reading.only().send(ctx, request);
        } else if (path.equals(EVENTS)) {
            events(ctx, request);
        } else {
            PAGE.reply(path).send(ctx, request);
        }
    }

    private void events(ChannelHandlerContext ctx, FullHttpRequest request) {
        if (RequestOrigin.isThisMachine(ctx, request)) {
            feed.stream(ctx, request, Audience.LOOPBACK);
        } else {
            HttpReply.sentence(
                            421,
                            "The quorum demonstration is shown on its own machine only; open it there as"
                                    + " http://localhost or 127.0.0.1.")
                    .send(ctx, request);
        }
    }

    private void act(ChannelHandlerContext ctx, FullHttpRequest request, String path) {
        if (!adminKey.isIn(request.headers().get(HttpHeaderNames.AUTHORIZATION, ""))) {
            PendingAdminCommands.refused(
                            403,
                            "the action needs the admin key; open the address of the quorum demonstration that doyen"
                                    + " demo printed when it started")
                    .send(ctx, request);
            return;
        }
        String[] parts = path.split("/", -1);
        Optional<Action> action = Action.named(parts[0]);
        Optional<Integer> number = member(parts);
        if (action.isEmpty() || number.isPresent() != action.get().isOfMember() || parts.length > 2) {
            PendingAdminCommands.refused(404, "there is no such action").send(ctx, request);
            return;
        }
        var late = new LateReply(ctx, request);
        demo.carryOut(action.get(), number.orElse(0))
                .handle(QuorumDemoHandler::reply)
                .thenAccept(late::send);
    }

    private static HttpReply reply(@Nullable String sentence, @Nullable Throwable failure) {
        if (failure == null) {
            return PendingAdminCommands.done(200, String.valueOf(sentence));
        }
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof RefusedActionException
                ? PendingAdminCommands.refused(409, String.valueOf(cause.getMessage()))
                : PendingAdminCommands.refused(500, "the action failed: " + cause);
    }

    /**
     * Returns the member number that follows the action in the path.
     *
     * <p>The number has 1 to 4 digits.
     */
    private static Optional<Integer> member(String[] parts) {
        return parts.length == 2 && parts[1].matches("[0-9]{1,4}")
                ? Optional.of(Integer.parseInt(parts[1]))
                : Optional.empty();
    }
}
