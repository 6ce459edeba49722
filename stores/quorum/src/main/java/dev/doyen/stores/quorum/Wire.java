package dev.doyen.stores.quorum;

/**
 * Carries frames between processes. A frame arrives whole, once, and in the order of its connection, or it does not arrive.
 *
 * <p>Threads: any may send. No method waits.
 */
interface Wire extends AutoCloseable {

    /** The longest frame, in bytes. */
    int MAX_FRAME = 16 << 20;

    /** Where a frame can be answered. */
    interface Peer {

        /** Sends a frame; drops it if the peer cannot be reached or reads too slowly. */
        void send(byte[] frame);
    }

    /** What arrives. Called on threads of the wire; must not wait. */
    interface Receiver {

        /** Throws {@link MalformedBytesException} if the frame cannot be read; the connection is closed then. */
        void receive(Peer from, byte[] frame);

        /** The connection to this address broke, or could not be made. Frames that were sent before may not have arrived. */
        void lost(String address);
    }

    /** Begins to listen, and to hand frames over. */
    void start(Receiver receiver);

    /** The process that listens at {@code host:port}. */
    Peer peer(String address);

    /** Returns whether a frame to this address would be sent now. */
    boolean isReachable(String address);

    @Override
    void close();
}
