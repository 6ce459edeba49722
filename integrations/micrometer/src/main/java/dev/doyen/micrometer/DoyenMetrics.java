package dev.doyen.micrometer;

import dev.doyen.election.Candidate;
import dev.doyen.election.Leadership;
import dev.doyen.election.LocalCandidate;
import dev.doyen.election.Observer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The meters of one participant in an election, from {@link #bind} until {@link #close}.
 *
 * <p>Values that change without an event are computed at each scrape. Examples are whether the candidate leads, and for
 * how much longer. So a process that was paused does not report a leadership that has expired.
 *
 * <p>The tags are {@code election} and those passed to {@link #bind}. The name of a candidate is not a tag, because
 * there may be any number of them over time. {@link #withLeaderNames} adds it.
 *
 * <p>Neither this object nor the registry keeps the election alive. Close this object when you close the election,
 * because a closed participant receives no more events.
 *
 * <p>Threads: any.
 */
public final class DoyenMetrics implements AutoCloseable {

    /** All bindings, so that no two participants share a meter and show each other's state. */
    private static final Map<MeterRegistry, Map<Tags, Bound>> BOUND = new WeakHashMap<>();

    private final MeterRegistry registry;
    private final Tags tags;
    private final Bound bound;
    private final RunningTasks tasks;

    private DoyenMetrics(MeterRegistry registry, Tags tags, Bound bound, RunningTasks tasks) {
        this.registry = registry;
        this.tags = tags;
        this.bound = bound;
        this.tasks = tasks;
    }

    /**
     * Registers the meters of {@code member}.
     *
     * <p>Only a {@link Candidate} has the gauges for its leadership and its tasks.
     */
    public static DoyenMetrics bind(MeterRegistry registry, Observer member) {
        return bind(registry, member, Tags.empty());
    }

    /**
     * Registers the meters of {@code member} with additional tags.
     *
     * <p>All participants bound to one registry need the same tag names.
     *
     * @throws IllegalStateException if a participant of this election is bound to {@code registry} with the same tags,
     *     because their meters would be the same
     */
    public static DoyenMetrics bind(MeterRegistry registry, Observer member, Iterable<Tag> more) {
        Tags tags = Tags.of("election", member.election()).and(more);
        synchronized (BOUND) {
            Map<Tags, Bound> here = BOUND.computeIfAbsent(registry, r -> new HashMap<>());
            Bound before = here.get(tags);
            if (before != null && before.meters.get() != null) {
                throw new IllegalStateException("a member of election \"" + member.election()
                        + "\" is bound to this registry already; close that binding, or bind with a tag that tells the"
                        + " two apart");
            }
            if (before != null) {
                // The participant was collected, and nobody has closed the binding.
                before.ids.forEach(registry::remove);
            }
            var tasks = new RunningTasks();
            var meters = new MemberMeters(registry, member, tags, tasks);
            var bound = new Bound(new WeakReference<>(meters), meters.register());
            here.put(tags, bound);
            meters.listen();
            return new DoyenMetrics(registry, tags, bound, tasks);
        }
    }

    /**
     * Also registers {@code doyen.election.leader{leader}}, which is 1 for the known leader.
     *
     * <p>At most one such series exists at a time. After {@value LeaderNames#MOST} names, all others are called
     * {@code other}. Every name stays in the history of the monitoring system. So do not use this if each start has a
     * new name.
     */
    public DoyenMetrics withLeaderNames() {
        MemberMeters listening = bound.meters.get();
        if (listening != null) {
            listening.nameLeaders(new LeaderNames(registry, tags));
        }
        return this;
    }

    /**
     * Returns the same task, counted by {@code doyen.tasks.overrun} while it runs after its term has ended.
     *
     * <p>Pass the result to {@link LocalCandidate#whileLeading}.
     */
    public <L extends Leadership, X extends Exception> LocalCandidate.LeaderTask<L, X> watched(
            LocalCandidate.LeaderTask<L, X> task) {
        return tasks.watched(task);
    }

    /** Removes the meters from the registry. */
    @Override
    public void close() {
        MemberMeters listening = bound.meters.get();
        if (listening != null) {
            listening.close();
        }
        synchronized (BOUND) {
            Map<Tags, Bound> here = BOUND.get(registry);
            if (here != null && here.remove(tags, bound)) {
                bound.ids.forEach(registry::remove);
            }
        }
    }

    /** Lives as long as the registry. It must not reference the registry or the participant strongly. */
    private static final class Bound {
        private final WeakReference<MemberMeters> meters;
        private final List<Meter.Id> ids;

        Bound(WeakReference<MemberMeters> meters, List<Meter> registered) {
            this.meters = meters;
            this.ids = registered.stream().map(Meter::getId).toList();
        }
    }
}
