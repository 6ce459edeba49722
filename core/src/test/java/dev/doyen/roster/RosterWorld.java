package dev.doyen.roster;

import dev.doyen.event.LossCause;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import dev.doyen.ranking.Ranking;
import dev.doyen.ranking.RankingSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A seeded world: a network that loses, doubles, delays and reorders, a membership that is late and wrong, processes that crash,
 * stand still, are suspended, resign and close. First faults, then none; what docs/spec/ranking.md promises over a membership is
 * checked at every effect.
 */
final class RosterWorld {

    private static final int MAX_STEPS = 200_000;
    static final long MILLI = 1_000_000;
    static final long FAULTS_END = 30_000 * MILLI;
    private static final long LAST_VIEW = FAULTS_END - 8_000 * MILLI;
    private static final long END = FAULTS_END + 20_000 * MILLI;
    private static final Set<Integer> MOVES_VIEWS = Set.of(0, 1, 2, 7);

    final Map<String, Integer> marks;
    final List<RosterProcess> processes = new ArrayList<>();
    long now;

    private final Random random;
    private final boolean isOldest;
    private final Ranking ranking;
    private final RosterOath oath = new RosterOath(this);
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
    private final Map<Member, Long> lastNumber = new HashMap<>();
    private final Map<Member, Long> installedNumber = new HashMap<>();
    private final Set<String> cuts = new HashSet<>();
    private final boolean viewStays;
    private final double loss;
    private final double doubling;
    private final int slowest;
    private long order;
    private int steps;
    private int incarnations;

    private record Event(long at, long order, Runnable what) {}

    RosterWorld(long seed, Map<String, Integer> marks) {
        this.random = new Random(seed);
        this.marks = marks;
        this.loss = random.nextInt(3) * 0.03;
        this.doubling = random.nextInt(3) * 0.05;
        this.slowest = 10 + random.nextInt(100);
        this.viewStays = random.nextBoolean();
        this.isOldest = random.nextBoolean();
        this.ranking = isOldest ? Ranking.oldest() : Ranking.lowestId();
        int members = 2 + random.nextInt(5);
        for (int i = 0; i < members; i++) {
            start("m" + i);
        }
    }

    void run() {
        later(0, this::viewOfSome);
        for (long at = 0; at < FAULTS_END; at += 400 * MILLI) {
            later(at, this::fault);
        }
        later(viewStays ? LAST_VIEW : FAULTS_END, () -> viewOf(alive(), 900));
        later(FAULTS_END, cuts::clear);
        runUntil(END);
        oath.healed();
        succession();
    }

    /** The leader closes, and nothing else happens: the first in rank is next (K5, V8). Reckoned here anew. */
    private void succession() {
        List<RosterProcess> standing =
                alive().stream().filter(process -> !process.closed).toList();
        // On slower links the second may claim before it has heard of the first one's claim: settling is too short for
        // them.
        if (standing.size() < 2 || slowest > 90) {
            return;
        }
        RosterProcess leader = standing.stream()
                .filter(process -> process.leadsAt(now))
                .findFirst()
                .orElseThrow();
        Comparator<RosterProcess> rank = isOldest
                ? Comparator.<RosterProcess>comparingInt(process -> -process.priority)
                        .thenComparingLong(process -> process.joined)
                        .thenComparing(process -> process.me.toString())
                : Comparator.<RosterProcess>comparingInt(process -> -process.priority)
                        .thenComparing(process -> process.me.id())
                        .thenComparing(process -> process.me.toString());
        RosterProcess first =
                standing.stream().filter(process -> process != leader).min(rank).orElseThrow();
        leader.closed = true;
        give(leader, () -> new RosterInput.StandBack(leader.at(now), LossCause.CLOSED));
        runUntil(END + 3_000 * MILLI);
        require(first.leadsAt(now), "K5, V8: " + first.me + " is first in rank, and does not lead");
        mark("the first in rank leads");
    }

    private void runUntil(long end) {
        while (!events.isEmpty() && events.peek().at() <= end) {
            Event event = events.remove();
            require(++steps <= MAX_STEPS, "more than " + MAX_STEPS + " events: a storm");
            now = event.at();
            event.what().run();
        }
    }

    private void start(String id) {
        var me = new Member(id, Integer.toString(++incarnations));
        var base = RankingSettings.DEFAULT;
        int priority = random.nextInt(3) * 50;
        var settings = new RankingSettings(
                ranking,
                priority,
                true,
                RosterOath.TTL,
                Duration.ofMillis(50),
                Duration.ofMillis(50),
                base.cooldown(),
                base.backoff(),
                Duration.ofSeconds(1),
                Duration.ofSeconds(2));
        double rate = 0.96 + 0.08 * random.nextDouble();
        processes.add(new RosterProcess(me, settings, rate, random.nextLong() >> 2));
    }

    private void fault() {
        RosterProcess one = any();
        int fault = random.nextInt(10);
        if (viewStays && now >= LAST_VIEW && MOVES_VIEWS.contains(fault)) {
            return;
        }
        switch (fault) {
            case 0, 1 -> viewOfSome();
            case 2 -> viewOf(alive(), 300);
            case 3 -> cut(any().me, any().me);
            case 4 -> pause(one, false);
            case 5 -> pause(one, true);
            case 6 -> give(one, () -> new RosterInput.Resign(one.at(now), Duration.ofMillis(random.nextInt(2000))));
            case 7 -> {
                if (random.nextInt(3) == 0) {
                    one.crashed = true;
                    mark("crashed");
                    start(one.me.id());
                }
            }
            case 8 -> {
                if (random.nextInt(8) == 0
                        && processes.stream()
                                        .filter(p -> !p.closed && !p.crashed)
                                        .count()
                                > 2) {
                    mark("closed");
                    give(one, () -> {
                        one.closed = true;
                        return new RosterInput.StandBack(one.at(now), LossCause.CLOSED);
                    });
                }
            }
            default -> cuts.clear();
        }
    }

