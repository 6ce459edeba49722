package dev.doyen.cli;

/** The command failed. The message is the one sentence that the user reads. */
final class CommandFailedException extends Exception {

    private static final long serialVersionUID = 1;

    CommandFailedException(String sentence) {
        super(sentence);
    }

    CommandFailedException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
