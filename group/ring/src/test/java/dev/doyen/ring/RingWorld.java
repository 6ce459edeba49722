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
 * A world: a simulation of a ring with faults, in which a seed determines every event.
 *
 * <p>The network drops, duplicates and delays messages. The membership reports views late, and reports views without
 * some live members. Processes crash, freeze and resign. {@link RingGuarantee} checks the guarantees at every effect.
 * Then these faults end. One follower after another freezes or is slow, and the leader must not lose its term. Each
 * link delivers messages in order, except for duplicates.
 *
 * <p>This class is longer than most test classes, because it contains all faults of the world.
 */
final class RingWorld {

    static final RingTiming TIMING = RingTiming.ofElectionTimeout(Duration.ofSeconds(1));

    private static final int MAX_STEPS = 80_000;
    private static final long MILLI = 1_000_000;
    private static final long FAULTS_END = 30_000 * MILLI;
    private static final long VIEW_SETTLED = FAULTS_END + 1_000 * MILLI;

    /**
     * In half of the worlds, the last view before {@link #END} is created at this time. The faults continue after this
     * time, so later rounds of this view must recover from the faults.
     */
    private static final long LAST_VIEW = FAULTS_END - 8_000 * MILLI;

    /**
     * The time at which the world checks that a member leads, before the trials. Until then, the members have enough
     * time for a round without a winner (eight election timeouts) and an election.
     */
    private static final long END = VIEW_SETTLED + 9_000 * MILLI;

    /** The duration of one trial. A follower freezes at the beginning, and all members are in one view at the end. */
    private static final long TRIAL = 6_000 * MILLI;

    private static final int TRIALS = 3;

    /** The limit for the length of a freeze. The membership removes a silent member before this time has passed. */
    private static final long FROZEN_MOST = 3_000 * MILLI;

    /**
     * After {@link #END}, a link delivers each message in less than this time. So a heartbeat and a round take less
     * than a tenth of the leader lease.
     */
    private static final int CALM_HOP_MILLIS = 3;

    private static final int HOP_MILLIS = 20;

    private static final int SPREAD_MILLIS = 10;

    /** The cases of {@link #fault} that create a view, or crash a process and so require a new view. */
    private static final Set<Integer> MOVES_VIEWS = Set.of(0, 1, 2, 7);

    final Map<String, Integer> marks;
    final List<RingProcess> processes = new ArrayList<>();
    long now;

    /** The order of candidates, which is the same for all members. */
    final RingOrder order;

    private final Random random;
    private final RingAlgorithm algorithm;

    /** A separate random number generator for saves. So a change to the saves does not change the faults of a world. */
    private final Random saving;

    private final RingGuarantee guarantee = new RingGuarantee(this);
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
        guarantee.healed(alive());
        if (!viewStays) {
            // This time is sufficient for two rounds. The members need the second round if the first member that
            // installs the view abandons its first round before the last member installs the view.
            Duration patience = TIMING.electionTimeout().multipliedBy(3).dividedBy(5);
            guarantee.healedBy(VIEW_SETTLED + patience.toNanos());
        }
        marks.merge(
                "maximum milliseconds to heal " + (viewStays ? "in a view that stays" : "in a new view"),
                (int) ((guarantee.lastLeaderChange - FAULTS_END) / MILLI),
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
                throw new AssertionError("more than " + MAX_STEPS + " events: the messages do not end");
            }
            now = event.at();
            event.what().run();
        }
        now = end;
    }

    /**
     * Freezes a follower once for a long time, or repeatedly for a short time.
     *
     * <p>During a long freeze, the other members install a view without the follower. The view is installed shortly
     * before the follower has been silent for the longest time that the timing permits. After the freeze, all members
     * are in one view again.
     */
    private void disturbFollower() {
        long end = now + TRIAL;
        List<RingProcess> followers =
                alive().stream().filter(process -> !process.leadsAt(now)).toList();
        RingProcess follower = followers.get(random.nextInt(followers.size()));
        List<RingProcess> others =
                alive().stream().filter(process -> process != follower).toList();
        guarantee.keepsTerm(alive());
        saveUntil(now + TRIAL / 2);
        long silence = TIMING.longestSilence().toNanos() - random.nextInt(100) * MILLI;
        boolean isSlow = random.nextInt(3) == 0;
        // The first freeze begins at a random time between two heartbeats.
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
        guarantee.healed(alive());
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

    /** Lets leaders save states at random times, sometimes before the last save is confirmed. */
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
     * Crashes a process, which then starts again as another member.
     *
     * <p>Sometimes one view both admits the new member and removes the old member.
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
     * Lets a process resign, hand over or withdraw. The cooldown of the process ends before the faults end, so that all
     * processes campaign then.
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
            mark("withdrew");
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

    /** Creates one or two views for the two sides of a partition. The numbers of the two views can be equal. */
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

    /** Creates a view. The members of the view install it at different times. */
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

    /** Installs a view at a member. A member ignores a view that is older than its own view. */
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
        // Inputs that are due at the end of a pause are processed after the inputs that have waited during the pause.
        if (process.pausedUntil >= now) {
            later(process.pausedUntil + 1, () -> give(process, input));
            return;
        }
        RingStep step = process.take(input.get());
        for (RingEffect effect : step.effects()) {
            guarantee.check(process, effect);
            if (effect instanceof RingEffect.Send send) {
                send(process.me, send);
            }
        }
        guarantee.campaigns(process);
        guarantee.keepsState(process);
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
