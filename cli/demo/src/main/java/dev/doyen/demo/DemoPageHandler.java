package dev.doyen.demo;

import dev.doyen.elector.http.Audience;
import dev.doyen.elector.http.HttpHandler;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.elector.http.Reading;
import dev.doyen.elector.http.RequestOrigin;
import dev.doyen.elector.http.StaticFiles;
import dev.doyen.hub.server.ClientHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Serves the demo page, its subpages, their configuration and their tokens, and a QR code of the page's address.
 *
 * <p>If the hub listens on loopback, the configuration and the tokens are sent only to this machine. This check is a
 * defence against DNS rebinding; see {@link RequestOrigin#isThisMachine}.
 */
public final class DemoPageHandler implements HttpHandler {

    /** The class path folder with the built page. */
    private static final String PAGE_FOLDER = "demo";

    /** The path of the QR code with the address for other machines. */
    private static final String QR_CODE = "/qr-code.svg";

    private static final String TOKEN_USAGE = ", as /token?clientId=NAME&channel=NAME.";

    private static final Pattern PLAIN_HOST =
            Pattern.compile("(?:[A-Za-z0-9.-]{1,253}|\\[[0-9A-Fa-f:]{2,45}])(?::[0-9]{1,5})?");

    private final StaticFiles files;
    private final Supplier<PageConfig> config;
    private final PageTokens tokens;
    private final Audience audience;

    /**
     * Creates the handler.
     *
     * @param config returns the present configuration
     * @param audience the machines that can reach the handler
     */
    DemoPageHandler(ClassLoader classes, Supplier<PageConfig> config, PageTokens tokens, Audience audience) {
        this.files = new StaticFiles(classes, PAGE_FOLDER);
        this.config = config;
        this.tokens = tokens;
        this.audience = audience;
    }

    @Override
    public void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
        reply(ctx, request).send(ctx, request);
    }

    private HttpReply reply(ChannelHandlerContext ctx, FullHttpRequest request) {
        if (!Reading.is(request)) {
            return Reading.only();
        }
        var path = Reading.path(request);
        var host = request.headers().get(HttpHeaderNames.HOST, "");
        if (path.equals("/config.json") || path.equals("/token")) {
            if (audience == Audience.LOOPBACK && !RequestOrigin.isThisMachine(ctx, request)) {
                return HttpReply.sentence(
                        421,
                        "The configuration and the tokens of the page are sent to this machine only, and not through a"
                                + " proxy; open http://localhost or 127.0.0.1.");
            }
            return path.equals("/token")
                    ? token(request)
                    : new HttpReply(
                            200,
                            Reading.headers("application/json"),
                            config.get().json());
        }
        var sharedUrl = config.get().sharedUrl();
        if (path.equals(QR_CODE) && !sharedUrl.isEmpty()) {
            return new HttpReply(
                    200,
                    Reading.headers("image/svg+xml"),
                    QrDrawing.of(sharedUrl).svg().getBytes(StandardCharsets.US_ASCII));
        }
        var file = files.find(path);
        if (file.isPresent()) {
            var headers = Reading.headers(file.get().contentType());
            headers.put("Content-Security-Policy", contentSecurityPolicy(host));
            if (path.equals(ClientHandler.PATH)) {
                headers.putAll(ClientHandler.HEADERS);
            }
            return new HttpReply(200, headers, file.get().bytes());
        }
        if (files.find(path + "/").isPresent()) {
            return HttpReply.sentence(308, "The page is at " + path + "/.").with("Location", path + "/");
        }
        return path.equals("/")
                ? HttpReply.sentence(
                        404,
                        "This address serves the hub by WebSocket, but this build contains no demo page;"
                                + " start it with ./doyen demo, which builds one.")
                : HttpReply.sentence(404, "Nothing is served at this path; the demo page is at /.");
    }

    /**
     * Returns a token for the client id and the channel of the request.
     *
     * <p>On loopback, the pages of all servers on this machine may read the token, because such a page can be a page
     * that its developer is writing. The pages of other sites may not (CORS).
     */
    private HttpReply token(FullHttpRequest request) {
        var given = new QueryStringDecoder(request.uri()).parameters();
        var clientId = only(given.get("clientId"));
        var channel = only(given.get("channel"));
        HttpReply reply;
        if (!PageTokens.isClientId(clientId)) {
            reply = HttpReply.sentence(400, "Give one clientId of 1 to 100 letters, digits and . _ : -" + TOKEN_USAGE);
        } else if (!DemoPages.isChannel(channel)) {
            reply = HttpReply.sentence(
                    400,
                    "Give one channel of 1 to 100 letters, digits and . _ : - that begins with a letter or a digit"
                            + TOKEN_USAGE);
        } else if (!tokens.mayLead(audience, channel)) {
            reply = HttpReply.sentence(
                    403,
                    "Other machines get tokens only for the channels of the demo's pages, and '" + channel
                            + "' is none of them.");
        } else {
            var token = tokens.sign(clientId, channel, Instant.now());
            reply = new HttpReply(200, Reading.headers("application/jwt"), token.getBytes(StandardCharsets.US_ASCII));
        }
        var page = audience == Audience.LOOPBACK ? RequestOrigin.loopbackPage(request) : Optional.<String>empty();
        return page.isEmpty()
                ? reply
                : reply.with("Access-Control-Allow-Origin", page.get()).with("Vary", "Origin");
    }

    /** Returns the value of a parameter that occurs once, and otherwise an empty text. */
    private static String only(@Nullable List<String> values) {
        return values != null && values.size() == 1 ? values.get(0) : "";
    }

    /**
     * Returns the content security policy. The policy lists the page's own WebSocket, because some browsers do not
     * count a WebSocket as {@code 'self'}.
     */
    private static String contentSecurityPolicy(String host) {
        var socket = PLAIN_HOST.matcher(host).matches() ? " ws://" + host + " wss://" + host : "";
        return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self';"
                + " manifest-src 'self'; worker-src 'self' blob:; connect-src 'self'" + socket
                + "; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; frame-src 'self'";
    }
}
