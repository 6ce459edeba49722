package dev.doyen.stores.quorum;

/** Counts the sent frames and drops them. */
final class DroppingWire implements Wire {

    int sent;

    @Override
    public void start(Receiver receiver) {}

    @Override
    public Peer peer(String address) {
        return frame -> sent++;
    }

    @Override
    public boolean isReachable(String address) {
        return true;
    }

    @Override
    public void close() {}
}
