package dev.doyen.image.driver;

/** No image can be made here; the message is for the person who asked for one. */
final class ImageRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    ImageRefusedException(String message) {
        super(message);
    }

    ImageRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
