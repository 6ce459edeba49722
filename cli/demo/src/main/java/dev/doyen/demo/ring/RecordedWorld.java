package dev.doyen.demo.ring;

import dev.doyen.demo.ring.RecordedEvent.Fate;
import dev.doyen.event.Moment;
import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingTiming;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import dev.doyen.ring.RingEffect;
import dev.doyen.ring.RingInput;
import dev.doyen.ring.RingMachine;
import dev.doyen.ring.RingMessage;
import dev.doyen.ring.RingSettings;
import dev.doyen.ring.RingStep;
import dev.doyen.ring.Term;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Runs real ring machines in a simulated network and in simulated time, and records all events.
 *
 * <p>Each link delivers its messages in order. A message takes the same time on every link, and this time is called a
 * hop. All members install the first view before any message arrives. Only the requested fault occurs. Without a fault,
 * the message counts match the theory (docs/spec/ring.md). A member's number is its priority, so the highest number
 * wins.
 *
 * <p>The run ends after the requested fault, as soon as all live members of each current view report the same leader
 * and this leader leads. A run that reaches the maximum length ends earlier.
 */
public final class RecordedWorld {

    /** The maximum number of messages. Every valid plan needs fewer messages. */
    static final int MAX_MESSAGES = 10_000;

    static final long HOP_MILLIS = 10;

    private static final long MILLI = 1_000_000;
    private static final int MAX_STEPS = 10 * MAX_MESSAGES;

    /**
     * The pause between a settled state and the next fault or repair, in hops.
     *
     * <p>The pause makes the animation easier to follow.
     */
    private static final int PAUSE_HOPS = 3;

    /** The maximum time between the first and the last installation of a view, in hops. */
    private static final int SPREAD_HOPS = 2;

