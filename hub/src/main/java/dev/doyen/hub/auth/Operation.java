package dev.doyen.hub.auth;

import java.util.Set;
import java.util.TreeSet;

/** What a capability may allow. The last two are Doyen's own. */
public enum Operation {
    PUBLISH("publish"),
    /** Messages and presence events, and who is present. */
    SUBSCRIBE("subscribe"),
    /** To be a member. */
    PRESENCE("presence"),
    HISTORY("history"),
    /** What a channel's status tells, occupancy included. */
    CHANNEL_METADATA("channel-metadata"),
    STATS("stats"),
    /** Shown among the modes that it allows, for the SDKs' sake; there are no annotations. */
    ANNOTATION_PUBLISH("annotation-publish"),
    /** To hold a channel's claim. Who lacks it may be present, and never leads. */
    LEAD("lead"),
    /** To resign, transfer and pause what others lead. */
    ADMIN("admin");

    /** Stands for every operation. */
    static final String ANY = "*";

    /** Operations of Ably's that this hub serves nothing for: capabilities written for Ably are taken as they are. */
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

    /** As capabilities spell it. */
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
