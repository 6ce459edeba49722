package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.store.VersionedLease;
import io.microraft.model.message.RaftMessage;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests, in virtual time, a client whose member answers only some of the reads. */
class LateReadTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(4);

    /** More names than the client can read in one request. */
    private static final List<String> ELECTIONS = IntStream.rangeClosed(0, ClientBytes.MAX_ELECTIONS)
            .mapToObj(i -> "election " + i)
            .toList();

    private final ManualTime time = new ManualTime();

    /** The number of reads that the member still answers. */
    private int answeredReads;

    private final QuorumClient client =
            new QuorumClient(List.of("a:7800"), TIMEOUT, time, new MemberWire(), Runnable::run, new Random(1));

    @BeforeEach
    void start() {
        client.start();
    }

    @Test
    void records_that_are_not_read_in_time_are_omitted() {
        answeredReads = 1;
        CompletableFuture<Map<String, VersionedLease>> found = client.fetch(ELECTIONS, TIMEOUT);
        time.run(TIMEOUT.minusMillis(1));
        assertThat(found).isNotDone();
        time.run(Duration.ofMillis(1));
        assertThat(found.join().keySet()).containsExactlyElementsOf(ELECTIONS.subList(0, ClientBytes.MAX_ELECTIONS));
    }

    @Test
    void a_read_fails_if_no_record_is_read_in_time() {
        CompletableFuture<Map<String, VersionedLease>> found = client.fetch(ELECTIONS, TIMEOUT);
        time.run(TIMEOUT);
        assertThat(found).isCompletedExceptionally();
    }

    @Test
    void a_read_of_a_client_that_is_closed_fails() {
        answeredReads = 1;
        CompletableFuture<Map<String, VersionedLease>> found = client.fetch(ELECTIONS, TIMEOUT);
        time.run(TIMEOUT.dividedBy(2));
        client.close();
        time.run(Duration.ZERO);
        assertThat(found).isCompletedExceptionally();
    }

    /** A wire to a member that has no records. The member accepts the client. */
    private final class MemberWire implements Wire {
        private Receiver client;

        @Override
        public void start(Receiver next) {
            client = next;
        }

        @Override
        public Peer peer(String address) {
            return new Peer() {
                @Override
                public void send(byte[] frame) {
                    time.execute(() -> Frames.read(frame, new Member(this)));
                }
            };
        }

        @Override
        public boolean isReachable(String address) {
            return true;
        }

        @Override
        public void close() {}

        private final class Member implements Frames.Cases {
            private final Peer peer;

            Member(Peer peer) {
                this.peer = peer;
            }

            @Override
            public void raft(String directory, RaftMessage message) {}

            @Override
            public void answer(long number, Frames.Answer answer, byte[] body) {}

            @Override
            public void request(long number, Frames.Request request, byte[] body) {
                if (request == Frames.Request.CONNECT) {
                    answer(number, new byte[0]);
                } else if (answeredReads > 0) {
                    answeredReads--;
                    int count = ClientBytes.Read.read(body).elections().size();
                    answer(number, ClientBytes.ofLeases(Collections.nCopies(count, VersionedLease.ABSENT)));
                }
            }

            private void answer(long number, byte[] body) {
                client.receive(peer, Frames.answer(number, Frames.Answer.DONE, body));
            }
        }
    }
}
