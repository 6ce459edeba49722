package dev.doyen.stores.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.Watch;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the watch when etcd's client throws an Error, for example because a thread cannot be started. */
class EtcdWatchTest {

    private final CountDownLatch begun = new CountDownLatch(3);
    private final AtomicReference<Watch.@Nullable Listener> listener = new AtomicReference<>();
    private volatile boolean failing;

    private final Watch client = (Watch) Proxy.newProxyInstance(
            Watch.class.getClassLoader(), new Class<?>[] {Watch.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("watch")) {
                    begun.countDown();
                    if (failing) {
                        throw new OutOfMemoryError("unable to create native thread, on purpose");
                    }
                    listener.set((Watch.Listener) arguments[2]);
                }
                return null;
            });

    private final EtcdWatch watch = new EtcdWatch(client, "/prefix/");

    @Test
    void a_watch_that_cannot_start_is_retried() throws Exception { // L8
        try (watch) {
            failing = true;
            watch.watch("e", () -> {});

            assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_watch_that_ended_is_retried_until_it_starts() throws Exception { // L8
        try (watch) {
            watch.watch("e", () -> {});
            failing = true;
            listener.get().onCompleted();

            assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }
}
