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
 * The meters of one participant in an election. The meters are registered from {@link #bind} until {@link #close}.
 *
 * <p>Values that change without an event, such as the remaining time of a leadership, are computed at each scrape.
 * Therefore a resumed process does not report a leadership that expired while the process was suspended.
 *
 * <p>All meters have the tag {@code election} and the tags passed to {@link #bind}, and some have one more tag. The
 * name of a candidate is not a tag, because the number of names is unlimited over time. {@link #withLeaderNames} adds a
 * series with the leader's name.
 *
 * <p>Neither this object nor the registry prevents the garbage collection of the election. Close this object when you
 * close the election. Otherwise the meters stay registered, although they receive no further events.
 *
 * <p>Threads: the methods may be called on any thread.
 */
public final class DoyenMetrics implements AutoCloseable {

    /**
     * All bindings, by registry and tags. With this map, {@code bind} rejects two participants with the same meters.
     */
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
     * <p>The gauges for the leadership and its tasks are registered only if the member is a {@link Candidate}.
     */
    public static DoyenMetrics bind(MeterRegistry registry, Observer member) {
        return bind(registry, member, Tags.empty());
    }

    /**
     * Registers the meters of {@code member} with additional tags.
     *
     * <p>All participants that are bound to one registry must have the same tag names.
     *
     * @throws IllegalStateException if a participant of this election is already bound to {@code registry} with the
     *     same tags, because the two bindings would have the same meters
     */
    public static DoyenMetrics bind(MeterRegistry registry, Observer member, Iterable<Tag> more) {
        Tags tags = Tags.of("election", member.election()).and(more);
        synchronized (BOUND) {
            Map<Tags, Bound> here = BOUND.computeIfAbsent(registry, r -> new HashMap<>());
            Bound before = here.get(tags);
            if (before != null && before.meters.get() != null) {
                throw new IllegalStateException("a member of election \"" + member.election()
                        + "\" is bound to this registry already; close that binding, or bind with a tag that"
                        + " distinguishes the two");
            }
            if (before != null) {
                // The participant was garbage-collected before its binding was closed.
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
     * <p>At most one such series exists at a time. After {@value LeaderNames#MOST} names, every leader with a new name
     * is reported as {@code other}. Do not call this method if a candidate has a new name after each start, because the
     * monitoring system stores every name in its history.
     */
    public DoyenMetrics withLeaderNames() {
        MemberMeters listening = bound.meters.get();
        if (listening != null) {
            listening.nameLeaders(new LeaderNames(registry, tags));
        }
        return this;
    }

    /**
     * Returns a task that runs {@code task}. The gauge {@code doyen.tasks.overrun} counts the task while the task still
     * runs after the end of its term.
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

    /**
     * The binding of one participant. A static map contains the binding, so the binding must not strongly reference the
     * registry or the participant.
     */
    private static final class Bound {
        private final WeakReference<MemberMeters> meters;
        private final List<Meter.Id> ids;

        Bound(WeakReference<MemberMeters> meters, List<Meter> registered) {
            this.meters = meters;
            this.ids = registered.stream().map(Meter::getId).toList();
        }
    }
}
