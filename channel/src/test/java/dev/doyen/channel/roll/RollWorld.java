package dev.doyen.channel.roll;

import dev.doyen.membership.Member;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Consumer;

/**
 * A seeded world: members on one channel of a hub, who come, close, crash, stand still, lose their connection and come back on it or
 * on another. What the hub says reaches each in its own time and in the hub's order, what happens while a member is away reaches
 * it never, and a sync is older than it arrives. First faults, then none; {@link RollOath} looks on.
 */
final class RollWorld {

    static final long MILLI = 1_000_000;

    private static final int MAX_STEPS = 100_000;
    private static final int MOST_MEMBERS = 6;
    private static final long FAULTS_END = 40_000 * MILLI;

    /** For so long the hub keeps the entry of who is lost. */
    private static final long KEPT = 15_000 * MILLI;

    private static final long STABLE = FAULTS_END + KEPT + 7_000 * MILLI;
    private static final long END = STABLE + 6_000 * MILLI;

    final List<RollProcess> processes = new ArrayList<>();
    final Map<String, Integer> marks;
    long now;

    private final Random random;
    private final RollOath oath = new RollOath(this);
    private final Map<String, Entry> present = new LinkedHashMap<>();
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
    private long order;
    private int started;
    private int keys;
    private int steps;

    private record Event(long at, long order, Runnable what) {}

    RollWorld(long seed, Map<String, Integer> marks) {
        this.random = new Random(seed);
        this.marks = marks;
    }

    void run() {
        for (int i = 0; i < 2 + random.nextInt(3); i++) {
            later(random.nextInt(300) * MILLI, this::start);
        }
        for (long at = 2_000 * MILLI; at < FAULTS_END; at += 700 * MILLI) {
            later(at, this::fault);
        }
        for (long at = 0; at < END; at += 100 * MILLI) {
            later(at, oath::watch);
        }
        while (!events.isEmpty() && events.peek().at() <= END) {
            Event event = events.remove();
            if (++steps > MAX_STEPS) {
                throw new AssertionError("more than " + MAX_STEPS + " events: a storm");
            }
            now = event.at();
            event.what().run();
        }
        oath.healed();
    }

    boolean isStable() {
        return now >= STABLE;
    }

    /** Whether it has been there and well for so long, and so said and heard what there was. */
    boolean isWellKnown(RollProcess process, long nanos) {
        return !process.isGone
                && !process.isAway
                && process.pausedUntil <= now
                && now - process.undisturbedSince > nanos;
    }

    void mark(String what) {
        marks.merge(what, 1, Integer::sum);
    }

    private void start() {
        // An id comes again as another process; its old entry may still be there.
        var me = new Member("m" + started % 4, Integer.toString(started++));
        var process = new RollProcess(me, 0.96 + 0.08 * random.nextDouble(), random.nextLong() >> 2);
        processes.add(process);
        connect(process, true);
    }

    private void fault() {
        List<RollProcess> alive =
                processes.stream().filter(process -> !process.isGone).toList();
        RollProcess one = alive.isEmpty() ? null : alive.get(random.nextInt(alive.size()));
        int fault = random.nextInt(9);
        if (one == null || fault < 2) {
            if (alive.size() < MOST_MEMBERS) {
                start();
            }
        } else if (fault < 4) {
            cut(one);
        } else if (fault < 6) {
            pause(one);
        } else if (fault == 6 && alive.size() > 1) {
            boolean crashes = random.nextBoolean();
            mark(crashes ? "crashed" : "closed");
            one.isGone = true;
            String key = one.key;
            later(now + (crashes ? KEPT : 0), () -> leave(key));
        } else if (fault == 7) {
            mark("onlooker");
            String onlooker = "o" + ++keys;
            enter(onlooker, Optional.empty());
            later(now + random.nextInt(10_000) * MILLI, () -> leave(onlooker));
        } else if (fault == 8 && !one.isAway) {
            mark("entered twice");
            String second = "k" + ++keys;
            enter(second, Optional.of(one.me));
            later(now + random.nextInt(5_000) * MILLI, () -> leave(second));
        }
    }

