package dev.doyen.stores.quorum;

/**
 * A wire that tests and demonstrations can switch off.
 *
 * <p>While the wire is off, it drops all frames in both directions, like a broken network switch. The process and its
 * connections continue.
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

            @Override
            public void ended(Peer from) {
                receiver.ended(switchable(from));
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
        return new SwitchablePeer(this, peer);
    }

    /**
     * A peer that drops frames while the wire is off. Two of these peers are equal if they have the same connection.
     */
    private record SwitchablePeer(SwitchableWire wire, Peer peer) implements Peer {

        @Override
        public void send(byte[] frame) {
            if (!wire.isOff) {
                peer.send(frame);
            }
        }

        @Override
        public void end() {
            peer.end();
        }
    }
}
