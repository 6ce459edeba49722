package dev.doyen.elector.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Determines the origin of a request from the socket and from the headers. */
public final class RequestOrigin {

    private static final Pattern LOOPBACK_HOST =
            Pattern.compile("(?:localhost|127(?:\\.[0-9]{1,3}){3}|\\[::1])(?::[0-9]{1,5})?", Pattern.CASE_INSENSITIVE);

    /** A name below localhost (RFC 6761, section 6.3), or an address. */
    private static final Pattern LOCAL_HOST = Pattern.compile(
            "(?:(?:[a-z0-9-]+\\.)+localhost|[0-9]{1,3}(?:\\.[0-9]{1,3}){3}|\\[[0-9a-f:.]+])(?::[0-9]{1,5})?",
            Pattern.CASE_INSENSITIVE);

    /**
     * The maximum length of a local name or address. A domain name has at most 253 characters (RFC 1035, section
     * 2.3.4). Java's patterns would exhaust the stack on a much longer text.
     */
    private static final int MAX_HOST_LENGTH = 255;

    /** The headers that proxies add (RFC 7239, RFC 9110 section 7.6.3). */
    private static final List<String> FORWARDING_HEADERS = List.of("forwarded", "x-real-ip", "via");

    private static final String FORWARDING_PREFIX = "x-forwarded-";

    private RequestOrigin() {}

    /**
     * Returns true if this machine sent the request without a proxy, under a loopback name.
     *
     * <p>A true result does not prove that a person at this machine sent the request. Some proxies add no header and
     * replace Host by a loopback name, so requests of their clients also give a true result. The caller must therefore
     * allow only actions that all clients of such a proxy may perform, unless the user has decided otherwise. Neither
     * the socket nor the Host header would be enough alone:
     * <ul>
     *   <li>A browser on this machine also sends the requests of a foreign page whose domain name resolves to this
     *       machine (DNS rebinding).
     *   <li>Any client can send any Host header.
     * </ul>
     */
    public static boolean isThisMachine(ChannelHandlerContext ctx, FullHttpRequest request) {
        return ctx.channel().remoteAddress() instanceof InetSocketAddress peer
                && peer.getAddress().isLoopbackAddress()
                && !ClientAddress.isFromProxy(ctx.channel())
                && !isForwarded(request)
                && isLoopbackName(request.headers().get(HttpHeaderNames.HOST, ""));
    }

    /**
     * Returns true if a request over loopback has a foreign domain name as Host.
     *
     * <p>The domain of a foreign page can resolve to this machine (DNS rebinding). The browser on this machine then
     * sends the page's requests to this port, with the page's domain as the Host. A header of a proxy makes no
     * difference, because a page can add such headers. A public domain name is never an address, and always contains a
     * dot. So the method returns false for an address, for a name below localhost, and for a name without a dot.
     */
    static boolean hasForeignHost(ChannelHandlerContext ctx, FullHttpRequest request) {
        String host = request.headers().get(HttpHeaderNames.HOST, "");
        return ctx.channel().remoteAddress() instanceof InetSocketAddress peer
                && peer.getAddress().isLoopbackAddress()
                && host.indexOf('.') >= 0
                && !isLocal(host, LOCAL_HOST);
    }

    /** Returns true if the request contains one of the headers that proxies add. */
    static boolean isForwarded(FullHttpRequest request) {
        return request.headers().names().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .anyMatch(name -> FORWARDING_HEADERS.contains(name) || name.startsWith(FORWARDING_PREFIX));
    }

    /** Returns true if this Host header is a loopback name or address. */
    private static boolean isLoopbackName(String host) {
        return isLocal(host, LOOPBACK_HOST);
    }

    private static boolean isLocal(String host, Pattern names) {
        return host.length() <= MAX_HOST_LENGTH && names.matcher(host).matches();
    }

    /**
     * Returns the origin of the web page that sent the request, if the page comes from a server on this machine.
     *
     * <p>The result is empty if the page has another origin, or if no page of another origin sent the request.
     */
    public static Optional<String> loopbackPage(FullHttpRequest request) {
        return Optional.ofNullable(request.headers().get(HttpHeaderNames.ORIGIN))
                .filter(origin -> isLoopbackName(origin.replaceFirst("^https?://", "")));
    }

    /**
     * Returns true if a web page of this host sent the request.
     *
     * <p>A browser sends the origin with every POST, and a page cannot change it. The scheme can be https, because a
     * TLS proxy can run in front of this port. The caller must also check the host itself.
     */
    public static boolean isOwnPage(FullHttpRequest request) {
        String host = request.headers().get(HttpHeaderNames.HOST, "");
        String origin = request.headers().get(HttpHeaderNames.ORIGIN, "");
        return origin.equalsIgnoreCase("http://" + host) || origin.equalsIgnoreCase("https://" + host);
    }
}
