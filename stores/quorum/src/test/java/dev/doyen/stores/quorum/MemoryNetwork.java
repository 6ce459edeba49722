package dev.doyen.stores.quorum;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A network between members of one JVM. Each member has a thread that hands frames over. Frames that are too long are
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

    @Override
    public void close() {
        new HashSet<>(ports.values()).forEach(Port::close);
    }

    private final class Port implements Wire {

        private final String address;
        private final ExecutorService thread;
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
            return frame -> {
                Port target = ports.get(to);
                if (target != null && frame.length <= Wire.MAX_FRAME && !cuts.contains(address + ">" + to)) {
                    target.arrive(frame, answer -> peerOf(target, address).send(answer));
                }
            };
        }

        private Peer peerOf(Port from, String to) {
            return from.peer(to);
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
            ports.values().forEach(each -> each.executor().execute(() -> each.receiver.lost(address)));
        }
    }

    private static final class Nobody implements Wire.Receiver {
        @Override
        public void receive(Wire.Peer from, byte[] frame) {}

        @Override
        public void lost(String address) {}
    }
}
