package dev.doyen.candidate;

import dev.doyen.driver.HealthLoop;
import dev.doyen.election.HealthCheck;
import dev.doyen.election.LocalCandidate;
import dev.doyen.election.Threads;
import dev.doyen.health.Eligibility;
import dev.doyen.health.HealthJudge;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tracks whether a candidate may be elected.
 *
 * <p>The eligibility depends on the health of the candidate, on its pauses, and on whether its task has ended.
 *
 * <p>Threads: any thread may call {@link #begin} and {@link #end}. Only the loop thread calls the other methods.
 */
public final class EligibilityTracker {

    private final Consumer<Eligibility> judgement;
    private final Optional<HealthCheck> health;
    private final Optional<HealthLoop> checks;
    private boolean paused;
    private boolean taskEnded;
    private boolean well;

    /**
     * @param judgement the callback that receives the eligibility after each event that can change the eligibility.
     *     {@link #begin} calls it on the caller's thread; all other calls are on the loop thread
     */
    public EligibilityTracker(Consumer<Eligibility> judgement, Threads threads, Optional<HealthCheck> health) {
        this.judgement = judgement;
        this.health = health;
        this.well = health.isEmpty();
        this.checks = health.map(each -> new HealthLoop(
                threads,
                each.check(),
                each.every(),
                HealthJudge.begin(each.fallAfter(), each.riseAfter()),
                this::eligibilityChanged));
    }

    public void begin() {
        if (checks.isPresent()) {
            judgement.accept(eligibility());
        }
        checks.ifPresent(HealthLoop::start);
    }

    public void end() {
        checks.ifPresent(HealthLoop::end);
    }

    public void pause() {
        paused = true;
        judgement.accept(eligibility());
    }

    public void resume() {
        paused = false;
        taskEnded = false;
        judgement.accept(eligibility());
    }

    /** Records that {@link LocalCandidate#whileLeading} has begun. */
    void taskBegins() {
        if (taskEnded) {
            taskEnded = false;
            judgement.accept(eligibility());
        }
    }

    /**
     * Records that {@link LocalCandidate#whileLeading} has returned or thrown. The candidate does not campaign again
     * until the next call of {@code whileLeading} or {@link #resume}.
     */
    void taskEnds() {
        taskEnded = true;
        judgement.accept(eligibility());
    }

    private void eligibilityChanged(boolean isWell) {
        well = isWell;
        judgement.accept(eligibility());
    }

    private Eligibility eligibility() {
        if (paused) {
            return Eligibility.PAUSED;
        }
        if (taskEnded) {
            return Eligibility.WITHOUT_TASK;
        }
        if (well) {
            return Eligibility.FIT;
        }
        boolean lastResort = health.filter(each -> each.whenNoneHealthy().equals(HealthCheck.NoneHealthy.LEAD_ANYWAY))
                .isPresent();
        return lastResort ? Eligibility.LAST_RESORT : Eligibility.UNFIT;
    }
}
