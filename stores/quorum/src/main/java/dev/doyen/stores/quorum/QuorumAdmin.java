package dev.doyen.stores.quorum;

import dev.doyen.event.DurationText;
import dev.doyen.store.SharedKey;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.StoreUrl;
import io.microraft.model.message.RaftMessage;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Shows and changes the members of a quorum, from a process that is none of them. It listens on no port.
 *
 * <p>A change is a series of steps, each about one member. The leader decides each step from the members that the log has
 * confirmed. So a change can be repeated, and another process can finish what one began and did not end.
 *
 * <p>Threads: any; one change at a time is useful. The methods wait. Errors: {@link MemberChangeRefusedException} if the quorum
 * rejects the change; {@link StoreUnavailableException} with the reason if the time limit has passed, for example because
 * the quorum has no majority.
 */
public final class QuorumAdmin implements AutoCloseable {

    private static final Duration ANSWER = Questions.ANSWER;
    private static final Duration ASK_AGAIN = Duration.ofMillis(100);

    private final List<String> addresses;
    private final Duration limit;
    private final Wire wire;
    private final Requests requests;
    private final CountDownLatch closing = new CountDownLatch(1);

    /** The addresses of members that are not in the list, as the leader named them. */
    private volatile Set<String> learned = Set.of();

    QuorumAdmin(List<String> addresses, Duration limit, Wire wire) {
        this.addresses = List.copyOf(addresses);
        this.limit = limit;
        this.wire = wire;
        this.requests = new Requests(wire);
        wire.start(new Answers());
    }

