package dev.doyen.examples.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Work that looks, as it stops, how many old locks are held. */
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

    /** As it was when the work stopped. */
    int locksHeld() throws Exception {
        return locksHeld.get(60, TimeUnit.SECONDS);
    }
}
