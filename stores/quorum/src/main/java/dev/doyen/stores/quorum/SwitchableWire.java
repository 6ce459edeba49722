package dev.doyen.stores.quorum;

/**
 * A wire that can be switched off: for tests of faults, and for demonstrations. Frames are dropped then, in both directions,
 * as behind a broken switch. The process and its connections stay.
 *
 * <p>Threads: any.
 */
final class SwitchableWire implements Wire {

    private final Wire wire;
    private volatile boolean isOff;

    SwitchableWire(Wire wire) {
        this.wire = wire;
    }

    void switchOff() {
        isOff = true;
    }

    void switchOn() {
        isOff = false;
    }

    @Override
    public void start(Receiver receiver) {
        wire.start(new Receiver() {
            @Override
            public void receive(Peer from, byte[] frame) {
                if (!isOff) {
                    receiver.receive(switchable(from), frame);
                }
            }

            @Override
            public void lost(String address) {
                receiver.lost(address);
            }
        });
    }

    @Override
    public Peer peer(String address) {
        return switchable(wire.peer(address));
    }

    @Override
    public boolean isReachable(String address) {
        return !isOff && wire.isReachable(address);
    }

    @Override
    public void close() {
        wire.close();
    }

    private Peer switchable(Peer peer) {
        return frame -> {
            if (!isOff) {
                peer.send(frame);
            }
        };
    }
}
