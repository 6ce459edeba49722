package dev.doyen.ring;

import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingOrder;
import dev.doyen.group.settings.RingTiming;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
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
 * A seeded world with faults of the network, the membership and the processes.
 *
 * <p>The network loses, duplicates and delays messages. The membership is late and wrong. Processes crash, freeze and
 * resign. {@link RingOath} checks the promises at every effect. Then the faults end. One follower after another freezes
 * or is slow, and the leader must keep its term. Each link keeps order, except for duplicates.
 *
 * <p>Longer than most tests, because it is one world with all its faults.
 */
final class RingWorld {

    static final RingTiming TIMING = RingTiming.ofElectionTimeout(Duration.ofSeconds(1));

    private static final int MAX_STEPS = 80_000;
    private static final long MILLI = 1_000_000;
    private static final long FAULTS_END = 30_000 * MILLI;
    private static final long VIEW_SETTLED = FAULTS_END + 1_000 * MILLI;

    /** In half of the worlds the last view comes at this time, so later rounds must recover from the faults. */
    private static final long LAST_VIEW = FAULTS_END - 8_000 * MILLI;

    /** Leaves time for a round without a winner, which takes eight times the election timeout, and an election. */
    private static final long END = VIEW_SETTLED + 9_000 * MILLI;

    /** The time of one trial: a follower freezes at its beginning, and all members are in one view at its end. */
    private static final long TRIAL = 6_000 * MILLI;

    private static final int TRIALS = 3;

    /** Longer than the membership takes to remove a silent member. */
    private static final long FROZEN_MOST = 3_000 * MILLI;

    /** With such short hops a heartbeat and a round take less than a tenth of the leader lease. */
    private static final int CALM_HOP_MILLIS = 3;

    private static final int HOP_MILLIS = 20;

    private static final int SPREAD_MILLIS = 10;

    /** The cases of {@link #fault} after which another view must follow. */
    private static final Set<Integer> MOVES_VIEWS = Set.of(0, 1, 2, 7);

    final Map<String, Integer> marks;
    final List<RingProcess> processes = new ArrayList<>();
    long now;

    /** The order, which is the same at all members. */
    final RingOrder order;

    private final Random random;
    private final RingAlgorithm algorithm;

    /** A separate generator, so that other saves do not change the faults of a world. */
    private final Random saving;

    private final RingOath oath = new RingOath(this);
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
    private final Map<String, Long> linkBusyUntil = new HashMap<>();
    private final Map<Member, Long> lastNumber = new HashMap<>();
    private final Map<Member, Long> installedNumber = new HashMap<>();
    private final Set<String> cuts = new HashSet<>();
    private final boolean viewStays;
    private final double loss;
    private final double doubling;
    private boolean calm;
    private long scheduled;
    private int steps;
    private int incarnations;

    private record Event(long at, long order, Runnable what) {}

    RingWorld(RingAlgorithm algorithm, RingOrder order, long seed, Map<String, Integer> marks) {
        this.algorithm = algorithm;
        this.order = order;
        this.random = new Random(seed);
        this.saving = new Random(~seed);
        this.marks = marks;
        this.loss = random.nextInt(3) * 0.03;
        this.doubling = random.nextInt(3) * 0.05;
        int members = 2 + random.nextInt(5);
        for (int i = 0; i < members; i++) {
            start("m" + i);
        }
        this.viewStays = random.nextBoolean();
    }

    void run() {
        later(0, this::viewOfSome);
        for (long at = 0; at < FAULTS_END; at += 400 * MILLI) {
            later(at, this::fault);
        }
        saveUntil(FAULTS_END);
        later(viewStays ? LAST_VIEW : FAULTS_END, () -> viewOf(alive(), 900));
        later(FAULTS_END, cuts::clear);
        runUntil(END);
        oath.healed(alive());
        if (!viewStays) {
            // Long enough for two rounds. The first member with the view may have given up its first round before the
            // last member installs the view.
            Duration patience = TIMING.electionTimeout().multipliedBy(3).dividedBy(5);
            oath.healedBy(VIEW_SETTLED + patience.toNanos());
        }
        marks.merge(
                "milliseconds to heal, at most, " + (viewStays ? "in a view that stays" : "in a new view"),
                (int) ((oath.lastNews - FAULTS_END) / MILLI),
                Math::max);
        calm = true;
        for (int trial = 0; trial < TRIALS && alive().size() > 1; trial++) {
            disturbFollower();
        }
    }

