package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.SavedState;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import io.microraft.model.message.RaftMessage;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests, in virtual time, that a client keeps nothing of a finished call. */
class FinishedCallsTest {

    private static final Duration TIMEOUT = Duration.ofHours(1);

    private final ManualTime time = new ManualTime();
    private final AnsweringWire wire = new AnsweringWire();
    private final QuorumClient client =
            new QuorumClient(List.of("a:7800"), TIMEOUT, time, wire, Runnable::run, new Random(1));

    @Test
    void a_call_that_succeeded_leaves_no_timer() {
        client.start();
        CompletableFuture<Void> call = client.catchUp(TIMEOUT);
        time.run(Duration.ZERO);

        assertThat(call).isCompleted();
        assertThat(time.waiting()).isZero();
    }

    @Test
    void a_call_that_failed_leaves_no_timer() {
        client.start();
        wire.answerToWrites = Requests.Answered.unknown("the test knows no outcome");
        var record = LeaseRecords.record("nightly", "holder", 1, SavedState.EMPTY);
        var call = client.write(List.of(new LeaseStore.Write(LeaseVersion.ABSENT, record)), TIMEOUT);
        time.run(Duration.ZERO);

        assertThat(call).isCompletedExceptionally();
        assertThat(time.waiting()).isZero();
    }

    @Test
    void a_call_of_a_closed_client_leaves_no_timer() {
        client.close();
        CompletableFuture<Void> call = client.catchUp(TIMEOUT);
        time.run(Duration.ZERO);

        assertThat(call).isCompletedExceptionally();
        assertThat(time.waiting()).isZero();
    }

    /** A wire to a member that answers all requests at once. */
    private final class AnsweringWire implements Wire {

        private Requests.Answered answerToWrites = Requests.Answered.done(new byte[0]);
        private Receiver receiver = new Arrivals();

        @Override
        public void start(Receiver next) {
            receiver = next;
        }

        @Override
        public Peer peer(String address) {
            return frame -> Frames.read(frame, new Frames.Cases() {
                @Override
                public void raft(String directory, RaftMessage message) {}

                @Override
                public void answer(long number, Frames.Answer answer, byte[] body) {}

                @Override
                public void request(long number, Frames.Request request, byte[] body) {
                    Requests.Answered answer = request == Frames.Request.WRITE_FOR_CLIENT
                            ? answerToWrites
                            : Requests.Answered.done(new byte[0]);
                    byte[] bytes = Frames.answer(number, answer.answer(), answer.body());
                    time.execute(() -> receiver.receive(peer(address), bytes));
                }
            });
        }

        @Override
        public boolean isReachable(String address) {
            return true;
        }

        @Override
        public void close() {}
    }
}
