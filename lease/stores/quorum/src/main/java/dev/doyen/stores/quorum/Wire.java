package dev.doyen.stores.quorum;

/**
 * Carries frames between processes.
 *
 * <p>The frames of one connection arrive in the order of sending. A frame arrives complete and only once, or it does
 * not arrive.
 *
 * <p>Threads: any may send frames. No method blocks, except {@code close}.
 */
interface Wire extends AutoCloseable {

    /** The maximum length of a frame, in bytes. */
    int MAX_FRAME = 16 << 20;

    /** The destination of a frame, for example a process that waits for the answer to its request. */
    interface Peer {

        /** Sends a frame. The wire drops the frame if the peer cannot be reached or reads too slowly. */
        void send(byte[] frame);

        /**
         * Ends the connection to this peer, if a connection exists. A later frame to the same address opens a new
         * connection.
         */
        default void end() {}
    }

    /** Receives frames. Threads of the wire call the methods, which must not block. */
    interface Receiver {

        /**
         * Processes a frame.
         *
         * @throws MalformedBytesException if the frame is malformed; the wire then closes the connection
         */
        void receive(Peer from, byte[] frame);

        /**
         * Called when the connection to this address failed or could not be opened. Earlier frames are possibly lost.
         */
        void lost(String address);

        /** Called when the connection from this peer has ended. The peer sends no more frames. */
        default void ended(Peer from) {}
    }

    /** Starts to receive frames, and to accept connections if this process listens. */
    void start(Receiver receiver);

    /** Returns a peer for the process that listens at {@code host:port}. */
    Peer peer(String address);

    /** Returns true if a connection to this address is open. */
    boolean isReachable(String address);

    @Override
    void close();
}
