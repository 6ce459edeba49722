package dev.doyen.process;

/** Thrown if a command cannot be started. The message is written for the user. */
public final class CannotStartException extends Exception {

    /** The exit code that a shell returns if the command does not exist. */
    public static final int NOT_FOUND = 127;
    /** The exit code that a shell returns if the command exists but cannot be run. */
    public static final int NOT_EXECUTABLE = 126;

    private static final long serialVersionUID = 1;

    private final int exitCode;

    public CannotStartException(int exitCode, String sentence) {
        super(sentence);
        this.exitCode = exitCode;
    }

    /** Returns the exit code that a shell would return, which is 126 or 127. */
    public int exitCode() {
        return exitCode;
    }
}
