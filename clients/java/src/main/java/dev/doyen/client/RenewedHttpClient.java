package dev.doyen.client;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A JDK HTTP client that survives a shortage of memory or threads.
 *
 * <p>The class creates the HTTP client at the first request. If the creation fails, the next request tries again. If
 * the thread of the HTTP client has ended, a request fails, and the request after it creates another HTTP client.
 *
 * <p>Threads: any.
 */
final class RenewedHttpClient {

    /** The message of the JDK's exception after the selector thread of an HTTP client has ended. */
    private static final String SELECTOR_CLOSED = "selector manager closed";

    private final Supplier<HttpClient> factory;
    private @Nullable HttpClient client;

    RenewedHttpClient(Supplier<HttpClient> factory) {
        this.factory = factory;
    }

    /**
     * Returns an executor that runs the tasks of an HTTP client and never rejects a task.
     *
     * <p>If an executor throws, the selector thread of the HTTP client can end, and all later requests fail or hang. So
     * if no thread can be started, the calling thread runs the task. The tasks do not block.
     */
    static Executor executor(ThreadFactory factory) {
        Executor threads = Executors.newCachedThreadPool(factory);
        return task -> {
            try {
                threads.execute(task);
            } catch (Throwable e) {
                task.run();
            }
        };
    }

    /** Creates a thread that does not keep the process alive. */
    static Thread daemon(Runnable task) {
        var thread = new Thread(task, "doyen-client-http");
        thread.setDaemon(true);
        return thread;
    }

    /** Sends a request. If the returned future is cancelled, the request ends. */
    <T> CompletableFuture<HttpResponse<T>> send(HttpRequest request, BodyHandler<T> body) {
        HttpClient used = client();
        CompletableFuture<HttpResponse<T>> response = used.sendAsync(request, body);
        CompletableFuture<?> unused = response.whenComplete((received, fault) -> completed(used, fault));
        return response;
    }

    synchronized HttpClient client() {
        HttpClient present = client;
        if (present == null) {
            present = factory.get();
            client = present;
        }
        return present;
    }

    /**
     * Records that a request has completed.
     *
     * @param fault the reason why the request failed; null if it succeeded
     */
    synchronized void completed(HttpClient used, @Nullable Throwable fault) {
        if (used.equals(client) && isSelectorClosed(fault)) {
            client = null;
        }
    }

    private static boolean isSelectorClosed(@Nullable Throwable fault) {
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException && SELECTOR_CLOSED.equals(cause.getMessage())) {
                return true;
            }
        }
        return false;
    }
}
