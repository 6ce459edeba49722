package dev.doyen.cluster;

/** What arrived was not sealed by a member for this place, or was opened before. The message says which, not what was in it. */
final class BrokenSealException extends Exception {

    private static final long serialVersionUID = 1;

    BrokenSealException(String reason) {
        super(reason);
    }
}