    private void pause(RollProcess process) {
        if (process.pausedUntil <= now) {
            mark("paused");
            process.pausedUntil = Math.min(FAULTS_END, now + random.nextInt(12_000) * MILLI);
            process.undisturbedSince = process.pausedUntil;
        }
    }

    private void cut(RollProcess process) {
        if (process.isAway) {
            return;
        }
        mark("cut");
        process.isAway = true;
        process.connection++;
        String key = process.key;
        give(process, RollCall::disconnected);
        long back = Math.min(FAULTS_END, now + (500 + random.nextInt(20_000)) * MILLI);
        boolean forgotten = back - now >= KEPT || random.nextInt(3) == 0;
        if (forgotten) {
            later(now + KEPT, () -> leave(key));
        }
        later(back, () -> {
            if (!process.isGone) {
                mark(forgotten ? "back on another connection" : "back");
                connect(process, forgotten);
            }
        });
    }

    private void connect(RollProcess process, boolean anew) {
        process.isAway = false;
        process.connectedAt = now;
        process.undisturbedSince = Math.max(now, process.pausedUntil);
        int connection = ++process.connection;
        give(process, RollCall::connected);
        give(process, RollCall::syncStarted);
        List<Entry> snapshot = List.copyOf(present.values());
        // What happens meanwhile overtakes it.
        long at = now + random.nextInt(300) * MILLI;
        later(at, () -> {
            if (process.connection == connection) {
                give(process, call -> call.syncComplete(snapshot));
            }
        });
        if (anew) {
            process.key = "k" + ++keys;
            enter(process.key, Optional.of(process.me));
        }
    }

    private void enter(String key, Optional<Member> member) {
        var entry = new Entry(key, member, hubMillis());
        present.put(key, entry);
        tellAll(call -> call.present(entry));
    }

    private void leave(String key) {
        if (present.remove(key) != null) {
            long since = hubMillis();
            tellAll(call -> call.gone(key, since));
        }
    }

    private long hubMillis() {
        return 1_700_000_000_000L + now / MILLI;
    }

    private void tellAll(Consumer<RollCall> what) {
        for (RollProcess process : processes) {
            int connection = process.connection;
            if (process.isGone || process.isAway) {
                continue;
            }
            long at = Math.max(process.lastArrival, now + (1 + random.nextInt(60)) * MILLI);
            process.lastArrival = at;
            later(at, () -> {
                if (process.connection == connection) {
                    give(process, what);
                }
            });
        }
    }

    private void give(RollProcess process, Consumer<RollCall> input) {
        if (process.isGone) {
            return;
        }
        if (process.pausedUntil > now) {
            later(process.pausedUntil, () -> give(process, input));
            return;
        }
        RollCall.Step step = process.take(now, input);
        for (RollCall.Effect effect : step.effects()) {
            if (effect instanceof RollCall.Install install) {
                oath.installs(process, install.view());
            } else if (effect instanceof RollCall.Say say) {
                say(process, say);
            }
        }
        long generation = ++process.wakeGeneration;
        long at = process.worldAt(step.wakeAtNanos());
        if (at != Long.MAX_VALUE) {
            later(Math.max(now + 1, at), () -> {
                if (generation == process.wakeGeneration) {
                    give(process, RollCall::tick);
                }
            });
        }
    }

    private void say(RollProcess process, RollCall.Say said) {
        oath.says(process);
        if (!said.silent().isEmpty()) {
            mark("said who is silent");
        }
        int connection = process.connection;
        later(now + (1 + random.nextInt(40)) * MILLI, () -> {
            if (!process.isAway && process.connection == connection) {
                tellAll(call -> call.heard(
                        process.me, Optional.of(said.view()), said.silent(), OptionalLong.of(said.atNanos())));
            }
        });
    }

    private void later(long at, Runnable what) {
        events.add(new Event(Math.max(at, now), ++order, what));
    }
}
