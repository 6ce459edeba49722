package dev.doyen.group.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.group.settings.RingOrder;
import dev.doyen.membership.Member;
import dev.doyen.membership.ViewId;
import dev.doyen.ring.Key;
import dev.doyen.ring.Passed;
import dev.doyen.ring.RingEffect;
import dev.doyen.ring.RingMessage;
import dev.doyen.ring.Term;
import dev.doyen.ring.VersionedState;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RingTallyTest {

    private static final Member ME = new Member("m", "1");
    private static final ViewId VIEW = new ViewId(1, "test");
    private static final Term TERM = new Term(1, ME);

    private final RingTally tally = new RingTally();

    @Test
    void each_kind_of_message_is_counted_separately() {
        sent(
                new RingMessage.Elect(
                        VIEW, 0, new Key(true, Term.NONE, 100, RingOrder.OLDEST, 1, ME), 1, Passed.NOTHING),
                1);
        sent(new RingMessage.Heartbeat(VIEW, 0, TERM, 1, Optional.empty()), 2);
        sent(new RingMessage.Nack(VIEW, TERM), 3);
        sent(new RingMessage.Yield(VIEW, 0, TERM), 4);
        sent(new RingMessage.StateRequest(VIEW), 5);
        sent(new RingMessage.StateResponse(VIEW, VersionedState.NONE), 1);

        assertThat(tally.electionSent()).isEqualTo(1);
        assertThat(tally.heartbeatsSent()).isEqualTo(2);
        assertThat(tally.nacksSent()).isEqualTo(3);
        assertThat(tally.transfersSent()).isEqualTo(4);
        assertThat(tally.statesSent()).isEqualTo(6);
    }

    @Test
    void dropped_messages_are_counted_by_reason() {
        tally.drop(RingEffect.Why.PAST);
        tally.drop(RingEffect.Why.PAST);
        tally.drop(RingEffect.Why.REPEATED);

        assertThat(tally.dropped(RingEffect.Why.PAST)).isEqualTo(2);
        assertThat(tally.dropped(RingEffect.Why.REPEATED)).isEqualTo(1);
        assertThat(tally.dropped(RingEffect.Why.OTHER_ORDER)).isZero();
    }

    private void sent(RingMessage message, int times) {
        tally.of(message).add(times);
    }
}
