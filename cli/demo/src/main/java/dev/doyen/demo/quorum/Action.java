package dev.doyen.demo.quorum;

import java.util.Locale;
import java.util.Optional;

/** An action of the page's visitor. All except {@link #START} and {@link #ADD} concern one member. */
public enum Action {
    /** Ends all members and starts three new ones. */
    START(false),
    ADD(false),
    /** SIGKILL. */
    KILL(true),
    /** Restarts the process of a killed member with the same directory. */
    RESTART(true),
    /** SIGSTOP. */
    FREEZE(true),
    /** SIGCONT. */
    THAW(true),
    /** Breaks all connections to the other members. */
    CUT(true),
    RECONNECT(true),
    REMOVE(true);

    private final boolean ofMember;

    Action(boolean ofMember) {
        this.ofMember = ofMember;
    }

    /** Whether the action concerns one member. */
    public boolean isOfMember() {
        return ofMember;
    }

    /** The action with this name in lower case. */
    public static Optional<Action> named(String name) {
        for (Action each : values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(name)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }
}
