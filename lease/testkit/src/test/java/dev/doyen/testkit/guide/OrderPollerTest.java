package dev.doyen.testkit.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.LossCause;
import dev.doyen.testkit.FakeElection;
import dev.doyen.testkit.FakeElectionExtension;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(FakeElectionExtension.class)
class OrderPollerTest {

    @Test
    void it_polls_from_its_election_to_its_loss(FakeElection fake) {
        var poller = new OrderPoller(fake.election());
        assertThat(poller.isPolling()).isFalse();
        fake.grant();
        assertThat(poller.isPolling()).isTrue();
        fake.loseTo("another-pod");
        assertThat(poller.isPolling()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"RESIGNED", "EXPIRED", "SUSPENDED", "SUPERSEDED"})
    void it_stops_after_any_cause_of_loss(LossCause cause, FakeElection fake) {
        var poller = new OrderPoller(fake.election());
        fake.grant();
        fake.lose(cause);
        assertThat(poller.isPolling()).isFalse();
    }

    @Test
    void it_pauses_during_a_store_outage(FakeElection fake) {
        var poller = new OrderPoller(fake.election());
        fake.grant();
        fake.jeopardy();
        assertThat(poller.isPolling()).isFalse();
        fake.recover();
        assertThat(poller.isPolling()).isTrue();
    }

    @Test
    void the_other_candidate_takes_over_when_one_is_frozen(FakeElection fake) {
        var first = new OrderPoller(fake.election());
        fake.grant();
        var second = new OrderPoller(fake.election());
        fake.freeze(fake.leader().orElseThrow(), Duration.ofSeconds(11));
        assertThat(first.isPolling()).isFalse();
        assertThat(second.isPolling()).isTrue();
    }
}
