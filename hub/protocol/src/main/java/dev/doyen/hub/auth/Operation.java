package dev.doyen.hub.auth;

import java.util.Set;
import java.util.TreeSet;

/** An operation that a capability can allow. LEAD and ADMIN exist only in Doyen. */
public enum Operation {
    PUBLISH("publish"),
    /** Allows a client to receive messages and presence events, and to read the presence set. */
    SUBSCRIBE("subscribe"),
    /** Allows a client to enter the presence set. */
    PRESENCE("presence"),
    HISTORY("history"),
    /** Allows a client to read the status and the occupancy of a channel. */
    CHANNEL_METADATA("channel-metadata"),
    STATS("stats"),
    /**
     * Allows nothing, because this hub has no annotations. The reported modes contain this operation because SDKs
     * expect it.
     */
    ANNOTATION_PUBLISH("annotation-publish"),
    /** Allows a client to hold a claim. A member without this operation can be present but never leads. */
    LEAD("lead"),
    /** Allows a client to send admin commands: resign, transfer, pause and resume. */
    ADMIN("admin");

    /** The text in a capability that allows every operation. */
    static final String ANY = "*";

    /**
     * Ably's operations that have no function on this hub. Capabilities that were written for Ably can contain them.
     */
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

    /** Returns the name that capabilities use for this operation. */
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
