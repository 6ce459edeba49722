package dev.doyen.injector;

import java.util.regex.Pattern;

/**
 * The syntax of the URLs that the elector accepts, as patterns.
 *
 * <p>The elector would not start with any other URL. This package does no I/O, so it cannot use {@code java.net.URI}.
 */
final class UrlSyntax {

    private static final int MAX_LENGTH = 1024;
    private static final String LABEL = "(?:[A-Za-z0-9-]*[A-Za-z0-9])?";
    private static final String NUMBER = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final String NAME_OR_IPV4 =
            "(?:(?:[A-Za-z0-9]" + LABEL + "\\.)*[A-Za-z]" + LABEL + "|" + NUMBER + "(?:\\." + NUMBER + "){3})";
    private static final String PORT =
            "(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])";
    private static final String PATH_AND_QUERY = "/(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]++|%[0-9A-Fa-f]{2})*+";
    private static final String LIMITED = "(?=.{1," + MAX_LENGTH + "}$)";

    /** A host name or an IPv4 address. */
    static final Pattern HOST = Pattern.compile("(?=.{1,253}$)" + NAME_OR_IPV4);

    /** An absolute path, which can be followed by a query. */
    static final Pattern PATH = Pattern.compile(LIMITED + PATH_AND_QUERY);

    static final Pattern HOST_AND_PORT = Pattern.compile(LIMITED + NAME_OR_IPV4 + ":" + PORT);

    /** An http or https URL. */
    static final Pattern URL =
            Pattern.compile(LIMITED + "https?://" + NAME_OR_IPV4 + "(?::" + PORT + ")?(?:" + PATH_AND_QUERY + ")?");

    private UrlSyntax() {}
}
