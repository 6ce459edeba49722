package dev.doyen.injector.driver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.log.FaultLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads a collection with a list request, and its changes with a watch.
 *
 * <p>The collection contains objects of the API server, such as all pods. The audience receives the whole list, and
 * then each change. After the watch has ended, the audience receives the whole list again.
 *
 * <p>Threads: the list requests, and the calls to the audience, run on the given thread. The class reads the next
 * change from the socket only after the audience has processed the previous change.
 */
final class Follower implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Follower.class.getName());
    private static final int PAGE = 250;
    private static final int WATCH_SECONDS = 280;
    private static final int GRACE_SECONDS = 20;
    private static final int OK = 200;

    private final FaultLog faults = new FaultLog(LOG);
    private final KubernetesApi api;
    private final ScheduledExecutorService thread;
    private final String collection;
    private final String selection;
    private final long againMillis;
    private final Audience audience;
    private @Nullable CompletableFuture<?> watch;
    private boolean closed;

    /** Receives the list and its changes. */
    interface Audience {
        void all(List<JsonNode> items);

        void changed(String change, JsonNode item);
    }

    /** @param selection an addition to the query, such as {@code &labelSelector=...}; may be empty */
    Follower(
            KubernetesApi api,
            ScheduledExecutorService thread,
            String collection,
            String selection,
            long againMillis,
            Audience audience) {
        this.api = api;
        this.thread = thread;
        this.collection = collection;
        this.selection = selection;
        this.againMillis = againMillis;
        this.audience = audience;
    }

    /** Lists the collection, and then watches its changes. */
    void follow() {
        if (closed) {
            return;
        }
        try {
            var version = list();
            var stream = api.watch(
                    collection + "?watch=true&timeoutSeconds=" + WATCH_SECONDS + "&resourceVersion=" + version
                            + selection,
                    new Changes());
            watch = stream;
            long begun = System.nanoTime();
            // The API server ends each watch after WATCH_SECONDS. This task ends a watch whose connection was lost
            // without notice.
            var silent = thread.schedule(() -> stream.cancel(true), WATCH_SECONDS + GRACE_SECONDS, TimeUnit.SECONDS);
            stream.whenComplete((ended, fault) -> {
                silent.cancel(false);
                faults.survives("a line of the log", () -> logIfRefused(Optional.ofNullable(ended)));
                later(pauseAfter(System.nanoTime() - begun));
            });
            faults.works("");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            later(againMillis);
            faults.survives("a line of the log", () -> complain(e));
        }
    }

    private void complain(Throwable fault) {
        if (faults.isNew("", fault)) {
            LOG.log(
                    Level.WARNING,
                    "cannot follow " + collection + ", and tries again every " + againMillis + " ms: "
                            + fault.getMessage(),
                    fault);
        }
    }

    @Override
    public void close() {
        closed = true;
        if (watch != null) {
            watch.cancel(true);
        }
    }

    private String list() throws IOException, InterruptedException {
        var items = new ArrayList<JsonNode>();
        JsonNode metadata;
        String next = "";
        do {
            var page = api.get(collection + "?limit=" + PAGE + selection + next).expect("listing " + collection, OK);
            page.path("items").forEach(item -> items.add(withoutBulk(item)));
            metadata = page.path("metadata");
            next = "&continue=" + metadata.path("continue").asText();
        } while (!metadata.path("continue").asText().isEmpty());
        audience.all(items);
        return metadata.path("resourceVersion").asText();
    }

    /**
     * Removes fields that no audience reads. These fields are the largest part of an object, and a large cluster has
     * many objects.
     */
    private static JsonNode withoutBulk(JsonNode item) {
        if (item.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        if (item.path("spec") instanceof ObjectNode spec) {
            spec.remove(List.of("containers", "initContainers", "volumes"));
        }
        if (item.path("status") instanceof ObjectNode status) {
            status.retain("phase");
        }
        return item;
    }

    private void logIfRefused(Optional<HttpResponse<Void>> ended) {
        ended.filter(answer -> answer.statusCode() != OK)
                .ifPresent(answer -> LOG.log(
                        Level.WARNING,
                        "the API server rejected a watch of " + collection + " with " + answer.statusCode()));
    }

    /**
     * Returns the delay before the next list request.
     *
     * <p>If a watch ended immediately after its beginning, the API server probably rejected it, and would also reject
     * the next watch.
     */
    private long pauseAfter(long lastedNanos) {
        return TimeUnit.NANOSECONDS.toMillis(lastedNanos) < againMillis ? againMillis : 0;
    }

    private void later(long millis) {
        try {
            thread.schedule(this::follow, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            closed = true;
        }
    }

    /** Processes the lines of the watch one after another. */
    private final class Changes implements Flow.Subscriber<String> {

        private Flow.@Nullable Subscription subscription;

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            this.subscription = subscription;
            subscription.request(1);
        }

        @Override
        public void onNext(String line) {
            try {
                thread.execute(() -> deliver(line));
            } catch (RejectedExecutionException e) {
                stop();
            }
        }

        @Override
        public void onError(Throwable fault) {
            LOG.log(Level.DEBUG, "a watch ended", fault);
        }

        @Override
        public void onComplete() {}

        private void deliver(String line) {
            if (closed) {
                stop();
                return;
            }
            try {
                var change = KubernetesApi.parse(line);
                if (change.path("type").asText().equals("ERROR")) {
                    // An error usually has status 410, because the resource version of this watch is too old. The watch
                    // ends, and the collection is listed again.
                    stop();
                    return;
                }
                audience.changed(change.path("type").asText(), withoutBulk(change.path("object")));
                if (subscription != null) {
                    subscription.request(1);
                }
            } catch (IOException e) {
                LOG.log(Level.WARNING, "the watch of " + collection + " sent no JSON: " + e.getMessage());
                stop();
            } catch (Throwable e) {
                // The change is lost, so the collection is listed again.
                stop();
                faults.report("a change of " + collection, e);
            }
        }

        private void stop() {
            if (watch != null) {
                watch.cancel(true);
            }
        }
    }
}
