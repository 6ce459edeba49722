package dev.doyen.ring;

import dev.doyen.event.Moment;
import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingTiming;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Runs the machine on a ring without faults. No message is lost, time does not pass, and links deliver messages in
 * order.
 *
 * <p>All members install the view before any message is delivered. A message is counted once for each link that it
 * crosses.
 */
final class QuietRing {

    private static final Moment NOW = new Moment(0, 0);

    private final RingMachine machine;
    private final View view;
    private final Map<Member, RingState> states = new HashMap<>();
    private final Map<Member, Deque<RingMessage>> links = new HashMap<>();
    private final List<Member> busy = new ArrayList<>();

    final List<Member> leaders = new ArrayList<>();
    int contest;
    int chosen;
    int electedMessages;
    private long delivered;

    private QuietRing(RingAlgorithm algorithm, List<Member> members) {
        machine = new RingMachine(new RingSettings(
                algorithm, RingTiming.ofElectionTimeout(RingTiming.DEFAULT_ELECTION_TIMEOUT), 100, true));
        view = new View(new ViewId(1, "test"), members);
    }

    /**
     * Runs one election to its end.
     *
     * @param schedule the seed of the order in which links deliver messages; null for the order in which the messages
     *     were sent
     */
    static QuietRing elect(RingAlgorithm algorithm, List<Member> members, @Nullable Long schedule) {
        var ring = new QuietRing(algorithm, members);
        for (Member member : ring.view.members()) {
            ring.states.put(member, ring.machine.begin(member));
            ring.links.put(member, new ArrayDeque<>());
        }
        for (Member member : ring.view.members()) {
            ring.step(member, new RingInput.Installed(NOW, ring.view));
        }
        ring.deliver(schedule);
        return ring;
    }

    View view() {
        return view;
    }

    RingState state(Member member) {
        return states.get(member);
    }

    private void deliver(@Nullable Long schedule) {
        if (schedule == null) {
            for (int i = 0; i < busy.size(); i++) {
                deliverTo(busy.get(i));
            }
            return;
        }
        var random = new Random(schedule);
        while (!busy.isEmpty()) {
            int last = busy.size() - 1;
            int chosenLink = random.nextInt(busy.size());
            Member to = busy.get(chosenLink);
            busy.set(chosenLink, busy.get(last));
            busy.remove(last);
            deliverTo(to);
        }
    }

    private void deliverTo(Member to) {
        long n = states.size();
        if (++delivered > n * n + 4 * n) {
            throw new AssertionError("more than n^2 + 4n messages on a ring of " + n + ": the election does not end");
        }
        step(to, new RingInput.Received(NOW, view.before(to), links.get(to).remove()));
    }

    private void step(Member member, RingInput input) {
        RingStep step = machine.step(states.get(member), input);
        states.put(member, step.next());
        for (RingEffect effect : step.effects()) {
            if (effect instanceof RingEffect.Send send) {
                count(send.message());
                links.get(send.to()).add(send.message());
                busy.add(send.to());
            } else if (effect instanceof RingEffect.Lead) {
                leaders.add(member);
            } else if (effect instanceof RingEffect.Dropped dropped) {
                throw new AssertionError(member + " dropped a message on a ring without faults: " + dropped);
            }
        }
    }

    private void count(RingMessage message) {
        if (message instanceof RingMessage.OfContest) {
            contest++;
        } else if (message instanceof RingMessage.Chosen) {
            chosen++;
        } else {
            electedMessages++;
        }
    }
}
