package dev.doyen.stores.quorum;

import dev.doyen.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a client to its current member.
 *
 * <p>The link begins with a random member, so that many clients are distributed over all members. If the member is
 * unreachable, silent or not up to date, the link connects to the next member. After one unsuccessful attempt with each
 * member, the link pauses.
 *
 * <p>Each connection has a number. The link ignores answers on an earlier connection.
 *
 * <p>Threads: the thread of {@link RaftTime}.
 */
final class MemberLink {

    /** The client that uses the link. The link's thread calls the methods of this interface. */
    interface User {
        /** Returns true if a caller waits for an answer or for changes. */
        boolean needsMember();

        /**
         * Called when the link has connected to a member that is up to date. The member has all writes that were
         * confirmed before the attempt.
         */
        void connected();

        void disconnected();
    }

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final int MAX_DOUBLINGS = 3;

    /**
     * The maximum pause without jitter, as a multiple of {@link #patience}. The maximum is low, because callers with a
     * short timeout cannot wait long.
     */
    private static final int PAUSE_PATIENCES = 4;

    private final List<String> addresses;
    private final Duration patience;
    private final RaftTime time;
    private final Wire wire;
    private final Requests requests;
    private final Random random;
    private final User user;

    private int turn;
    private long connection;
    private boolean isConnecting;
    private boolean isConnected;
    private boolean isPausing;
    private int failures;
    private volatile String problem = "no member was asked yet";

    /**
     * Creates a link that is not connected.
     *
     * @param patience half of the timeout of a request that a member can answer immediately
     */
    MemberLink(
            List<String> addresses,
            Duration patience,
            RaftTime time,
            Wire wire,
            Requests requests,
            Random random,
            User user) {
        this.addresses = List.copyOf(addresses);
        this.patience = patience;
        this.time = time;
        this.wire = wire;
        this.requests = requests;
        this.random = random;
        this.user = user;
        this.turn = random.nextInt(addresses.size());
    }

    boolean isConnected() {
        return isConnected;
    }

    /** Returns the number of the current connection. */
    long connection() {
        return connection;
    }

    /** Returns why the link disconnected from the last member, as a part of a sentence. Threads: any. */
    String problem() {
        return problem;
    }

    /** Connects if the user needs a member. Does nothing if the link is connected, connecting or pausing. */
    void connect() {
        if (isConnecting || isConnected || isPausing || !user.needsMember()) {
            return;
        }
        isConnecting = true;
        connection++;
        long number = connection;
        request(Frames.Request.CONNECT, ClientBytes.ofWait(patience), body -> {
            if (number == connection && isConnecting) {
                isConnecting = false;
                isConnected = true;
                failures = 0;
                user.connected();
            }
        });
    }

    /**
     * Sends a request that the current member can answer immediately. If the member does not answer or rejects the
     * request, the link disconnects from the member.
     */
    void request(Frames.Request request, byte[] body, Consumer<byte[]> onDone) {
        long number = connection;
        Futures.ignore(send(request, body, true)
                .whenComplete((answer, failure) -> time.execute(() -> answered(number, answer, failure, onDone))));
    }

    private void answered(
            long number, Requests.@Nullable Answered answer, @Nullable Throwable failure, Consumer<byte[]> onDone) {
        if (answer == null) {
            leave(number, failure == null ? "it does not answer" : Requests.reason(failure));
        } else if (answer.answer() != Frames.Answer.DONE) {
            leave(number, answer.reason());
        } else if (number == connection) {
            understand(number, () -> onDone.accept(answer.body()));
        }
    }

    /**
     * Sends a request to the current member.
     *
     * @param isAtHand true if the member can answer immediately; in this case the request fails after twice the
     *     patience
     */
    CompletableFuture<Requests.Answered> send(Frames.Request request, byte[] body, boolean isAtHand) {
        CompletableFuture<Requests.Answered> answered = requests.send(address(), request, body);
        if (isAtHand) {
            time.unlessDone(
                    answered,
                    patience.multipliedBy(2),
                    () -> answered.completeExceptionally(new StoreUnavailableException("it does not answer")));
        }
        return answered;
    }

    /** Runs a task that parses an answer. If the answer is malformed, the link disconnects from the member. */
    void understand(long number, Runnable reading) {
        try {
            reading.run();
        } catch (MalformedBytesException e) {
            leave(number, "its answer cannot be read; run the same version of Doyen everywhere");
        }
    }

    /**
     * If {@code number} is the current connection, ends this connection. The link then connects to the next member,
     * possibly after a pause.
     */
    void leave(long number, String why) {
        if (number != connection || (!isConnecting && !isConnected)) {
            return;
        }
        problem = address() + ": " + why;
        isConnecting = false;
        isConnected = false;
        failures++;
        String left = address();
        turn++;
        wire.peer(left).end();
        user.disconnected();
        requests.giveUp(left, "the connection to " + left + ", a member of the quorum, ended: " + why);
        connectLater();
    }

    /** Called when the connection to this address failed or could not be established. */
    void lost(String address) {
        requests.giveUp(address, "the connection to " + address + ", a member of the quorum, broke");
        if (address.equals(address())) {
            leave(connection, "the connection broke or could not be opened");
        }
    }

    private void connectLater() {
        int rounds = failures / addresses.size();
        if (failures % addresses.size() != 0 || rounds == 0) {
            connect();
            return;
        }
        isPausing = true;
        long longest = Math.max(FIRST_PAUSE.toMillis(), patience.toMillis() * PAUSE_PATIENCES);
        long pause = Math.min(longest, FIRST_PAUSE.toMillis() << Math.min(rounds - 1, MAX_DOUBLINGS));
        time.after(Duration.ofMillis(pause / 2 + random.nextInt((int) pause)), () -> {
            isPausing = false;
            connect();
        });
    }

    private String address() {
        return addresses.get(Math.floorMod(turn, addresses.size()));
    }
}
