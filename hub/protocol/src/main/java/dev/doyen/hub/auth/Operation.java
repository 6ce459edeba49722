package dev.doyen.hub.auth;

import java.util.Set;
import java.util.TreeSet;

/** An operation that a capability may allow. The last two exist in Doyen only. */
public enum Operation {
    PUBLISH("publish"),
    /** Receive messages and presence events, and read the presence set. */
    SUBSCRIBE("subscribe"),
    /** Enter the presence set. */
    PRESENCE("presence"),
    HISTORY("history"),
    /** Read a channel's status, with its occupancy. */
    CHANNEL_METADATA("channel-metadata"),
    STATS("stats"),
    /** Part of the reported modes, because SDKs expect it. This hub has no annotations. */
    ANNOTATION_PUBLISH("annotation-publish"),
    /** Hold a claim. A member without it may be present, and never leads. */
    LEAD("lead"),
    /** Send admin commands: resign, transfer, pause and resume. */
    ADMIN("admin");

    /** Stands for every operation. */
    static final String ANY = "*";

    /** Ably's operations without a function on this hub. Capabilities written for Ably may contain them. */
    private static final Set<String> OTHERS = Set.of(
            "annotation-subscribe",
            "message-delete-any",
            "message-delete-own",
            "message-update-any",
            "message-update-own",
            "object-publish",
            "object-subscribe",
            "privileged-headers",
            "push-admin",
            "push-subscribe");

    private static final Set<String> NAMES = names();

    private final String spelling;

    Operation(String spelling) {
        this.spelling = spelling;
    }

    /** The name in capabilities. */
    public String spelling() {
        return spelling;
    }

    static boolean isKnown(String name) {
        return NAMES.contains(name);
    }

    private static Set<String> names() {
        var names = new TreeSet<>(OTHERS);
        for (Operation operation : values()) {
            names.add(operation.spelling);
        }
        return names;
    }
}
