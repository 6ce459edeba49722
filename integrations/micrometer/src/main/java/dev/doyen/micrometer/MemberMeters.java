package dev.doyen.micrometer;

import dev.doyen.election.Candidate;
import dev.doyen.election.ElectionListener;
import dev.doyen.election.Leadership;
import dev.doyen.election.Observer;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.metrics.Metric;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one participant. This object receives the participant's events.
 *
 * <p>The participant references this object as its listener, and this object references the participant. The registry
 * references this object only weakly, as Micrometer's gauges do. Therefore the garbage collector can collect this
 * object together with the participant.
 *
 * <p>Threads: events arrive on the callback thread. Scrapes may run on any thread.
 */
final class MemberMeters implements ElectionListener<Leadership> {

    private final MeterRegistry registry;
    private final Observer member;
    private final Tags tags;
    private final RunningTasks tasks;
    private final LeaderlessTime leaderless;
    private final AtomicLong highestTerm = new AtomicLong();
    private final Counter elected;
    private final Counter observed;
    private final Counter jeopardies;
    private final Counter overlaps;
    private final Map<LossCause, Counter> losses = new EnumMap<>(LossCause.class);
    private final AtomicReference<@Nullable LeaderNames> names = new AtomicReference<>();
    private final AtomicReference<Observer.@Nullable Registration> listening = new AtomicReference<>();

    MemberMeters(MeterRegistry registry, Observer member, Tags tags, RunningTasks tasks) {
        this.registry = registry;
        this.member = member;
        this.tags = tags;
        this.tasks = tasks;
        Clock clock = registry.config().clock();
        this.leaderless = new LeaderlessTime(clock::monotonicTime);
        // All counters exist from the start, because a monitoring system shows no increase if the first value of a
        // counter is 1.
        this.elected = transitions(Metric.ELECTED);
        this.observed = transitions(Metric.OBSERVED);
        for (LossCause cause : LossCause.values()) {
            losses.put(cause, transitions(Metric.reason(cause)));
        }
        this.jeopardies = CommonMeters.counter(Metric.JEOPARDY, tags).register(registry);
        this.overlaps = CommonMeters.counter(Metric.OVERLAPS, tags).register(registry);
    }

    /** Registers the gauges, which are computed at each scrape, and returns all meters. */
    List<Meter> register() {
        List<Meter> all = new ArrayList<>(losses.values());
        all.add(elected);
        all.add(observed);
        all.add(jeopardies);
        all.add(overlaps);
        all.add(CommonMeters.gauge(Metric.TERM, tags, this, MemberMeters::term).register(registry));
        all.add(CommonMeters.counter(Metric.LEADERLESS, tags, leaderless, LeaderlessTime::seconds)
                .register(registry));
        if (member instanceof Candidate) {
            all.add(tasks.register(registry, tags));
            all.add(CommonMeters.gauge(Metric.IS_LEADER, tags, this, MemberMeters::leading)
                    .register(registry));
            all.add(CommonMeters.gauge(Metric.LEASE_REMAINING, tags, this, MemberMeters::remaining)
                    .register(registry));
        }
        return all;
    }

    /**
     * Registers this object as a listener of the participant. From now on, only the participant's reference prevents
     * the garbage collection of this object.
     */
    void listen() {
        listening.set(
                member instanceof Candidate<?> candidate ? candidate.listen(this) : member.listen(this::leaderChanged));
    }

    void nameLeaders(LeaderNames leaderNames) {
        names.set(leaderNames);
        leaderNames.leads(member.leader());
    }

    void close() {
        Observer.Registration registration = listening.getAndSet(null);
        if (registration != null) {
            registration.close();
        }
        LeaderNames naming = names.getAndSet(null);
        if (naming != null) {
            naming.close();
        }
    }

    @Override
    public void elected(Leadership leadership) {
        elected.increment();
    }

    @Override
    public void jeopardy(Duration remaining, String reason) {
        jeopardies.increment();
    }

    @Override
    public void lost(LossCause cause) {
        losses.getOrDefault(cause, observed).increment();
    }

    @Override
    public void overlapped(long term, Leader by) {
        overlaps.increment();
    }

    @Override
    public void leaderChanged(Optional<Leader> leader) {
        leaderless.leads(leader.isPresent());
        leader.ifPresent(known -> {
            if (know(known.term()) && !(member instanceof Candidate)) {
                observed.increment();
            }
        });
        LeaderNames naming = names.get();
        if (naming != null) {
            naming.leads(leader);
        }
    }

    /** Records a term, and returns true if this term is higher than all earlier terms. */
    private boolean know(long term) {
        return highestTerm.getAndAccumulate(term, Math::max) < term;
    }

    private double term() {
        member.leader().ifPresent(known -> highestTerm.accumulateAndGet(known.term(), Math::max));
        return highestTerm.get();
    }

    private double leading() {
        return member instanceof Candidate<?> candidate && candidate.isLeader() ? 1 : 0;
    }

    private double remaining() {
        Duration left = member instanceof Candidate<?> candidate
                ? candidate.leadership().map(Leadership::remaining).orElse(Duration.ZERO)
                : Duration.ZERO;
        return left.toNanos() / 1e9;
    }

    private Counter transitions(String reason) {
        return CommonMeters.counter(Metric.TRANSITIONS, CommonMeters.tags(tags, Metric.TRANSITIONS, reason))
                .register(registry);
    }
}
