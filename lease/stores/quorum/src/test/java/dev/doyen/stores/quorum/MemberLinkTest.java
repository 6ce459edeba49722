package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.microraft.model.message.RaftMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests a client's connection attempts in virtual time while no member can serve the client. */
class MemberLinkTest {

    private static final List<String> ADDRESSES = List.of("a:7800", "b:7800", "c:7800");

    private ManualTime time = new ManualTime();
    private final List<Long> attempts = new ArrayList<>();

    /**
     * The longest pause is four times {@code patienceMillis}, but at least 100 ms and at most 800 ms. Jitter then
     * changes the pause by up to half of its length.
     */
    @ParameterizedTest
    @CsvSource({"50, 300", "250, 1200", "5000, 1200", "1, 150"})
    void the_longest_delay_depends_on_the_timeout(long patienceMillis, long longestPauseMillis) {
        for (int seed = 0; seed < 20; seed++) {
            attempts.clear();
            time = new ManualTime();
            link(Duration.ofMillis(patienceMillis), new Random(seed)).connect();
            time.run(Duration.ofMinutes(1));

            assertThat(pauses()).allMatch(each -> each <= longestPauseMillis);
            assertThat(pauses()).anyMatch(each -> each > longestPauseMillis / 2);
        }
    }

    private List<Long> pauses() {
        List<Long> pauses = new ArrayList<>();
        for (int i = 1; i < attempts.size(); i++) {
            pauses.add(Duration.ofNanos(attempts.get(i) - attempts.get(i - 1)).toMillis());
        }
        return pauses;
    }

    /** Returns a link whose members all reject the client immediately. */
    private MemberLink link(Duration patience, Random random) {
        var wire = new RefusingWire();
        var requests = new Requests(wire);
        wire.requests = requests;
        return new MemberLink(ADDRESSES, patience, time, wire, requests, random, new MemberLink.User() {
            @Override
            public boolean needsMember() {
                return true;
            }

            @Override
            public void connected() {}

            @Override
            public void disconnected() {}
        });
    }

    private final class RefusingWire implements Wire {
        private Requests requests;

        @Override
        public void start(Receiver next) {}

        @Override
        public Peer peer(String address) {
            return new Peer() {
                @Override
                public void send(byte[] frame) {
                    attempts.add(time.nanos());
                    time.execute(() -> Frames.read(frame, new Frames.Cases() {
                        @Override
                        public void raft(String directory, RaftMessage message) {}

                        @Override
                        public void answer(long number, Frames.Answer answer, byte[] body) {}

                        @Override
                        public void request(long number, Frames.Request request, byte[] body) {
                            Requests.Answered refusal = Requests.Answered.unavailable("the member serves no client");
                            requests.answered(number, refusal.answer(), refusal.body());
                        }
                    }));
                }

                @Override
                public void end() {}
            };
        }

        @Override
        public boolean isReachable(String address) {
            return true;
        }

        @Override
        public void close() {}
    }
}
