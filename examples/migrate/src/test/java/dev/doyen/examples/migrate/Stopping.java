package dev.doyen.examples.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Work that counts the held locks of the old library when the work is stopped. */
final class Stopping implements Poller {

    private final CountDownLatch began = new CountDownLatch(1);
    private final CompletableFuture<Integer> locksHeld = new CompletableFuture<>();
    private final Callable<Integer> countLocks;

    Stopping(Callable<Integer> countLocks) {
        this.countLocks = countLocks;
    }

    @Override
    public void start() {
        began.countDown();
    }

    @Override
    public void start(long term) {
        start();
    }

    @Override
    public void stop() {
        try {
            locksHeld.complete(countLocks.call());
        } catch (Exception e) {
            locksHeld.completeExceptionally(e);
        }
    }

    void awaitStart() throws InterruptedException {
        assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();
    }

    /** Returns the number of locks that were held when the work stopped. */
    int locksHeld() throws Exception {
        return locksHeld.get(60, TimeUnit.SECONDS);
    }
}
