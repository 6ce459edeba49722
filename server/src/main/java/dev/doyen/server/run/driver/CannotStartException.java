package dev.doyen.server.run.driver;

/** A command cannot be started; the message is the sentence its user reads. */
public final class CannotStartException extends Exception {

    /** What a shell exits with when there is no such command. */
    static final int NOT_FOUND = 127;
    /** What a shell exits with when there is one that cannot be run. */
    static final int NOT_EXECUTABLE = 126;

    private static final long serialVersionUID = 1;

    private final int exitCode;

    CannotStartException(int exitCode, String sentence) {
        super(sentence);
        this.exitCode = exitCode;
    }

    /** 126 or 127, as a shell would say. */
    public int exitCode() {
        return exitCode;
    }
}
