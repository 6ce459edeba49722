package dev.doyen.image.driver;

/** Thrown if an image cannot be built on this machine. The message is for the user of {@code ./dev image}. */
final class ImageRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    ImageRefusedException(String message) {
        super(message);
    }

    ImageRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
