package dev.doyen.demo.quorum.driver;

import dev.doyen.demo.quorum.Action;
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
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The page of the quorum demonstration at {@code /quorum/}.
 *
 * <p>The event stream {@code /quorum/events} contains its state. A POST to {@code /quorum/v1/ACTION} or
 * {@code /quorum/v1/ACTION/MEMBER} sends an action.
 *
 * <p>An action starts or ends processes of this machine. So only the page itself may send one, from this machine and
 * under a loopback name. The state has the same conditions, except for the origin.
 *
 * <p>Threads: the socket's event loop.
 */
public final class QuorumDemoHandler implements HttpHandler {

    public static final Duration BETWEEN_EVENTS = Duration.ofMillis(250);

    private static final SubPage PAGE = new SubPage("/quorum", "quorum");
    private static final String EVENTS = "/quorum/events";
    private static final String ACTIONS = "/quorum/v1/";

    private final QuorumDemo demo;
    private final ConsoleFeed<Audience> feed;
    private final HttpHandler other;

    /**
     * Creates the site.
     *
     * @param other handles all other requests
     */
    public QuorumDemoHandler(QuorumDemo demo, ConsoleFeed<Audience> feed, HttpHandler other) {
        this.demo = demo;
        this.feed = feed;
        this.other = other;
    }

    /** Replaces the page if other machines can reach the server. */
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
        if (!RequestOrigin.isThisMachine(ctx, request) || !RequestOrigin.isOwnPage(request)) {
            PendingAdminCommands.refused(
                            403,
                            "this is done only for the demonstration's own page, opened on this machine as localhost or"
                                    + " 127.0.0.1")
                    .send(ctx, request);
            return;
        }
        String[] words = path.split("/", -1);
        Optional<Action> action = Action.named(words[0]);
        Optional<Integer> number = member(words);
        if (action.isEmpty() || number.isPresent() != action.get().isOfMember() || words.length > 2) {
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

    /** The member number after the action; 1 to 4 digits. */
    private static Optional<Integer> member(String[] words) {
        return words.length == 2 && words[1].matches("[0-9]{1,4}")
                ? Optional.of(Integer.parseInt(words[1]))
                : Optional.empty();
    }
}
