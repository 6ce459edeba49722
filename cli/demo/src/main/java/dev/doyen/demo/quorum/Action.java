package dev.doyen.demo.quorum;

import java.util.Locale;
import java.util.Optional;

/**
 * An action that a visitor of the page starts. All actions except {@link #START} and {@link #ADD} concern one member.
 */
public enum Action {
    /** Ends all members and starts three new members. */
    START(false),
    ADD(false),
    /** Kills the member's process with SIGKILL. */
    KILL(true),
    /** Starts a new process for a member whose process has ended. The member keeps its directory. */
    RESTART(true),
    /** Suspends the member's process with SIGSTOP. */
    FREEZE(true),
    /** Resumes the member's process with SIGCONT. */
    THAW(true),
    /** Breaks all connections between this member and the other members. */
    CUT(true),
    RECONNECT(true),
    REMOVE(true);

    private final boolean ofMember;

    Action(boolean ofMember) {
        this.ofMember = ofMember;
    }

    /** Returns true if the action concerns one member. */
    public boolean isOfMember() {
        return ofMember;
    }

    /** Returns the action whose name in lower case is {@code name}. */
    public static Optional<Action> named(String name) {
        for (Action each : values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(name)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }
}
