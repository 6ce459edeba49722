package dev.doyen.stores.quorum;

/**
 * A request of a process to join the quorum that its directory belongs to.
 *
 * @param wasMember true if a confirmed member list contained this process
 */
record JoinRequest(QuorumEndpoint joining, boolean wasMember) {

    byte[] bytes() {
        var sink = new ByteSink();
        QuorumEndpoint.write(sink, joining);
        return sink.flag(wasMember).bytes();
    }

    static JoinRequest read(byte[] bytes) {
        var source = new ByteSource(bytes);
        var read = new JoinRequest(QuorumEndpoint.read(source), source.flag());
        source.end();
        return read;
    }
}