    private final RecordingParameters plan;
    private final SeededRandom random;
    private final List<RecordedMember> members = new ArrayList<>();
    private final Map<Member, RecordedMember> byMember = new HashMap<>();
    private final List<RecordedEvent> events = new ArrayList<>();
    private final PriorityQueue<Due> due =
            new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::order));
    private final Deque<Runnable> script = new ArrayDeque<>();
    private long now;
    private long order;
    /** The number of scheduled faults and view changes. */
    private int pending;
    /** The number of election messages in transit. */
    private int electing;

    private int messages;
    private boolean losing;
    private boolean parted;

    private record Due(long at, long order, Runnable what) {}

    private RecordedWorld(RecordingParameters plan) {
        this.plan = plan;
        this.random = new SeededRandom(~plan.seed());
        for (int place = 0; place < plan.n(); place++) {
            int number = plan.numbers().get(place);
            var machine = new RingMachine(new RingSettings(plan.algorithm(), timing(plan.n()), number, true));
            var recorded = new RecordedMember(place, RecordedMember.memberAt(place, plan.n(), number), machine);
            members.add(recorded);
            byMember.put(recorded.me, recorded);
        }
    }

    /** Runs a plan to its end and returns the recording. The same plan always yields the same recording. */
    public static Recording run(RecordingParameters plan) {
        var world = new RecordedWorld(plan);
        world.begin();
        boolean whole = world.play();
        return new Recording(plan, HOP_MILLIS, world.events, whole);
    }

    /**
     * Returns a timing for n members that is long enough for a run without faults.
     *
     * <p>With this timing, a member repeats a message or suspects another member only if a message was lost.
     */
    private static RingTiming timing(int n) {
        Duration follow = hops(8 * n);
        return new RingTiming(follow, follow.multipliedBy(4).dividedBy(5), hops(2 * n), hops(n + n / 2 + 1), follow);
    }

    private void begin() {
        var view = new View(new ViewId(1, "all"), byMember.keySet());
        make(view);
        // Events of the same time occur in the order in which they were scheduled. The fault must occur before the
        // messages of its hop, so schedule it first.
        switch (plan.fault()) {
            case NONE -> {}
            case LOST -> schedule(plan.whenHops(), () -> losing = true);
            case CRASH -> schedule(plan.whenHops(), () -> crash(numbered(plan.who())));
            case KILLED -> script.add(() -> crash(leader()));
            case CUT -> {
                script.add(() -> part(List.of(leader())));
                script.add(this::heal);
            }
            case SPLIT -> {
                script.add(() -> part(members.subList(0, members.size() / 2)));
                script.add(this::heal);
            }
        }
        for (RecordedMember recorded : members) {
            install(recorded, view);
        }
    }

    private boolean play() {
        for (int steps = 0; steps < MAX_STEPS && messages < MAX_MESSAGES; steps++) {
            if (isSettled()) {
                if (script.isEmpty()) {
                    return true;
                }
                schedule(PAUSE_HOPS, script.remove());
            }
            Due next = due.remove();
            now = next.at();
            next.what().run();
        }
        return false;
    }

    private void crash(RecordedMember recorded) {
        recorded.crashed = true;
        events.add(new RecordedEvent.Crashed(millis(), recorded.place));
        announce(alive(), 2, "survivors", noticeHops());
    }

    /**
     * Partitions the network and announces a new view to each side.
     *
     * <p>The members in {@code some} are at most half of all members. They get their view later, because a member of
     * the smaller side must first suspect more members.
     */
    private void part(List<RecordedMember> some) {
        var others = new ArrayList<>(members);
        others.removeAll(some);
        some.forEach(recorded -> recorded.side = 1);
        parted = true;
        events.add(new RecordedEvent.Parted(
                millis(), some.stream().map(recorded -> recorded.place).toList()));
        announce(others, 2, "one side", noticeHops());
        announce(some, 2, "other side", 2 * noticeHops());
    }

    private void heal() {
        parted = false;
        events.add(new RecordedEvent.Healed(millis()));
        announce(members, 3, "merged", noticeHops());
    }

    /**
     * Returns the number of hops until the membership detects a change. In practice, the detection takes far longer
     * than all other steps.
     */
    private int noticeHops() {
        return members.size() / 2 + 3;
    }

    private void announce(List<RecordedMember> members, long number, String creator, int hops) {
        var view = new View(
                new ViewId(number, creator),
                members.stream().map(recorded -> recorded.me).toList());
        schedule(hops, () -> {
            make(view);
            for (Member member : view.members()) {
                RecordedMember recorded = at(member);
                schedule(random.below(SPREAD_HOPS + 1), () -> install(recorded, view));
            }
        });
    }

    private void make(View view) {
        List<Integer> places =
                view.members().stream().map(member -> at(member).place).toList();
        events.add(new RecordedEvent.ViewMade(millis(), view.id().number(), places));
        view.members().forEach(member -> at(member).announced = view);
    }

    private void install(RecordedMember recorded, View view) {
        if (!recorded.crashed) {
            events.add(new RecordedEvent.ViewInstalled(
                    millis(), recorded.place, view.id().number()));
            carryOut(recorded, recorded.machine.step(recorded.state, new RingInput.Installed(moment(), view)));
        }
    }

    private void carryOut(RecordedMember recorded, RingStep step) {
        recorded.after(step);
        for (RingEffect effect : step.effects()) {
            if (effect instanceof RingEffect.Send send) {
                send(recorded, at(send.to()), send.message());
            } else if (effect instanceof RingEffect.Lead lead) {
                events.add(new RecordedEvent.Leads(
                        millis(), recorded.place, lead.term().counter()));
            } else if (effect instanceof RingEffect.StepDown stepDown) {
                events.add(new RecordedEvent.StepsDown(
                        millis(), recorded.place, stepDown.term().counter(), stepDown.cause()));
            } else if (effect instanceof RingEffect.LeaderChanged changed) {
                events.add(new RecordedEvent.LeaderKnown(
                        millis(), recorded.place, changed.term().flatMap(this::creator)));
            }
        }
        long steps = recorded.steps;
        if (step.wakeAtNanos() != Long.MAX_VALUE) {
            later(Math.max(now + 1, step.wakeAtNanos()), () -> wake(recorded, steps));
        }
    }

    private void wake(RecordedMember recorded, long steps) {
        if (recorded.steps == steps && !recorded.crashed) {
            carryOut(recorded, recorded.machine.step(recorded.state, new RingInput.Woken(moment())));
        }
    }

    private void send(RecordedMember from, RecordedMember to, RingMessage message) {
        int id = messages++;
        events.add(MessageNotes.sent(millis(), id, from.place, to.place, from.me, message));
        boolean isElecting = MessageNotes.elects(message);
        electing += isElecting ? 1 : 0;
        boolean isLost = isCut(from, to) || isToBeLost(message);
        long after = isLost ? HOP_MILLIS / 2 : HOP_MILLIS;
        later(now + after * MILLI, () -> {
            electing -= isElecting ? 1 : 0;
            if (isLost || to.crashed || isCut(from, to)) {
                events.add(new RecordedEvent.Ended(millis(), id, Fate.LOST));
            } else {
                receive(from, to, id, message);
            }
        });
    }

    private void receive(RecordedMember from, RecordedMember to, int id, RingMessage message) {
        RingStep step = to.machine.step(to.state, new RingInput.Received(moment(), from.me, message));
        events.add(new RecordedEvent.Ended(millis(), id, MessageNotes.fate(to.me, message, step)));
        carryOut(to, step);
    }

    private boolean isCut(RecordedMember one, RecordedMember other) {
        return parted && one.side != other.side;
    }

    private boolean isToBeLost(RingMessage message) {
        boolean isLost = losing
                && (plan.algorithm() == RingAlgorithm.PETERSON
                        ? message instanceof RingMessage.OfContest
                        : message instanceof RingMessage.Elect elect
                                && at(elect.key().member()) == numbered(plan.n()));
        losing &= !isLost;
        return isLost;
    }

    /**
     * Returns true if no fault, view change or election is in progress, and all live members report their leader.
     *
     * <p>Each live member must have installed the last view that was announced to it. The reported leader must lead.
     */
    private boolean isSettled() {
        if (pending > 0 || electing > 0) {
            return false;
        }
        return alive().stream()
                .allMatch(recorded -> recorded.state.view().equals(Optional.ofNullable(recorded.announced))
                        && recorded.state
                                .leader()
                                .filter(term -> isLed(recorded, term))
                                .isPresent());
    }

    private boolean isLed(RecordedMember recorded, Term term) {
        Member leader = term.creator();
        return leader != null
                && recorded.state.view().filter(view -> view.has(leader)).isPresent()
                && at(leader).state.leading().filter(term::equals).isPresent();
    }

    private RecordedMember leader() {
        return members.stream()
                .filter(recorded -> recorded.state.leading().isPresent())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("nobody leads in a world that has settled"));
    }

    private RecordedMember numbered(int number) {
        return members.get(plan.numbers().indexOf(number));
    }

    private List<RecordedMember> alive() {
        return members.stream().filter(recorded -> !recorded.crashed).toList();
    }

    private Optional<Integer> creator(Term term) {
        return Optional.ofNullable(term.creator()).map(member -> at(member).place);
    }

    private RecordedMember at(Member member) {
        RecordedMember recorded = byMember.get(member);
        if (recorded == null) {
            throw new IllegalStateException(member + " is not of this world");
        }
        return recorded;
    }

    private void schedule(int hops, Runnable what) {
        pending++;
        later(now + hops(hops).toNanos(), () -> {
            pending--;
            what.run();
        });
    }

    private void later(long at, Runnable what) {
        due.add(new Due(at, ++order, what));
    }

    private static Duration hops(int hops) {
        return Duration.ofMillis(HOP_MILLIS).multipliedBy(hops);
    }

    private long millis() {
        return now / MILLI;
    }

    private Moment moment() {
        return new Moment(now, millis());
    }
}