    private void runUntil(long end) {
        while (!events.isEmpty() && events.peek().at() <= end) {
            Event event = events.remove();
            if (++steps > MAX_STEPS) {
                throw new AssertionError("more than " + MAX_STEPS + " events: a storm");
            }
            now = event.at();
            event.what().run();
        }
        now = end;
    }

    /**
     * Disturbs a follower: it freezes once, or freezes again and again.
     *
     * <p>The others remove it after the longest silence that the durations permit. Later all members are in one view
     * again.
     */
    private void disturbFollower() {
        long end = now + TRIAL;
        List<RingProcess> followers =
                alive().stream().filter(process -> !process.leadsAt(now)).toList();
        RingProcess follower = followers.get(random.nextInt(followers.size()));
        List<RingProcess> others =
                alive().stream().filter(process -> process != follower).toList();
        oath.keepsTerm(alive());
        saveUntil(now + TRIAL / 2);
        long silence = TIMING.longestSilence().toNanos() - random.nextInt(100) * MILLI;
        boolean isSlow = random.nextInt(3) == 0;
        // At any time between two heartbeats.
        long at = now + random.nextInt(500) * MILLI;
        if (isSlow) {
            mark("slow");
            for (long until = at; until < end - FROZEN_MOST; ) {
                long frozen = silence - random.nextInt(100) * MILLI;
                later(until, () -> freeze(follower, frozen));
                until += frozen + (200 + random.nextInt(100)) * MILLI;
            }
        } else {
            mark("frozen");
            long frozen = silence + random.nextLong(FROZEN_MOST - silence);
            later(at, () -> freeze(follower, frozen));
            later(at + silence, () -> viewOf(others, SPREAD_MILLIS));
            later(at + frozen + random.nextInt(1_000) * MILLI, () -> viewOf(alive(), SPREAD_MILLIS));
        }
        runUntil(end);
        oath.healed(alive());
    }

    private void freeze(RingProcess process, long nanos) {
        process.pausedUntil = now + nanos;
    }

    void mark(String what) {
        marks.merge(what, 1, Integer::sum);
    }

    private void start(String id) {
        var me = new Member(id, Integer.toString(++incarnations));
        var settings = new RingSettings(algorithm, order, TIMING, random.nextInt(3) * 50, true);
        processes.add(new RingProcess(me, settings, 0.96 + 0.08 * random.nextDouble(), random.nextLong() >> 2));
    }

    /** Lets leaders save now and then, sometimes before the last save is confirmed. */
    private void saveUntil(long end) {
        for (long at = now; at < end; at += saving.nextInt(900) * MILLI) {
            later(at, this::save);
        }
    }

    private void save() {
        for (RingProcess leader : alive()) {
            Optional<Term> term = leader.state.leading().filter(each -> leader.leadsAt(now));
            term.ifPresent(each -> {
                long version = ++leader.saves;
                SavedState state = SavedState.ofText("state " + saving.nextInt(100));
                give(leader, () -> new RingInput.Save(leader.at(now), each.counter(), version, state));
            });
        }
    }

    private void fault() {
        RingProcess one = any();
        int fault = random.nextInt(9);
        if (viewStays && now >= LAST_VIEW && MOVES_VIEWS.contains(fault)) {
            return;
        }
        switch (fault) {
            case 0, 1 -> viewOfSome();
            case 2 -> viewOf(alive(), 300);
            case 3 -> cut(any().me, any().me);
            case 4 -> pause(one, false);
            case 5 -> pause(one, true);
            case 6 -> resign(one);
            case 7 -> {
                if (random.nextInt(3) == 0) {
                    crash(one);
                }
            }
            default -> cuts.clear();
        }
    }

    /**
     * Crashes a process. It starts again as another member.
     *
     * <p>Sometimes the view that admits the new member is the one that removes the old one.
     */
    private void crash(RingProcess process) {
        process.crashed = true;
        mark("crashed");
        start(process.me.id());
        if (random.nextBoolean() && !(viewStays && now >= LAST_VIEW)) {
            viewOf(alive(), 300);
        }
    }

