package dev.doyen.spring;

import dev.doyen.Fencing;
import dev.doyen.election.HealthCheck;
import dev.doyen.election.LeaseTiming;
import dev.doyen.election.Priority;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The validated settings under {@code doyen.elections.NAME.}.
 *
 * @param ttl How long the other candidates wait for a leader that does not renew, before one of them takes over. 200
 *     ms to 1 h.
 * @param deadline How long the leader leads after its last confirmed renewal. At most 0.8 of the ttl; by default 0.8
 *     of the ttl.
 * @param renewEvery The time between two renewals. At most a third of the deadline; by default a fifth of the ttl.
 * @param requestTimeout The timeout of a call to the store. At most half the deadline; by default a fifth of the ttl.
 * @param pollEvery How often a follower reads the record. At most the ttl; by default a tenth of the ttl.
 * @param watchedPollEvery How often a follower reads the record while the store announces changes. By default half
 *     the ttl.
 * @param resignCooldown How long a candidate that has resigned does not campaign. 0 to 1 h; by default the ttl.
 * @param priority The priority of this application when the lease is free. A higher priority is preferred. 0 to 100.
 * @param returns Whether this application asks a leader of lower priority to hand over.
 * @param fencing Whether to reject a store that can lose a term.
 * @param autoStart Whether to campaign after the application has started. If false, call LeaderElections.join.
 * @param health The health check that decides whether this application campaigns.
 */
public record ElectionSettings(
        @DefaultValue("10s") Duration ttl,
        @Nullable Duration deadline,
        @Nullable Duration renewEvery,
        @Nullable Duration requestTimeout,
        @Nullable Duration pollEvery,
        @Nullable Duration watchedPollEvery,
        @Nullable Duration resignCooldown,
        @DefaultValue("100") int priority,
        @DefaultValue("never") Priority.Returns returns,
        @DefaultValue("best-effort") Fencing fencing,
        @DefaultValue("true") boolean autoStart,
        @DefaultValue Health health) {

    static final ElectionSettings DEFAULT = new ElectionSettings(
            LeaseTiming.DEFAULT_TTL,
            null,
            null,
            null,
            null,
            null,
            null,
            Priority.DEFAULT.level(),
            Priority.DEFAULT.returns(),
            Fencing.BEST_EFFORT,
            true,
            Health.NONE);

    public ElectionSettings {
        Refusals.under(
                "doyen.elections.*",
                () -> timing(ttl, deadline, renewEvery, requestTimeout, pollEvery, watchedPollEvery, resignCooldown));
        Refusals.under("doyen.elections.*", () -> new Priority(priority, returns));
    }

    /** Returns the timing of the lease. Durations that are not set are derived from the ttl. */
    public LeaseTiming timing() {
        return timing(ttl, deadline, renewEvery, requestTimeout, pollEvery, watchedPollEvery, resignCooldown);
    }

    /** Returns the settings that must be equal for elections that share a session. */
    ElectionSettings withoutStart() {
        return new ElectionSettings(
                ttl,
                deadline,
                renewEvery,
                requestTimeout,
                pollEvery,
                watchedPollEvery,
                resignCooldown,
                priority,
                returns,
                fencing,
                true,
                health);
    }

    /** Returns true if ring elections support all configured settings. */
    boolean isForRing() {
        return withoutStart()
                .equals(new ElectionSettings(
                        DEFAULT.ttl,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        priority,
                        DEFAULT.returns,
                        DEFAULT.fencing,
                        true,
                        health));
    }

    private static LeaseTiming timing(
            Duration ttl,
            @Nullable Duration deadline,
            @Nullable Duration renewEvery,
            @Nullable Duration requestTimeout,
            @Nullable Duration pollEvery,
            @Nullable Duration watchedPollEvery,
            @Nullable Duration resignCooldown) {
        LeaseTiming usual = LeaseTiming.ofTtl(ttl);
        return new LeaseTiming(
                ttl,
                deadline == null ? usual.deadline() : deadline,
                renewEvery == null ? usual.renewEvery() : renewEvery,
                requestTimeout == null ? usual.requestTimeout() : requestTimeout,
                pollEvery == null ? usual.pollEvery() : pollEvery,
                watchedPollEvery == null ? usual.watchedPollEvery() : watchedPollEvery,
                resignCooldown == null ? usual.resignCooldown() : resignCooldown);
    }

    /**
     * The settings of the application's health check. An unhealthy application steps down if it leads. It campaigns
     * only if {@code whenNoneHealthy} permits it.
     *
     * @param bean The name of the bean that reports the health. The bean is a BooleanSupplier or a HealthIndicator. A
     *     HealthIndicator is healthy if its status is UP. By default the application has no health check.
     * @param every The time between two calls of the bean. 10 ms to 1 h.
     * @param fallAfter The number of consecutive negative results after which the application is unhealthy. 1 to 100.
     * @param riseAfter The number of consecutive positive results after which the application is healthy again. 1 to
     *     100.
     * @param whenNoneHealthy The rule for an unhealthy application if no healthy candidate acquires the lease.
     */
    public record Health(
            @Nullable String bean,
            @DefaultValue("1s") Duration every,
            @DefaultValue("3") int fallAfter,
            @DefaultValue("2") int riseAfter,
            @DefaultValue("no-leader") HealthCheck.NoneHealthy whenNoneHealthy) {

        static final Health NONE = new Health(null, Duration.ofSeconds(1), 3, 2, HealthCheck.NoneHealthy.NO_LEADER);

        public Health {
            Refusals.under(
                    "doyen.elections.*.health",
                    () -> new HealthCheck(() -> true, every, fallAfter, riseAfter, whenNoneHealthy));
        }

        HealthCheck calling(BooleanSupplier whetherWell) {
            return new HealthCheck(whetherWell, every, fallAfter, riseAfter, whenNoneHealthy);
        }
    }
}
