package dev.doyen.examples.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Records which instances work, and which instances began while another instance was still working. */
final class Shifts {

    private static final long PATIENCE_NANOS = Duration.ofSeconds(60).toNanos();
    private static final long REPORT_TAKES_NANOS = 500_000;

    private final Set<String> atWork = new LinkedHashSet<>();
    private final Set<String> notJudged = new HashSet<>();
    private final List<String> overlaps = new ArrayList<>();
    private final AtomicLong runs = new AtomicLong();
    private long begun;

    /** Returns work that runs from its start to its stop. */
    Poller poller(String who) {
        return new Poller() {
            @Override
            public void start() {
                begin(who);
            }

            @Override
            public void start(long term) {
                begin(who);
            }

            @Override
            public void stop() {
                end(who);
            }
        };
    }

    /** Returns work that ends after a short time and is due again at once. */
    Report report(String who) {
        return report(who, () -> LockSupport.parkNanos(REPORT_TAKES_NANOS));
    }

    /** Returns work that calls {@code action} each time and is due again at once. */
    Report report(String who, Runnable action) {
        return new Report() {
            @Override
            public String due() {
                return "run " + runs.incrementAndGet();
            }

            @Override
            public void write() {
                begin(who);
                action.run();
                end(who);
            }

            @Override
            public void write(long term) {
                write();
            }
        };
    }

    synchronized void begin(String who) {
        if (!notJudged.containsAll(atWork)) {
            overlaps.add(who + " began while " + atWork + " worked");
        }
        atWork.add(who);
        begun++;
        notifyAll();
    }

    synchronized void end(String who) {
        atWork.remove(who);
    }

    /** Ignores overlaps with this instance from now on. */
    synchronized void judgeNoMore(String who) {
        notJudged.add(who);
    }

    /** Waits until an instance works or has worked since this call. */
    synchronized void awaitWork() throws InterruptedException {
        long before = begun;
        await(() -> begun > before || !atWork.isEmpty(), "an instance works");
    }

    synchronized void awaitAtWork(String... expected) throws InterruptedException {
        await(() -> atWork.equals(Set.of(expected)), "only these instances work: " + String.join(", ", expected));
    }

    synchronized List<String> overlaps() {
        return List.copyOf(overlaps);
    }

    private synchronized void await(BooleanSupplier holds, String what) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!holds.getAsBoolean()) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            assertThat(left).as("milliseconds left to wait for " + what).isPositive();
            wait(left);
        }
    }
}
