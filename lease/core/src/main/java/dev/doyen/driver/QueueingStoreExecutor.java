package dev.doyen.driver;

import dev.doyen.election.Threads;
import dev.doyen.lease.RequestKind;
import dev.doyen.lease.StoreFault;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Queues store requests for many loops that share the threads for store calls.
 *
 * <p>Renewals come first, then releases, then all other requests. Requests of equal rank are sent in the order of
 * their arrival. {@value #RESERVED} of the {@value #MAX_CALLS} threads send only renewals, so a store that is slow for
 * other requests does not delay a renewal.
 *
 * <p>For each election, at most one request of each kind waits. A loop repeats a request only after it has stopped
 * waiting for the answer. The repeated request therefore replaces the waiting one, and takes its place in the queue.
 *
 * <p>A request that has waited for longer than the request timeout is not sent. A read then fails, and a write has an
 * unknown outcome. This late answer changes nothing, because the loop stopped waiting for the request at the timeout.
 *
 * <p>Threads: any.
 */
public final class QueueingStoreExecutor implements StoreExecutor {

    /** The maximum number of simultaneous calls to the store. */
    static final int MAX_CALLS = SystemThreads.MAX_STORE_THREADS;

    /** The number of simultaneous calls that are reserved for renewals. */
    static final int RESERVED = 2;

    private static final StoreFault CLOSED = StoreFault.away("this process is shutting down");
    private static final long RETRY_MILLIS = 10;

    private final Threads threads;
    private final LeaseStore store;
    private final Duration patience;

    private final Map<Key, Request> renewals = new LinkedHashMap<>();
    private final Map<Key, Request> releases = new LinkedHashMap<>();
    private final Map<Key, Request> others = new LinkedHashMap<>();
    private @Nullable Runnable idleCall;

    /** The number of {@link Sender} tasks that run or wait for a thread. */
    private int senders;

    /** The number of senders that send a request other than a renewal. */
    private int unreserved;

    private boolean retries;
    private boolean closed;

    /** @param patience the request timeout of the elections */
    public QueueingStoreExecutor(Threads threads, LeaseStore store, Duration patience) {
        this.threads = threads;
        this.store = store;
        this.patience = patience;
    }

    Threads threads() {
        return threads;
    }

    LeaseStore store() {
        return store;
    }

    @Override
    public void read(String election, Reader reader) {
        add(
                new Key(election, RequestKind.READ),
                new Request(threads.now().nanos(), () -> send(election, reader), reader::failed));
    }

    @Override
    public void write(RequestKind kind, LeaseVersion expected, LeaseRecord next, Consumer<CasOutcome> answer) {
        add(
                new Key(next.election(), kind),
                new Request(
                        threads.now().nanos(),
                        () -> send(expected, next, answer),
                        fault -> answer.accept(fault.ofWrite())));
    }

    /**
     * Runs a call to the store when no request waits. The call uses no thread that is reserved for renewals.
     *
     * <p>At most one such call waits. A later call replaces it.
     */
    public void runWhenIdle(Runnable call) {
        boolean starts;
        synchronized (renewals) {
            if (closed) {
                return;
            }
            idleCall = call;
            starts = addSender();
        }
        if (starts) {
            start();
        }
    }

    /** Returns the number of requests that wait for a thread. */
    public int waiting() {
        synchronized (renewals) {
            return renewals.size() + releases.size() + others.size();
        }
    }

    /** Fails all waiting and all later requests. Calls that are under way continue to their end. */
    public void close() {
        List<Request> unsent;
        synchronized (renewals) {
            closed = true;
            idleCall = null;
            unsent = removeAll();
        }
        fail(unsent, CLOSED);
    }

    private void send(String election, Reader reader) {
        VersionedLease found;
        try {
            found = store.read(election);
        } catch (Throwable e) {
            reader.failed(ThrownFaults.of(e));
            return;
        }
        reader.found(found);
    }

    private void send(LeaseVersion expected, LeaseRecord next, Consumer<CasOutcome> answer) {
        CasOutcome outcome;
        try {
            outcome = store.compareAndSet(next.election(), expected, next);
        } catch (Throwable e) {
            outcome = ThrownFaults.of(e).ofWrite();
        }
        answer.accept(outcome);
    }

    private void add(Key key, Request request) {
        Request replaced = null;
        boolean rejected;
        boolean starts = false;
        synchronized (renewals) {
            rejected = closed;
            if (!rejected) {
                replaced = queue(key.kind).put(key, request);
                starts = addSender();
            }
        }
        if (rejected) {
            request.fail(CLOSED);
        }
        if (replaced != null) {
            replaced.fail(StoreFault.away("a later request has replaced it"));
        }
        if (starts) {
            start();
        }
    }

    private Map<Key, Request> queue(RequestKind kind) {
        return switch (kind) {
            case RENEW -> renewals;
            case RELEASE -> releases;
            default -> others;
        };
    }

    /**
     * Counts one more sender if a call waits and the limits permit another sender. Returns true if the caller must
     * start this sender.
     */
    private boolean addSender() {
        boolean mayUseRest = unreserved < MAX_CALLS - RESERVED;
        boolean waits =
                !renewals.isEmpty() || (mayUseRest && !(releases.isEmpty() && others.isEmpty() && idleCall == null));
        boolean adds = waits && senders < MAX_CALLS;
        senders += adds ? 1 : 0;
        return adds;
    }

    private void start() {
        StoreFault fault = BUSY;
        boolean accepted = false;
        try {
            accepted = threads.store(new Sender());
        } catch (Throwable e) {
            fault = ThrownFaults.of(e);
        }
        if (!accepted) {
            notStarted(fault);
        }
    }

    /**
     * Fails all requests if no sender is left. Otherwise tries again soon, because the other senders can hang, and
     * because the pool can reject a call for a moment after a sender has ended.
     */
    private void notStarted(StoreFault fault) {
        List<Request> unsent = List.of();
        boolean again;
        synchronized (renewals) {
            senders--;
            if (senders == 0) {
                unsent = removeAll();
            }
            again = senders > 0 && !retries;
            retries |= again;
        }
        fail(unsent, fault);
        if (again) {
            threads.at(threads.now().nanos() + RETRY_MILLIS * 1_000_000, this::startAgain);
        }
    }

    private void startAgain() {
        boolean starts;
        synchronized (renewals) {
            retries = false;
            starts = addSender();
        }
        if (starts) {
            start();
        }
    }

    private List<Request> removeAll() {
        List<Request> all = new ArrayList<>();
        for (Map<Key, Request> queue : List.of(renewals, releases, others)) {
            all.addAll(queue.values());
            queue.clear();
        }
        return all;
    }

    private static void fail(List<Request> unsent, StoreFault fault) {
        unsent.forEach(request -> CallbackQueue.guarded(() -> request.fail(fault)));
    }

    private record Key(String election, RequestKind kind) {}

    /** @param since the time at which the request was queued, in nanoseconds of the monotonic clock */
    private record Request(long since, Runnable send, Consumer<StoreFault> failed) {
        void fail(StoreFault fault) {
            failed.accept(fault);
        }
    }

    /**
     * Sends requests one after another, on one thread for store calls. The sender ends when no request waits that it
     * may send.
     */
    private final class Sender implements Runnable {
        private boolean isUnreserved;

        @Override
        public void run() {
            boolean ended = false;
            try {
                for (Request next = next(); next != null; next = next()) {
                    Request request = next;
                    CallbackQueue.guarded(() -> send(request));
                }
                ended = true;
            } finally {
                if (!ended) {
                    synchronized (renewals) {
                        end();
                    }
                }
            }
        }

        private void send(Request request) {
            if (threads.now().nanos() - request.since > patience.toNanos()) {
                request.fail(StoreFault.away(
                        "it waited longer than " + patience.toMillis() + " ms for a thread and was not sent"));
            } else {
                request.send.run();
            }
        }

        private @Nullable Request next() {
            synchronized (renewals) {
                unreserved -= isUnreserved ? 1 : 0;
                isUnreserved = false;
                Request next = first(renewals);
                if (next == null && unreserved < MAX_CALLS - RESERVED) {
                    next = nextUnreserved();
                    isUnreserved = next != null;
                    unreserved += isUnreserved ? 1 : 0;
                }
                if (next == null) {
                    end();
                }
                return next;
            }
        }

        private @Nullable Request nextUnreserved() {
            Request next = first(releases);
            if (next == null) {
                next = first(others);
            }
            Runnable idle = idleCall;
            if (next == null && idle != null) {
                idleCall = null;
                next = new Request(threads.now().nanos(), idle, fault -> {});
            }
            return next;
        }

        private static @Nullable Request first(Map<Key, Request> queue) {
            Iterator<Request> waiting = queue.values().iterator();
            if (!waiting.hasNext()) {
                return null;
            }
            Request first = waiting.next();
            waiting.remove();
            return first;
        }

        private void end() {
            senders--;
            unreserved -= isUnreserved ? 1 : 0;
            isUnreserved = false;
        }
    }
}
