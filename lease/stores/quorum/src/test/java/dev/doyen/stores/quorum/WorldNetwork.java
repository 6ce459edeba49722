package dev.doyen.stores.quorum;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * The network of a {@link QuorumWorld}, which loses, delays and reorders frames.
 *
 * <p>The network can partition hosts in one or both directions. Frames between members can overtake each other, which
 * TCP does not allow. Frames of a client stay in order.
 */
final class WorldNetwork {

    private final QuorumWorld world;
    private final Random random;
    private final boolean[][] cuts;
    private final List<Connection> connections = new ArrayList<>();
    private double loss;

    WorldNetwork(QuorumWorld world, Random random, int hosts) {
        this.world = world;
        this.random = random;
        this.cuts = new boolean[hosts][hosts];
    }

    Wire wire(WorldHost host) {
        return new HostWire(host);
    }

    void cut(int from, int to) {
        cuts[from][to] = true;
    }

    /** Cuts all directions from and to a host, including the direction to itself. */
    void isolate(int host) {
        Arrays.fill(cuts[host], true);
        for (boolean[] from : cuts) {
            from[host] = true;
        }
    }

    void heal() {
        for (boolean[] each : cuts) {
            Arrays.fill(each, false);
        }
    }

    void lose(double part) {
        loss = part;
    }

    /** Ends all connections of this host, because its process has ended. */
    void ended(WorldHost host) {
        for (Connection each : List.copyOf(connections)) {
            if (each.from.equals(host) || each.to.equals(host)) {
                connections.remove(each);
                if (each.from.equals(host)) {
                    each.notifyServer();
                }
            }
        }
        world.hosts().stream()
                .filter(each -> !each.equals(host))
                .forEach(each -> each.later(each.incarnation(), 5, () -> each.lost(host.address())));
    }

    private Optional<Connection> connection(WorldHost from, WorldHost to) {
        return connections.stream()
                .filter(each -> each.from.equals(from) && each.to.equals(to))
                .findFirst();
    }

    private Connection connect(WorldHost from, WorldHost to) {
        var made = new Connection(from, to);
        connections.add(made);
        return made;
    }

    /**
     * A connection from the host that opened it to the host that listens. The connection ends when one of the two
     * processes closes it or ends.
     */
    private final class Connection implements Wire.Peer {
        final WorldHost from;
        final WorldHost to;
        final boolean isOrdered;
        private long lastRequest;
        private long lastAnswer;

        Connection(WorldHost from, WorldHost to) {
            this.from = from;
            this.to = to;
            this.isOrdered = !from.isMember();
        }

        private boolean isOpen() {
            return connections.contains(this);
        }

        void request(byte[] frame) {
            if (isOrdered && !to.isUp()) {
                end();
                return;
            }
            long millis = latency(from, to);
            if (millis >= 0) {
                lastRequest = isOrdered ? Math.max(lastRequest, world.now() + millis) : world.now() + millis;
                carry(from, to, lastRequest, receiver -> receiver.receive(this, frame));
            }
        }

        /** Sends an answer of the listening host. */
        @Override
        public void send(byte[] frame) {
            long millis = isOpen() ? latency(to, from) : -1;
            if (millis >= 0) {
                lastAnswer = isOrdered ? Math.max(lastAnswer, world.now() + millis) : world.now() + millis;
                carry(to, from, lastAnswer, receiver -> receiver.receive(this, frame));
            }
        }

        @Override
        public void end() {
            if (connections.remove(this)) {
                notifyServer();
                from.later(from.incarnation(), 5, () -> from.lost(to.address()));
            }
        }

        private void notifyServer() {
            to.later(to.incarnation(), 5, () -> to.receive(receiver -> receiver.ended(this)));
        }

        /** Delivers a frame at this time. A client's frame is lost if the connection has ended by then. */
        private void carry(WorldHost sender, WorldHost target, long at, WorldHost.Delivery delivery) {
            int receiving = target.incarnation();
            world.after(at - world.now(), () -> {
                if (!cuts[sender.number()][target.number()] && (!isOrdered || isOpen())) {
                    target.later(receiving, 0, () -> target.receive(delivery));
                }
            });
        }
    }

    /** Returns the latency of a frame in milliseconds; -1 if the frame is lost. */
    private long latency(WorldHost sender, WorldHost target) {
        if (cuts[sender.number()][target.number()] || random.nextDouble() < loss) {
            return -1;
        }
        long late = random.nextInt(50) == 0 ? random.nextInt(400) : 0;
        return 1 + random.nextInt(5) + late;
    }

    private final class HostWire implements Wire {
        private final WorldHost from;

        HostWire(WorldHost from) {
            this.from = from;
        }

        @Override
        public void start(Receiver receiver) {
            from.listen(receiver);
        }

        @Override
        public Peer peer(String address) {
            WorldHost to = world.host(address);
            return new Peer() {
                @Override
                public void send(byte[] frame) {
                    connection(from, to).orElseGet(() -> connect(from, to)).request(frame);
                }

                @Override
                public void end() {
                    connection(from, to).ifPresent(Connection::end);
                }
            };
        }

        @Override
        public boolean isReachable(String address) {
            return true;
        }

        @Override
        public void close() {
            from.stopListening();
        }
    }
}
