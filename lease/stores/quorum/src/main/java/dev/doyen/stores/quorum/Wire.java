package dev.doyen.stores.quorum;

/**
 * Carries frames between processes.
 *
 * <p>A frame arrives whole, once and in the order of its connection, or it does not arrive.
 *
 * <p>Threads: any may send. No method blocks.
 */
interface Wire extends AutoCloseable {

    /** The longest frame, in bytes. */
    int MAX_FRAME = 16 << 20;

    /** The destination of a frame, for example of an answer. */
    interface Peer {

        /** Sends a frame. Drops it if the peer cannot be reached or reads too slowly. */
        void send(byte[] frame);

        /** Ends the connection, if there is one. A later frame to the same address opens a new connection. */
        default void end() {}
    }

    /** Receives frames. Called on threads of the wire; must not block. */
    interface Receiver {

        /**
         * Processes a frame.
         *
         * @throws MalformedBytesException if the frame cannot be read; then the connection is closed
         */
        void receive(Peer from, byte[] frame);

        /**
         * Called when the connection to this address broke or could not be opened. Earlier frames may not have arrived.
         */
        void lost(String address);

        /** Called when the connection from this peer has ended. The peer sends no more frames. */
        default void ended(Peer from) {}
    }

    /** Starts to receive frames, and to accept connections if this process listens. */
    void start(Receiver receiver);

    /** Returns the process that listens at {@code host:port}. */
    Peer peer(String address);

    /** Returns whether a connection to this address is open. */
    boolean isReachable(String address);

    @Override
    void close();
}
