package dev.doyen.micrometer;

import dev.doyen.Candidate;
import dev.doyen.Observer;
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
 * The meters of one member of an election, from {@link #bind} until {@link #close}.
 *
 * <p>What can change without an event (whether this candidate leads, for how much longer) is asked at each scrape, so
 * that a process that stood still does not report a leadership that has run out. Tags: {@code election}, and those
 * given; never the name of a candidate, of which there may be any number over time, but see {@link #withLeaderNames}.
 *
 * <p>Neither this nor the registry keeps the election alive. Close this when you close the election: what was bound and
 * has been closed is no longer told who leads. Threads: any.
 */
public final class DoyenMetrics implements AutoCloseable {

    /** Who is bound where, so that no two share a meter and show each other's state. */
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

    /** Registers the meters of {@code member}: all of them for a {@link Candidate}, who leads and when for others. */
    public static DoyenMetrics bind(MeterRegistry registry, Observer member) {
        return bind(registry, member, Tags.empty());
    }

    /**
     * The same with more tags; all members bound to one registry need the same tag names.
     *
     * @throws IllegalStateException if a member of this election is bound to {@code registry} with the same tags, for
     *     the two could not be told apart
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
                // Its member is gone, and nobody closed the binding.
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
     * Also registers {@code doyen.election.leader{leader}}: 1 for whoever leads as far as is known. At most one such
     * series is there at a time, and after {@value LeaderNames#MOST} names the rest are called {@code other}; yet every
     * name stays in the monitoring system's history, so do not ask for this where each start brings a new name.
     */
    public DoyenMetrics withLeaderNames() {
        MemberMeters listening = bound.meters.get();
        if (listening != null) {
            listening.nameLeaders(new LeaderNames(registry, tags));
        }
        return this;
    }

    /**
     * The same task, watched: while it runs on after its term has ended, {@code doyen.tasks.overrun} counts it. Give
     * the result to {@link Candidate#whileLeading}.
     */
    public <X extends Exception> Candidate.LeaderTask<X> watched(Candidate.LeaderTask<X> task) {
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

    /** Held for as long as the registry lives, so it may hold neither the registry nor the member. */
    private static final class Bound {
        private final WeakReference<MemberMeters> meters;
        private final List<Meter.Id> ids;

        Bound(WeakReference<MemberMeters> meters, List<Meter> registered) {
            this.meters = meters;
            this.ids = registered.stream().map(Meter::getId).toList();
        }
    }
}
