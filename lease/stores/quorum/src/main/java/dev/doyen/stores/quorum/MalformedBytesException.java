package dev.doyen.stores.quorum;

/** Thrown if bytes from the network or from a file are malformed. */
final class MalformedBytesException extends RuntimeException {

    private static final long serialVersionUID = 1;

    MalformedBytesException(String message) {
        super(message);
    }
}
