package dev.doyen.stores.quorum;

/**
 * A process asks to take part in the quorum that its directory belongs to.
 *
 * @param hasEntries whether its log has entries; then it was a member before
 */
record JoinRequest(QuorumEndpoint joining, boolean hasEntries) {

    byte[] bytes() {
        var sink = new ByteSink();
        QuorumEndpoint.write(sink, joining);
        return sink.flag(hasEntries).bytes();
    }

    static JoinRequest read(byte[] bytes) {
        var source = new ByteSource(bytes);
        var read = new JoinRequest(QuorumEndpoint.read(source), source.flag());
        source.end();
        return read;
    }
}
