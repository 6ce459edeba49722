package dev.doyen.stores.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.testkit.RefusableThreads;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Tests calls that cannot start a thread or throw an Error, and connections that fail when the store is closed. */
class BoundedCallsTest {

    private final CountDownLatch aborted = new CountDownLatch(1);

    /** The names of threads that cannot be started. */
    private final Set<String> refused = ConcurrentHashMap.newKeySet();

    private volatile boolean closeHangs;

    private final Connection connection = (Connection) Proxy.newProxyInstance(
            Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("abort")) {
                    aborted.countDown();
                }
                if (method.getName().equals("close") && closeHangs) {
                    hang();
                }
                return method.getReturnType() == boolean.class ? (Object) true : null;
            });

    @Test
    void a_hanging_connection_that_could_not_be_aborted_is_aborted_by_the_next_call() throws Exception { // L8
        try (BoundedCalls calls = calls(Duration.ofMillis(50))) {
            refused.add("doyen-jdbc-break-off");
            var hangs = new AtomicBoolean();
            // On a busy machine, a call can time out before its thread has started. Then no connection hangs, and the
            // test repeats the call.
            do {
                assertThatThrownBy(() -> calls.call((connection, deadline) -> {
                            hangs.set(true);
                            return hang();
                        }))
                        .isInstanceOf(SQLTimeoutException.class);
            } while (!hangs.get());
            assertThat(aborted.getCount()).isEqualTo(1);
            refused.clear();
            try {
                calls.call((connection, deadline) -> "next");
            } catch (SQLException e) {
                // The hanging call occupies the only thread, so the next call can time out.
            }

            assertThat(aborted.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void the_next_call_is_answered_after_a_refused_thread_or_an_Error() throws Exception { // L8
        try (BoundedCalls calls = calls(Duration.ofSeconds(60))) {
            refused.add("doyen-jdbc");
            assertThatThrownBy(() -> calls.call((connection, deadline) -> "first"))
                    .isInstanceOf(SQLTransientException.class)
                    .hasMessageContaining("no thread could be started");
            refused.clear();
            assertThatThrownBy(() -> calls.call((connection, deadline) -> {
                        throw new OutOfMemoryError("on purpose");
                    }))
                    .isInstanceOf(SQLException.class);

            assertThat(calls.<String>call((connection, deadline) -> "third")).isEqualTo("third");
        }
    }

    @Test
    void a_call_that_hangs_when_the_store_is_closed_is_answered_and_its_connection_is_aborted() throws Exception { // L8
        var ended = new CountDownLatch(1);
        BoundedCalls calls = calls(Duration.ofSeconds(10));

        assertThatThrownBy(() -> calls.call((connection, deadline) -> {
                    calls.close();
                    hang();
                    ended.countDown();
                    return "";
                }))
                .isInstanceOf(SQLTimeoutException.class);

        assertThat(ended.await(60, TimeUnit.SECONDS))
                .as("the hanging thread has ended")
                .isTrue();
    }

    @Test
    void a_store_whose_idle_connection_hangs_is_closed_and_the_connection_is_aborted() throws Exception { // L8
        BoundedCalls calls = calls(Duration.ofSeconds(10));
        assertThat(calls.<String>call((connection, deadline) -> "first")).isEqualTo("first");
        closeHangs = true;

        CompletableFuture.runAsync(calls::close).get(60, TimeUnit.SECONDS);

        assertThat(aborted.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_store_closes_its_other_connections_if_the_close_of_one_throws() throws Exception {
        List<Connection> closed = new CopyOnWriteArrayList<>();
        Connections.Opener opener = () -> (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        closed.add((Connection) proxy);
                        throw new IllegalStateException("on purpose");
                    }
                    return method.getReturnType() == boolean.class ? (Object) true : null;
                });
        var calls = new BoundedCalls(Connections.own(opener), 2, Duration.ofSeconds(60), this::factory);
        // The inner call needs a second connection, because the outer call uses the first.
        assertThat(calls.<String>call((outer, deadline) -> calls.call((inner, innerDeadline) -> "both")))
                .isEqualTo("both");

        calls.close();

        assertThat(closed).hasSize(2);
    }

    private BoundedCalls calls(Duration timeout) {
        return new BoundedCalls(Connections.own(() -> connection), 1, timeout, this::factory);
    }

    private ThreadFactory factory(String name) {
        return new RefusableThreads(() -> refused.contains(name));
    }

    /** Blocks until the connection is aborted, like a driver without a timeout. */
    private String hang() {
        try {
            aborted.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "";
    }
}
