package dev.doyen.drills;

import dev.doyen.Candidate;
import dev.doyen.Leadership;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Looks a thousand times a second whether this process is certain that it leads, and says the times between which each look
 * was yes: {@code held BEGAN TERM FROM TO}. FROM is <em>after</em> the first such look and TO <em>before</em> the last one,
 * so between them it led, whatever kept this thread from running; after a single look TO is less than FROM. Said when it
 * ends, at the second such look, and every now and then, for this process may be killed.
 *
 * <p>Times are those of {@link System#nanoTime}, which on Linux is one clock for all processes of a machine.
 */
final class ClaimWatch {

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SAY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Candidate candidate;
    private final long began;
    private final Consumer<String> say;

    /** The term of the looks since {@code from}, the last of which began at {@code to}; 0 for a no. */
    private long term;

    private long from;
    private long to;
    private long said;

    private volatile boolean restless;

    /** @param began marks this process, since another may have its id later */
    ClaimWatch(Candidate candidate, long began, Consumer<String> say) {
        this.candidate = candidate;
        this.began = began;
        this.say = say;
    }

    /**
     * Looks without a pause from now on, or no more: then a look is what this process was about when it is stopped, and the
     * first that it does when it goes on, before its timers.
     */
    void restless(boolean now) {
        restless = now;
    }

    /** Looks until this thread is interrupted. */
    void go() {
        try {
            while (true) {
                look();
                if (!restless) {
                    TimeUnit.NANOSECONDS.sleep(LOOK_NANOS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        long before = System.nanoTime();
        OptionalLong seen = certainTerm();
        long after = System.nanoTime();
        long now = seen.orElse(0);
        if (now != term) {
            sayHeld();
            term = now;
            from = after;
            said = after - SAY_NANOS;
        }
        to = before;
        if (after - said > SAY_NANOS) {
            sayHeld();
            said = after;
        }
    }

    private OptionalLong certainTerm() {
        Optional<Leadership> certain = candidate.leadership().filter(Leadership::isCertain);
        return certain.isPresent() ? OptionalLong.of(certain.get().term()) : OptionalLong.empty();
    }

    private void sayHeld() {
        if (term != 0) {
            say.accept("held " + began + " " + term + " " + from + " " + to);
        }
    }
}
