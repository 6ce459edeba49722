package dev.doyen.stores.quorum;

/** An exception thrown if bytes from the network or a file do not match the format that members write. */
final class MalformedBytesException extends RuntimeException {

    private static final long serialVersionUID = 1;

    MalformedBytesException(String message) {
        super(message);
    }
}
