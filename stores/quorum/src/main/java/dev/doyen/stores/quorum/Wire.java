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

        /** Ends the connection, if there is one. A frame that is sent to an address later goes over a new connection. */
        default void end() {}
    }

    /** What arrives. Called on threads of the wire; must not wait. */
    interface Receiver {

        /** Throws {@link MalformedBytesException} if the frame cannot be read; the connection is closed then. */
        void receive(Peer from, byte[] frame);

        /** The connection to this address broke, or could not be made. Frames that were sent before may not have arrived. */
        void lost(String address);

        /** The connection on which this peer sent frames has ended. It sends no more of them. */
        default void ended(Peer from) {}
    }

    /** Begins to hand frames over, and to listen if this process can be connected to. */
    void start(Receiver receiver);

    /** The process that listens at {@code host:port}. */
    Peer peer(String address);

    /** Returns whether a frame to this address would be sent now. */
    boolean isReachable(String address);

    @Override
    void close();
}