    /**
     * Opens nothing yet; connections are made when something is asked.
     *
     * @param addresses {@code host:port} of members, one or more
     * @param secret of the members; may be missing on loopback only
     * @param limit how long a call waits at most
     */
    public static QuorumAdmin connect(List<String> addresses, Optional<String> secret, Duration limit) {
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("no member is named; name one or more, such as a:7800");
        }
        Optional<SharedKey> key = secret.map(OpenMember::key);
        return new QuorumAdmin(addresses, limit, TcpWire.connectingOnly(key, WireLimits.DEFAULT));
    }

    /** The same by the URL of the store. A directory and an id in it are ignored. */
    public static QuorumAdmin connect(String url, Duration limit) {
        StoreUrl read = StoreUrl.parse(url, QuorumSettings.DEFAULT_PORT, Set.of("id", "secret-file", "timeout-millis"));
        return connect(
                read.hosts().stream().map(StoreUrl.Host::toString).toList(),
                read.parameter("secret-file").map(QuorumSettings::secret),
                limit);
    }

    /** Reads an address as it is typed: {@code host} or {@code host:port}. */
    public static String address(String text) {
        List<StoreUrl.Host> hosts =
                StoreUrl.parse("quorum://" + text, QuorumSettings.DEFAULT_PORT, Set.of()).hosts();
        if (hosts.size() != 1) {
            throw new IllegalArgumentException("\"" + text + "\" is not one address; write host or host:port");
        }
        return hosts.get(0).toString();
    }

    /** Returns what the leader knows about the members. */
    public QuorumStatus members() throws InterruptedException {
        return leader(System.nanoTime() + limit.toNanos());
    }

    /**
     * Makes a process a voter. It gets all records first. It may start before or after the call.
     *
     * @param progress receives a sentence for each step
     * @return a sentence about the result
     */
    public String add(String address, Consumer<String> progress) throws InterruptedException {
        return carryOut(new MemberCommand(MemberCommand.Kind.ADD, address, ""), progress);
    }

    /** Makes a process a learner: it gets all records, and does not count for the majority. */
    public String addLearner(String address, Consumer<String> progress) throws InterruptedException {
        return carryOut(new MemberCommand(MemberCommand.Kind.ADD_LEARNER, address, ""), progress);
    }

    /** Removes a member. If it leads the log, another one leads first. */
    public String remove(String address, Consumer<String> progress) throws InterruptedException {
        return carryOut(new MemberCommand(MemberCommand.Kind.REMOVE, address, ""), progress);
    }

    /** Puts a process in the place of a voter, which may be dead. */
    public String replace(String old, String address, Consumer<String> progress) throws InterruptedException {
        return carryOut(new MemberCommand(MemberCommand.Kind.REPLACE, address, old), progress);
    }

    @Override
    public void close() {
        closing.countDown();
        wire.close();
    }

    private String carryOut(MemberCommand command, Consumer<String> progress) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        String last = "";
        while (true) {
            QuorumStatus leader = leader(deadline, last);
            Optional<MemberStep> answered = step(leader.address(), command);
            if (answered.isPresent()) {
                MemberStep step = answered.get();
                if (step.kind() == MemberStep.Kind.REFUSED) {
                    throw new MemberChangeRefusedException(step.text());
                }
                if (step.kind().isLast()) {
                    return step.text();
                }
                if (!step.text().equals(last)) {
                    progress.accept(step.text());
                    last = step.text();
                }
            }
            pause(deadline, last);
        }
    }

    private Optional<MemberStep> step(String leader, MemberCommand command) throws InterruptedException {
        return answer(requests.send(leader, Frames.Request.CHANGE_MEMBERS, command.bytes()), ANSWER.multipliedBy(3))
                .map(MemberStep::read);
    }

    private QuorumStatus leader(long deadline) throws InterruptedException {
        return leader(deadline, "");
    }

    /** Asks all members for their status until one of them leads. */
    private QuorumStatus leader(long deadline, String last) throws InterruptedException {
        while (true) {
            Set<String> asked = new LinkedHashSet<>(addresses);
            asked.addAll(learned);
            List<CompletableFuture<Requests.Answered>> sent = asked.stream()
                    .map(each -> requests.send(each, Frames.Request.STATUS, new byte[0]))
                    .toList();
            var known = new LinkedHashSet<QuorumStatus>();
            for (CompletableFuture<Requests.Answered> each : sent) {
                answer(each, ANSWER).map(StatusBytes::read).ifPresent(known::add);
            }
            Optional<QuorumStatus> leader = known.stream()
                    .filter(QuorumStatus::isLeader)
                    .max(Comparator.comparingInt(QuorumStatus::term));
            if (leader.isPresent()) {
                learn(leader.get());
                return leader.get();
            }
            pause(deadline, noLeader(asked, known, last));
        }
    }

    private void learn(QuorumStatus leader) {
        learned = new LinkedHashSet<>(
                leader.members().stream().map(QuorumStatus.Member::address).toList());
    }

    private static String noLeader(Set<String> asked, Set<QuorumStatus> known, String last) {
        String why = "no member leads the quorum, so it has no majority. Of " + String.join(", ", asked) + " "
                + (known.isEmpty()
                        ? "none answers"
                        : String.join(", ", known.stream().map(QuorumStatus::address).toList()) + " answer"
                                + (known.size() == 1 ? "s" : ""));
        return last.isEmpty() ? why : why + ". The last step was: " + last;
    }

    /** Empty if the member did not carry out what it was asked, or did not answer in time. */
    private static Optional<byte[]> answer(CompletableFuture<Requests.Answered> sent, Duration patience)
            throws InterruptedException {
        try {
            Requests.Answered answered = sent.get(patience.toNanos(), TimeUnit.NANOSECONDS);
            return answered.answer() == Frames.Answer.DONE ? Optional.of(answered.body()) : Optional.empty();
        } catch (TimeoutException | ExecutionException e) {
            // Its number is free again.
            sent.cancel(false);
            return Optional.empty();
        }
    }

    /** Waits before the next question; throws if the time is over. */
    private void pause(long deadline, String last) throws InterruptedException {
        if (closing.await(ASK_AGAIN.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new StoreUnavailableException("the connection to the quorum was closed");
        }
        if (System.nanoTime() - deadline > 0) {
            throw new StoreUnavailableException("not finished within " + DurationText.of(limit) + ": "
                    + (last.isEmpty() ? "the leader gives no answer" : last));
        }
    }

    /** Hands the answers to the requests that wait for them. */
    private final class Answers implements Wire.Receiver {

        @Override
        public void receive(Wire.Peer from, byte[] frame) {
            Frames.read(frame, new Frames.Cases() {
                @Override
                public void raft(String directory, RaftMessage message) {
                    throw new MalformedBytesException("a message between members was sent to an admin process");
                }

                @Override
                public void request(long number, Frames.Request request, byte[] body) {
                    throw new MalformedBytesException("a request was sent to an admin process");
                }

                @Override
                public void answer(long number, Frames.Answer answer, byte[] body) {
                    requests.answered(number, answer, body);
                }
            });
        }

        @Override
        public void lost(String address) {
            requests.giveUp(address, "the connection to " + address + ", a member of the quorum, broke");
        }
    }
}
