package dev.doyen.stores.quorum;

import dev.doyen.store.StoreUnavailableException;
import dev.doyen.text.DurationText;
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
import java.util.stream.Collectors;

/**
 * Shows and changes the members of a quorum from a process outside the quorum. The process listens on no port.
 *
 * <p>A change consists of several steps, each about one member. The leader decides each step from the last confirmed
 * member list. Therefore a change can be repeated, and another process can complete an interrupted change.
 *
 * <p>Threads: any. Run only one change at a time. The methods block. Errors: {@link MemberChangeRefusedException} if
 * the quorum rejects the change; {@link StoreUnavailableException} if the call does not succeed within the time limit,
 * for example because the quorum has no majority.
 */
public final class QuorumAdmin implements AutoCloseable {

    private static final Duration ANSWER = UrgentRequests.ANSWER;
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(100);

    private final List<String> addresses;
    private final Duration limit;
    private final Wire wire;
    private final Requests requests;
    private final CountDownLatch closing = new CountDownLatch(1);

    /** The addresses of the members, from the received status with the greatest term. */
    private volatile Set<String> learned = Set.of();

    QuorumAdmin(List<String> addresses, Duration limit, Wire wire) {
        this.addresses = List.copyOf(addresses);
        this.limit = limit;
        this.wire = wire;
        this.requests = new Requests(wire);
        wire.start(new Answers());
    }

    /**
     * Creates an admin client. The client connects at the first call, and ignores the timeout in the settings.
     *
     * @param limit the maximum time of a call
     */
    public static QuorumAdmin connect(QuorumClientSettings settings, Duration limit) {
        return new QuorumAdmin(
                settings.members(),
                limit,
                TcpWire.connectingOnly(settings.secret().map(OpenMember::key), WireSystem.DEFAULT));
    }

    /**
     * Creates an admin client from the URL of the store. The client ignores the parts of the URL that only members use:
     * the directory, {@code id}, {@code members} and {@code listen}.
     *
     * @param limit the maximum time of a call
     * @throws IllegalArgumentException if the URL is invalid; the message is for users
     */
    public static QuorumAdmin connect(String url, Duration limit) {
        return connect(QuorumUrl.parseClient(url), limit);
    }

    /**
     * Parses an address that a user typed, and returns {@code host:port}.
     *
     * @param text {@code host} or {@code host:port}
     * @throws IllegalArgumentException if the text is not one address; the message is for users
     */
    public static String address(String text) {
        return QuorumUrl.address(text);
    }

    /** Asks the leader of the log for the state of the members. */
    public QuorumStatus members() throws InterruptedException {
        return leader(System.nanoTime() + limit.toNanos());
    }

    /**
     * Adds a process as a voter, after the process has received all records. The process may start before or after the
     * call.
     *
     * @param progress receives a sentence for each step
     * @return a sentence about the result
     */
    public String add(String address, Consumer<String> progress) throws InterruptedException {
        return carryOut(new MemberCommand(MemberCommand.Kind.ADD, address, ""), progress);
    }

    /**
     * Adds a process as a learner. A learner receives all records but does not count toward the majority.
     *
     * @param progress receives a sentence for each step
     * @return a sentence about the result
     */
    public String addLearner(String address, Consumer<String> progress) throws InterruptedException {
        return carryOut(new MemberCommand(MemberCommand.Kind.ADD_LEARNER, address, ""), progress);
    }

    /**
     * Removes a member. If the member leads the log, the leadership is transferred first.
     *
     * @param progress receives a sentence for each step
     * @return a sentence about the result
     */
    public String remove(String address, Consumer<String> progress) throws InterruptedException {
        return carryOut(new MemberCommand(MemberCommand.Kind.REMOVE, address, ""), progress);
    }

    /**
     * Replaces a voter with another process. The replaced voter need not run.
     *
     * @param progress receives a sentence for each step
     * @return a sentence about the result
     */
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

    /** Requests the status of all members repeatedly, until a member answers that it leads. */
    private QuorumStatus leader(long deadline, String last) throws InterruptedException {
        while (true) {
            Set<String> targets = new LinkedHashSet<>(addresses);
            targets.addAll(learned);
            List<CompletableFuture<Requests.Answered>> sent = targets.stream()
                    .map(each -> requests.send(each, Frames.Request.STATUS, new byte[0]))
                    .toList();
            var known = new LinkedHashSet<QuorumStatus>();
            for (CompletableFuture<Requests.Answered> each : sent) {
                answer(each, ANSWER).map(StatusBytes::read).ifPresent(known::add);
            }
            Optional<QuorumStatus> leader =
                    known.stream().filter(QuorumStatus::isLeader).max(Comparator.comparingInt(QuorumStatus::term));
            learned = known.stream()
                    .max(Comparator.comparingInt(QuorumStatus::term))
                    .map(QuorumAdmin::memberAddresses)
                    .orElse(learned);
            if (leader.isPresent()) {
                return leader.get();
            }
            pause(deadline, noLeader(targets, known, last));
        }
    }

    private static Set<String> memberAddresses(QuorumStatus status) {
        return status.members().stream().map(QuorumStatus.Member::address).collect(Collectors.toSet());
    }

    private static String noLeader(Set<String> targets, Set<QuorumStatus> known, String last) {
        String why = "no member leads the quorum, so it has no majority. Of " + String.join(", ", targets) + " "
                + (known.isEmpty()
                        ? "none answers"
                        : String.join(
                                        ", ",
                                        known.stream()
                                                .map(QuorumStatus::address)
                                                .toList()) + " answer" + (known.size() == 1 ? "s" : ""));
        return last.isEmpty() ? why : why + ". The last step was: " + last;
    }

    /** Waits for an answer. Returns empty if no answer arrived in time or the member did not execute the request. */
    private static Optional<byte[]> answer(CompletableFuture<Requests.Answered> sent, Duration patience)
            throws InterruptedException {
        try {
            Requests.Answered answered = sent.get(patience.toNanos(), TimeUnit.NANOSECONDS);
            return answered.answer() == Frames.Answer.DONE ? Optional.of(answered.body()) : Optional.empty();
        } catch (TimeoutException | ExecutionException e) {
            // The cancellation removes the request from the requests that wait for answers.
            sent.cancel(false);
            return Optional.empty();
        }
    }

    /**
     * Waits before the next request.
     *
     * @throws StoreUnavailableException if the deadline has passed or this client was closed
     */
    private void pause(long deadline, String last) throws InterruptedException {
        if (closing.await(RETRY_INTERVAL.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new StoreUnavailableException("the connection to the quorum was closed");
        }
        if (System.nanoTime() - deadline > 0) {
            throw new StoreUnavailableException("not finished within " + DurationText.of(limit) + ": "
                    + (last.isEmpty() ? "the leader does not answer" : last));
        }
    }

    /** Passes each answer to its request. */
    private final class Answers implements Wire.Receiver {

        @Override
        public void receive(Wire.Peer from, byte[] frame) {
            Frames.read(frame, new ClientFrames(requests));
        }

        @Override
        public void lost(String address) {
            requests.giveUp(address, "the connection to " + address + ", a member of the quorum, broke");
        }
    }
}
