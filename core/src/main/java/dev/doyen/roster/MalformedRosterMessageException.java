package dev.doyen.roster;

/** Bytes that are no message of a roster. The message is a sentence about them, beginning with "it" or a part of it. */
public final class MalformedRosterMessageException extends Exception {

    private static final long serialVersionUID = 1;

    MalformedRosterMessageException(String message) {
        super(message);
    }
}
