package dev.doyen.stores.kubernetes;

import dev.doyen.election.Threads;
import dev.doyen.log.FaultLog;
import dev.doyen.store.support.LaterThread;
import dev.doyen.stores.kubernetes.rest.Answer;
import dev.doyen.stores.kubernetes.rest.JsonObject;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches one Lease: lists the Lease, then streams its changes.
 *
 * <p>If the stream breaks, the watch continues from the last resource version. The watch lists the Lease again if the
 * server rejects that resource version, usually with 410 (Gone), or if two attempts in a row fail. After each
 * consecutive failure, the watch waits longer before the next attempt, up to 10 s, with jitter. A stream that ends
 * within a second counts as failed.
 *
 * <p>{@link #take} returns the newest event for a short time, so that the read after an announcement needs no request.
 *
 * <p>Threads: any. No call blocks.
 */
final class WatchedLease {

    /**
     * The time after which the server ends a stream. A stream that has not ended 15 s later has failed silently, and
     * the watch replaces it.
     */
    private static final Duration STREAM = Duration.ofSeconds(60);

    private static final Duration SILENT = STREAM.plusSeconds(15);
    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 10_000;
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** The minimum duration of a stream that counts as successful. */
    private static final long LASTING_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** An event with the Lease, or with its last state if the Lease was deleted. */
    record Seen(LeaseObject object, boolean deleted, long atNanos) {}

    private final KubernetesApi api;
    private final String name;
    private final LaterThread later;
    private final FaultLog faults;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private Optional<Seen> newest = Optional.empty();
    private String resourceVersion = "";
    private CompletableFuture<?> stream = new CompletableFuture<>();
    private Threads.Timer giveUp = () -> {};
    private int attempt;
    private int failures;
    private boolean ended;

    /** @param faults the fault log of all watches of the store */
    WatchedLease(KubernetesApi api, String name, LaterThread later, FaultLog faults) {
        this.api = api;
        this.name = name;
        this.later = later;
        this.faults = faults;
    }

    void add(Runnable listener) {
        listeners.add(listener);
    }

    /** Removes a listener, and returns true if no listener remains. */
    boolean remove(Runnable listener) {
        listeners.remove(listener);
        return listeners.isEmpty();
    }

    /** Returns the newest event once, if it is less than a second old. */
    synchronized Optional<Seen> take() {
        Optional<Seen> fresh = newest.filter(seen -> System.nanoTime() - seen.atNanos() < FRESH_NANOS);
        newest = Optional.empty();
        return fresh;
    }

    synchronized void begin() {
        if (ended) {
            return;
        }
        int mine = ++attempt;
        giveUp = after(SILENT.toMillis(), () -> giveUp(mine));
        try {
            if (resourceVersion.isEmpty()) {
                CompletableFuture<Answer> list = api.list(name);
                stream = list;
                then(list, (answer, fault) -> listed(mine, Optional.ofNullable(answer)));
            } else {
                stream(mine);
            }
        } catch (Throwable e) {
            // The token cannot be read, or no thread can be started.
            again(mine, true);
        }
    }

    synchronized void end() {
        ended = true;
        attempt++;
        giveUp.cancel();
        stream.cancel(true);
    }

    private void listed(int which, Optional<Answer> answer) {
        try {
            JsonObject list = answer.filter(each -> each.is(200))
                    .map(Answer::json)
                    .orElseThrow(() -> new IllegalStateException("there is no list"));
            synchronized (this) {
                if (which != attempt) {
                    return;
                }
                resourceVersion = list.at("metadata").text("resourceVersion").orElse("");
                list.objects("items").stream().findFirst().ifPresent(item -> seen(new LeaseObject(item), false));
                stream(which);
            }
            announce();
        } catch (Throwable e) {
            again(which, true);
        }
    }

    private synchronized void stream(int which) {
        long start = System.nanoTime();
        CompletableFuture<HttpResponse<Void>> next = api.watch(name, resourceVersion, STREAM, new Lines(which));
        stream = next;
        then(next, (response, fault) -> streamed(which, Optional.ofNullable(response), System.nanoTime() - start));
    }

    private synchronized void streamed(int which, Optional<HttpResponse<Void>> response, long lastedNanos) {
        boolean accepted = response.filter(each -> each.statusCode() == 200).isPresent();
        if (which == attempt && response.isPresent() && !accepted) {
            // The server has rejected the watch, usually with status 410 (Gone). The watch cannot continue from this
            // resource version, so the next attempt begins with a list.
            resourceVersion = "";
        }
        again(which, !accepted || lastedNanos < LASTING_NANOS);
    }

    private void giveUp(int which) {
        synchronized (this) {
            if (which != attempt) {
                return;
            }
            stream.cancel(true);
        }
        again(which, true);
    }

    private synchronized void again(int which, boolean failed) {
        if (which != attempt || ended) {
            return;
        }
        attempt++;
        giveUp.cancel();
        failures = failed ? failures + 1 : 0;
        if (failures > 1) {
            // After two failures in a row, the next attempt begins with a list. The server possibly no longer has the
            // resource version.
            resourceVersion = "";
        }
        long pause = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failures, 10));
        after(failures == 0 ? 0 : ThreadLocalRandom.current().nextLong(pause / 2, pause + 1), this::begin);
    }

    private synchronized void seen(LeaseObject object, boolean deleted) {
        newest = Optional.of(new Seen(object, deleted, System.nanoTime()));
    }

    private void announce() {
        faults.runAll("a watcher of a lease", listeners);
    }

    private Threads.Timer after(long millis, Runnable task) {
        return later.after(Duration.ofMillis(millis), "a watch of a Lease", task);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The task receives the failure and does not throw.
    private static <T> void then(CompletableFuture<T> future, BiConsumer<@Nullable T, @Nullable Throwable> task) {
        future.whenComplete(task);
    }

    /** Handles one line of the stream, and returns false if the stream must end. */
    private boolean take(int which, String line) {
        JsonObject event = JsonObject.read(line);
        String type = event.text("type").orElse("");
        LeaseObject object = new LeaseObject(event.at("object"));
        synchronized (this) {
            if (which != attempt) {
                return false;
            }
            if (type.equals("ERROR") || object.resourceVersion().isEmpty()) {
                resourceVersion = "";
                return false;
            }
            resourceVersion = object.resourceVersion();
            failures = 0;
            if (type.equals("BOOKMARK")) {
                return true;
            }
            seen(object, type.equals("DELETED"));
        }
        announce();
        return true;
    }

    /** Receives the lines of one stream. */
    private final class Lines implements Flow.Subscriber<String> {

        private final int which;
        private Optional<Flow.Subscription> subscription = Optional.empty();

        Lines(int which) {
            this.which = which;
        }

        @Override
        public void onSubscribe(Flow.Subscription to) {
            subscription = Optional.of(to);
            to.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(String line) {
            boolean more;
            try {
                more = take(which, line);
            } catch (IllegalArgumentException e) {
                // The line is not JSON.
                more = false;
            } catch (Throwable e) {
                faults.report("a watch of a Lease", e);
                more = false;
            }
            if (!more) {
                subscription.ifPresent(Flow.Subscription::cancel);
                again(which, true);
            }
        }

        @Override
        public void onError(Throwable fault) {
            again(which, true);
        }

        @Override
        public void onComplete() {
            // The stream's future completes next, and its handler starts the next attempt.
        }
    }
}
