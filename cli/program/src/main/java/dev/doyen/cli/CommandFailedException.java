package dev.doyen.cli;

/** Thrown if the command failed. The message is the sentence that the program prints for the user. */
final class CommandFailedException extends Exception {

    private static final long serialVersionUID = 1;

    CommandFailedException(String sentence) {
        super(sentence);
    }

    CommandFailedException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