    private void pause(RosterProcess process, boolean suspended) {
        long until = Math.min(FAULTS_END, now + random.nextInt(3_000) * MILLI);
        if (process.pausedUntil >= now) {
            return;
        }
        if (suspended) {
            process.suspendUntil(now, until);
        } else {
            process.pausedUntil = until;
        }
    }

    private void cut(Member from, Member to) {
        cuts.add(from + ">" + to);
        if (random.nextBoolean()) {
            cuts.add(to + ">" + from);
        }
    }

    private void viewOfSome() {
        var one = new ArrayList<RosterProcess>();
        var other = new ArrayList<RosterProcess>();
        for (RosterProcess process : alive()) {
            (random.nextInt(4) > 0 ? one : other).add(process);
        }
        viewOf(one, 1_500);
        if (random.nextBoolean()) {
            viewOf(other, 1_500);
        }
    }

    /** A view that its members install some time; those who are put out are told so sometimes. */
    private void viewOf(List<RosterProcess> members, int spreadMillis) {
        if (members.isEmpty()) {
            return;
        }
        long number = 1;
        for (RosterProcess process : members) {
            number = Math.max(number, lastNumber.getOrDefault(process.me, 0L) + 1);
        }
        for (RosterProcess process : members) {
            lastNumber.put(process.me, number);
        }
        var view = new View(
                new ViewId(number, members.get(0).me.toString()),
                members.stream().map(process -> process.me).toList());
        for (RosterProcess process : members) {
            later(now + random.nextInt(spreadMillis) * MILLI, () -> install(process, view));
        }
        for (RosterProcess process : alive()) {
            if (!members.contains(process) && random.nextInt(4) == 0) {
                mark("put out");
                give(process, () -> new RosterInput.Installed(process.at(now), view));
            }
        }
    }

    /** A membership gives a member its views in order; it may leave one out. */
    private void install(RosterProcess process, View view) {
        if (view.id().number() > installedNumber.getOrDefault(process.me, 0L)) {
            installedNumber.put(process.me, view.id().number());
            mark("installed");
            give(process, () -> new RosterInput.Installed(process.at(now), view));
        }
    }

    private void give(RosterProcess process, Supplier<RosterInput> input) {
        if (process.crashed) {
            return;
        }
        // What is due at the moment at which it goes on comes after what has waited for that.
        if (process.pausedUntil >= now) {
            later(process.pausedUntil + 1, () -> give(process, input));
            return;
        }
        boolean wasIn = process.state.view().isPresent();
        Optional<ViewId> before = process.state.view().map(View::id);
        RosterStep step = process.take(input.get());
        Optional<ViewId> view = process.state.view().map(View::id);
        if (!view.equals(before)) {
            process.installedAt = now;
            process.joined = wasIn ? process.joined : view.map(ViewId::number).orElse(0L);
        }
        for (RosterEffect effect : step.effects()) {
            oath.check(process, effect);
            if (effect instanceof RosterEffect.Send send) {
                send(process.me, send);
            }
        }
        oath.afterEachStep(process);
        long generation = ++process.wakeGeneration;
        if (step.wakeAtNanos() != Long.MAX_VALUE) {
            later(Math.max(now + 1, process.worldAt(step.wakeAtNanos())), () -> wake(process, generation));
        }
    }

    private void wake(RosterProcess process, long generation) {
        if (generation == process.wakeGeneration) {
            give(process, () -> new RosterInput.Tick(process.at(now)));
        }
    }

    private void send(Member from, RosterEffect.Send send) {
        boolean faulty = now < FAULTS_END;
        mark("sent");
        if (faulty && (cuts.contains(from + ">" + send.to()) || random.nextDouble() < loss)) {
            mark("lost");
            return;
        }
        // Links keep no order here, which is more than a membership may do.
        long sent = now;
        later(now + random.nextInt(slowest) * MILLI, () -> arrive(from, send, sent));
        if (faulty && random.nextDouble() < doubling) {
            mark("doubled");
            later(now + random.nextInt(2_000) * MILLI, () -> arrive(from, send, sent));
        }
    }

    private void arrive(Member from, RosterEffect.Send send, long sent) {
        for (RosterProcess process : processes) {
            if (process.me.equals(send.to())) {
                give(process, () -> {
                    oath.heard(process, from, send.message().view(), sent);
                    return new RosterInput.Received(process.at(now), from, send.message());
                });
            }
        }
    }

    private void later(long at, Runnable what) {
        events.add(new Event(at, ++order, what));
    }

    void mark(String what) {
        marks.merge(what, 1, Integer::sum);
    }

    void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise + ", at " + now / MILLI + " ms");
        }
    }

    private RosterProcess any() {
        List<RosterProcess> alive = alive();
        return alive.get(random.nextInt(alive.size()));
    }

    List<RosterProcess> alive() {
        return processes.stream().filter(process -> !process.crashed).toList();
    }
}
