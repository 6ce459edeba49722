package dev.doyen.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.client.state.LeaderState;
import dev.doyen.client.state.Role;
import dev.doyen.client.state.WatchMachine;
import dev.doyen.client.state.WatchSettings;
import dev.doyen.client.state.WhenUnknown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;

/** Tests subscribers that cancel, throw or receive a state in {@code onSubscribe}. */
class LatestStateTest {

    private static final LeaderState STATE = new WatchMachine(new WatchSettings(
                    "me",
                    Duration.ofSeconds(2).toNanos(),
                    WhenUnknown.FOLLOW,
                    Duration.ofSeconds(1).toNanos(),
                    WatchSettings.CanRequest.YES))
            .lastAnswer()
            .state(0);

    private final Set<LatestState> subscribed = new CopyOnWriteArraySet<>();
    private final List<String> signals = new ArrayList<>();

    @Test
    void a_subscriber_that_cancels_in_onSubscribe_gets_no_signal_and_is_removed() {
        var latest = new LatestState(
                new Subscriber() {
                    @Override
                    public void onSubscribe(Flow.Subscription given) {
                        given.request(Long.MAX_VALUE);
                        given.cancel();
                    }
                },
                subscribed);
        latest.begin();
        assertThat(subscribed).isEmpty();

        latest.offer(STATE);
        latest.complete();
        assertThat(signals).isEmpty();
    }

    @Test
    void a_subscriber_that_throws_in_onSubscribe_gets_no_signal_and_is_removed() {
        var latest = new LatestState(
                new Subscriber() {
                    @Override
                    public void onSubscribe(Flow.Subscription given) {
                        given.request(Long.MAX_VALUE);
                        throw new OutOfMemoryError("on purpose");
                    }
                },
                subscribed);
        assertThatThrownBy(latest::begin).isInstanceOf(OutOfMemoryError.class);
        assertThat(subscribed).isEmpty();

        latest.offer(STATE);
        latest.complete();
        assertThat(signals).isEmpty();
    }

    @Test
    void a_state_that_arrives_during_onSubscribe_is_delivered_after_it() {
        var latest = new LatestState(
                new Subscriber() {
                    @Override
                    public void onSubscribe(Flow.Subscription given) {
                        given.request(1);
                        // The subscription is already registered, so the thread of the watch can offer a state now.
                        subscribed.forEach(each -> each.offer(STATE));
                        signals.add("subscribed");
                    }
                },
                subscribed);
        latest.begin();

        assertThat(signals).containsExactly("subscribed", Role.UNKNOWN.toString());
    }

    private abstract class Subscriber implements Flow.Subscriber<LeaderState> {
        @Override
        public void onNext(LeaderState state) {
            signals.add(state.role().toString());
        }

        @Override
        public void onError(Throwable fault) {
            signals.add("error");
        }

        @Override
        public void onComplete() {
            signals.add("complete");
        }
    }
}
