package dev.doyen.stores.quorum;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A network between processes of one JVM. Each process has a thread that hands frames over. Frames that are too long are
 * lost. Threads: any.
 */
final class MemoryNetwork implements AutoCloseable {

    private final Map<String, Port> ports = new ConcurrentHashMap<>();

    /** From and to, as one text. */
    private final Set<String> cuts = ConcurrentHashMap.newKeySet();

    Wire wire(String address) {
        return new Port(address);
    }

    /** Frames from one to the other are lost from now on. */
    void cut(String from, String to) {
        cuts.add(from + ">" + to);
    }

    void heal() {
        cuts.clear();
    }

    /** Ends the connection that one has made to the other. Both sides notice it. */
    void disconnect(String from, String to) {
        ports.get(from).disconnect(to);
    }

    @Override
    public void close() {
        new HashSet<>(ports.values()).forEach(Port::close);
    }

    private final class Port implements Wire {

        private final String address;
        private final ExecutorService thread;
        private final Map<String, Incoming> incoming = new ConcurrentHashMap<>();
        private volatile Receiver receiver = new Nobody();

        Port(String address) {
            this.address = address;
            this.thread = Executors.newSingleThreadExecutor(task -> {
                var made = new Thread(task, "memory-wire " + address);
                made.setDaemon(true);
                return made;
            });
        }

        @Override
        public void start(Receiver next) {
            receiver = next;
            ports.put(address, this);
        }

        @Override
        public Peer peer(String to) {
            return new Peer() {
                @Override
                public void send(byte[] frame) {
                    Port target = reachable(to, frame);
                    if (target != null) {
                        target.arrive(
                                frame, target.incoming.computeIfAbsent(address, each -> target.new Incoming(address)));
                    }
                }

                @Override
                public void end() {
                    disconnect(to);
                }
            };
        }

        private void disconnect(String to) {
            Port target = ports.get(to);
            Incoming ended = target == null ? null : target.incoming.remove(address);
            if (ended != null) {
                target.executor().execute(() -> target.receiver.ended(ended));
                executor().execute(() -> receiver.lost(to));
            }
        }

        private Port reachable(String to, byte[] frame) {
            return frame.length <= Wire.MAX_FRAME && !cuts.contains(address + ">" + to) ? ports.get(to) : null;
        }

        private void arrive(byte[] frame, Peer sender) {
            executor().execute(() -> receiver.receive(sender, frame));
        }

        private Executor executor() {
            return task -> {
                if (!thread.isShutdown()) {
                    thread.execute(task);
                }
            };
        }

        @Override
        public boolean isReachable(String to) {
            return ports.containsKey(to);
        }

        @Override
        public void close() {
            ports.remove(address, this);
            thread.shutdown();
            ports.values().forEach(each -> {
                each.executor().execute(() -> each.receiver.lost(address));
                Incoming ended = each.incoming.remove(address);
                if (ended != null) {
                    each.executor().execute(() -> each.receiver.ended(ended));
                }
            });
        }

        /** The connection that another process has made to this port. */
        private final class Incoming implements Peer {

            private final String from;

            Incoming(String from) {
                this.from = from;
            }

            @Override
            public void send(byte[] frame) {
                Port target = reachable(from, frame);
                if (target != null && incoming.get(from) == this) {
                    target.arrive(frame, target.peer(address));
                }
            }

            @Override
            public void end() {
                Port target = ports.get(from);
                if (target != null) {
                    target.disconnect(address);
                }
            }
        }
    }

    private static final class Nobody implements Wire.Receiver {
        @Override
        public void receive(Wire.Peer from, byte[] frame) {}

        @Override
        public void lost(String address) {}
    }
}
