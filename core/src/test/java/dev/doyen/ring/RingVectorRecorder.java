package dev.doyen.ring;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * Makes a vector out of a seed: four machines talk to each other over links that keep order and lose some, views change,
 * and one of them is recorded. So another language's machine meets steps that nobody thought of.
 */
final class RingVectorRecorder {

    static final int SEEDS = 12;

    /** Of the seeds above this one, the members use Peterson's algorithm. */
    private static final int LAST_OF_CHANG_ROBERTS = 8;

    private static final int STEPS = 80;
    private static final long MILLI = 1_000_000;

    private record Letter(int to, Member from, RingMessage message) {}

    private final Random random;
    private final List<Member> members = new ArrayList<>();
    private final List<RingMachine> machines = new ArrayList<>();
    private final List<RingState> states = new ArrayList<>();
    private final long[] wakeAtNanos = {Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE};
    private final Deque<Letter> letters = new ArrayDeque<>();
    private final ObjectNode vector = JsonNodeFactory.instance.objectNode();
    private final ArrayNode steps;
    private long at = 1_000;
    private long wallAhead;
    private long number = 100;

    RingVectorRecorder(long seed) {
        this.random = new Random(seed * 7_919);
        RingAlgorithm algorithm = seed > LAST_OF_CHANG_ROBERTS ? RingAlgorithm.PETERSON : RingAlgorithm.CHANG_ROBERTS;
        for (int i = 0; i < wakeAtNanos.length; i++) {
            var me = new Member("p" + (i + seed) % 7, "i" + seed + i);
            var settings = new RingSettings(
                    algorithm,
                    RingTiming.ofFollow(Duration.ofSeconds(1)),
                    random.nextInt(3) * 50,
                    i == 0 || random.nextInt(6) > 0);
            members.add(me);
            machines.add(new RingMachine(settings));
            states.add(machines.get(i).begin(me));
            if (i == 0) {
                vector.put("name", "seed " + seed + ", as it came");
                vector.putArray("rules");
                vector.set("me", RingVectorJson.member(me));
                vector.set("settings", RingVectorJson.settings(settings));
            }
        }
        steps = vector.putArray("steps");
    }

    ObjectNode record() {
        newView();
        while (steps.size() < STEPS) {
            act();
        }
        return vector;
    }

    private void act() {
        int what = random.nextInt(100);
        if (what < 70 && !letters.isEmpty()) {
            deliver();
        } else if (what < 88) {
            pass(random.nextInt(120));
        } else if (what < 91) {
            newView();
        } else if (what < 93) {
            pass(random.nextInt(1_500));
        } else if (what < 94) {
            wallAhead += random.nextInt(2_000);
            wake(0);
        } else if (what < 95) {
            var heir = members.get(random.nextInt(members.size())).id();
            take(any(), new RingInput.HandOver(now(), heir, Duration.ofMillis(random.nextInt(800))));
        } else if (what < 96) {
            take(any(), new RingInput.Resign(now(), Duration.ofMillis(random.nextInt(800))));
        } else if (what < 97) {
            take(any(), new RingInput.StandBack(now(), LossCause.PAUSED));
        } else {
            take(any(), new RingInput.Stand(now()));
        }
    }

    private void deliver() {
        Letter letter = letters.removeFirst();
        if (random.nextInt(25) > 0) {
            if (random.nextInt(20) == 0) {
                letters.addLast(letter);
            }
            take(letter.to(), new RingInput.Received(now(), letter.from(), letter.message()));
        }
    }

    /** Time goes on by so many milliseconds at most: to the next wake, if one comes before. */
    private void pass(long millis) {
        long until = at + millis;
        int first = -1;
        for (int i = 0; i < wakeAtNanos.length; i++) {
            if (wakeAtNanos[i] <= until * MILLI && (first < 0 || wakeAtNanos[i] < wakeAtNanos[first])) {
                first = i;
            }
        }
        if (first < 0) {
            at = until;
        } else {
            at = Math.max(at, (wakeAtNanos[first] + MILLI - 1) / MILLI);
            wake(first);
        }
    }

    private void wake(int who) {
        take(who, new RingInput.Woken(now()));
    }

    private void newView() {
        number += random.nextInt(3);
        var some = new ArrayList<Member>();
        for (Member member : members) {
            if (random.nextInt(5) > 0) {
                some.add(member);
            }
        }
        if (some.isEmpty()) {
            some.addAll(members);
        }
        var view = new View(new ViewId(number, "v" + steps.size()), some);
        for (int i = 0; i < members.size(); i++) {
            if (random.nextInt(12) > 0) {
                take(i, new RingInput.Installed(now(), view));
            }
        }
    }

    private void take(int who, RingInput input) {
        RingStep done = machines.get(who).step(states.get(who), input);
        states.set(who, done.next());
        wakeAtNanos[who] = done.wakeAtNanos();
        for (RingEffect effect : done.effects()) {
            if (effect instanceof RingEffect.Send send) {
                letters.addLast(new Letter(members.indexOf(send.to()), members.get(who), send.message()));
            }
        }
        if (who == 0 && steps.size() < STEPS) {
            ObjectNode step = steps.addObject().put("at", at);
            if (wallAhead != 0) {
                step.put("wall", at + wallAhead);
            }
            step.set("input", RingVectorJson.input(input));
            RingVectorJson.outcome(step, done, now(), 0);
        }
    }

    private int any() {
        return random.nextInt(3) == 0 ? 0 : random.nextInt(members.size());
    }

    private Moment now() {
        return new Moment(at * MILLI, at + wallAhead);
    }
}
