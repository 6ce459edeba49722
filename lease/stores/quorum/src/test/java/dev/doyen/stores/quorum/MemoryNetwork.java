package dev.doyen.stores.quorum;

import dev.doyen.store.VersionedLease;
import io.microraft.model.message.RaftMessage;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A network between processes of one JVM. Each process has one thread that delivers frames. The network drops frames
 * that are too long. Threads: any.
 */
final class MemoryNetwork implements AutoCloseable {

    private final Map<String, Port> ports = new ConcurrentHashMap<>();

    /** The interrupted directions, each as one text with the sender and the receiver. */
    private final Set<String> cuts = ConcurrentHashMap.newKeySet();

    /** The number of frames by sender, including frames that did not arrive. */
    private final Map<String, AtomicLong> sent = new ConcurrentHashMap<>();

    /** The number of requests by sender and kind. */
    private final Map<String, AtomicLong> requests = new ConcurrentHashMap<>();

    private final AtomicLong longestAnswer = new AtomicLong();

    Wire wire(String address) {
        return new Port(address);
    }

    /** Drops all later frames in this direction. */
    void cut(String from, String to) {
        cuts.add(from + ">" + to);
    }

    void heal() {
        cuts.clear();
    }

    /** Ends the connection that the process {@code from} has opened to the process {@code to}, and notifies both. */
    void disconnect(String from, String to) {
        ports.get(from).disconnect(to);
    }

    /** Returns the number of frames that this process has sent. */
    long sentBy(String address) {
        return count(sent, address);
    }

    /** Returns the number of requests of this kind that this process has sent. */
    long requestsBy(String address, Frames.Request request) {
        return count(requests, address + " " + request);
    }

    /** Returns the length of the longest answer, in bytes. */
    long longestAnswer() {
        return longestAnswer.get();
    }

    private static long count(Map<String, AtomicLong> counts, String key) {
        return counts.computeIfAbsent(key, each -> new AtomicLong()).get();
    }

    private void count(String from, byte[] frame) {
        sent.computeIfAbsent(from, each -> new AtomicLong()).incrementAndGet();
        Frames.read(frame, new Frames.Cases() {
            @Override
            public void raft(String directory, RaftMessage message) {}

            @Override
            public void request(long number, Frames.Request request, byte[] body) {
                requests.computeIfAbsent(from + " " + request, each -> new AtomicLong())
                        .incrementAndGet();
            }

            @Override
            public void answer(long number, Frames.Answer answer, byte[] body) {
                longestAnswer.accumulateAndGet(body.length, Math::max);
            }

            @Override
            public void changed(VersionedLease lease) {}
        });
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

        private @Nullable Port reachable(String to, byte[] frame) {
            count(address, frame);
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

        /** The connection that another process has opened to this port. */
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