    /**
     * Lets a process resign, hand over or withdraw. Its cooldown ends before the faults do, so that a member campaigns.
     */
    private void resign(RingProcess process) {
        long most = Math.min(2_500, (FAULTS_END - now) / MILLI);
        Duration cooldown = Duration.ofMillis((long) (random.nextDouble() * most * 0.9));
        int how = random.nextInt(3);
        if (how == 0) {
            give(process, () -> new RingInput.Resign(process.at(now), cooldown));
        } else if (how == 1) {
            RingProcess leader = alive().stream()
                    .filter(each -> each.leadsAt(now))
                    .findFirst()
                    .orElse(process);
            String successor = random.nextInt(4) == 0 ? "nobody" : any().me.id();
            give(leader, () -> new RingInput.HandOver(leader.at(now), successor, cooldown));
        } else {
            mark("stood back");
            give(process, () -> new RingInput.Withdraw(process.at(now), LossCause.PAUSED));
            later(now + cooldown.toNanos(), () -> give(process, () -> new RingInput.Campaign(process.at(now))));
        }
    }

    private void pause(RingProcess process, boolean suspended) {
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

    /** Makes one or two views, for the two sides of a partition. Their numbers may be equal. */
    private void viewOfSome() {
        var one = new ArrayList<RingProcess>();
        var other = new ArrayList<RingProcess>();
        for (RingProcess process : alive()) {
            (random.nextInt(4) > 0 ? one : other).add(process);
        }
        viewOf(one, 1_500);
        if (random.nextBoolean()) {
            viewOf(other, 1_500);
        }
    }

    /** Makes a view. Its members install it at different times; removed members may never learn it. */
    private void viewOf(List<RingProcess> members, int spreadMillis) {
        if (members.isEmpty()) {
            return;
        }
        long number = 1;
        for (RingProcess process : members) {
            number = Math.max(number, lastNumber.getOrDefault(process.me, 0L) + 1);
        }
        for (RingProcess process : members) {
            lastNumber.put(process.me, number);
        }
        View view = view(number, members);
        for (RingProcess process : members) {
            later(now + random.nextInt(spreadMillis) * MILLI, () -> install(process, view));
        }
    }

    private static View view(long number, List<RingProcess> members) {
        return new View(
                new ViewId(number, members.get(0).me.toString()),
                members.stream().map(process -> process.me).toList());
    }

    /** Installs a view at a member. Views come in order, and one may be left out. */
    private void install(RingProcess process, View view) {
        if (view.id().number() > installedNumber.getOrDefault(process.me, 0L)) {
            installedNumber.put(process.me, view.id().number());
            give(process, () -> new RingInput.Installed(process.at(now), view));
        }
    }

    private void give(RingProcess process, Supplier<RingInput> input) {
        if (process.crashed) {
            return;
        }
        // Inputs that are due when a pause ends come after the inputs that have waited for its end.
        if (process.pausedUntil >= now) {
            later(process.pausedUntil + 1, () -> give(process, input));
            return;
        }
        RingStep step = process.take(input.get());
        for (RingEffect effect : step.effects()) {
            oath.check(process, effect);
            if (effect instanceof RingEffect.Send send) {
                send(process.me, send);
            }
        }
        oath.campaigns(process);
        oath.keepsState(process);
        long generation = ++process.wakeGeneration;
        if (step.wakeAtNanos() != Long.MAX_VALUE) {
            long at = Math.max(now + 1, process.worldAt(step.wakeAtNanos()));
            later(at, () -> wake(process, generation));
        }
    }

    private void wake(RingProcess process, long generation) {
        if (generation == process.wakeGeneration) {
            give(process, () -> new RingInput.Woken(process.at(now)));
        }
    }

    private void send(Member from, RingEffect.Send send) {
        String link = from + ">" + send.to();
        boolean faulty = now < FAULTS_END;
        if (faulty && (cuts.contains(link) || random.nextDouble() < loss)) {
            mark("lost");
            return;
        }
        int most = faulty ? HOP_MILLIS : calm ? CALM_HOP_MILLIS : 20;
        long at = Math.max(now + random.nextInt(most) * MILLI, linkBusyUntil.getOrDefault(link, 0L));
        linkBusyUntil.put(link, at);
        later(at, () -> arrive(from, send));
        if (faulty && random.nextDouble() < doubling) {
            mark("doubled");
            later(at + random.nextInt(2_000) * MILLI, () -> arrive(from, send));
        }
    }

    private void arrive(Member from, RingEffect.Send send) {
        for (RingProcess process : processes) {
            if (process.me.equals(send.to())) {
                give(process, () -> new RingInput.Received(process.at(now), from, send.message()));
            }
        }
    }

    private void later(long at, Runnable what) {
        events.add(new Event(at, ++scheduled, what));
    }

    private RingProcess any() {
        List<RingProcess> alive = alive();
        return alive.get(random.nextInt(alive.size()));
    }

    private List<RingProcess> alive() {
        return processes.stream().filter(process -> !process.crashed).toList();
    }
}
