package dev.doyen.client;

import dev.doyen.client.state.Answer;
import dev.doyen.client.state.WatchSettings;
import dev.doyen.client.state.WatchSettings.CanRequest;
import dev.doyen.client.state.WhenUnknown;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A client of an elector.
 *
 * <p>An elector is the sidecar, {@code doyen ring}, a hub or the NAIS elector.
 *
 * <p>{@link #isLeader} and {@link #ask} each send one request. {@link #watch} keeps a stream open. Through this
 * stream, each change arrives at once and without a request.
 *
 * <p>Threads: the methods may be called on any thread. Only {@link #watch} starts a thread, one daemon thread for each
 * watch. All instances share the JDK's HTTP client, whose threads are daemons.
 */
public final class Elector {

    private static final System.Logger LOG = System.getLogger(Elector.class.getName());

    /** The default timeout of a request. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    /**
     * The default maximum age of an answer.
     *
     * <p>The default ttl of a lease is 10 s. So if the elector crashes, its last answer becomes outdated before its
     * lease expires.
     */
    public static final Duration DEFAULT_MAX_AGE = Duration.ofSeconds(5);

    private final Addresses addresses;
    private final String name;
    private final Duration timeout;
    private final Duration maxAge;
    private final WhenUnknown whenUnknown;
    private final AtomicBoolean failing = new AtomicBoolean();
    private volatile boolean ledLast;

    private Elector(Builder builder) {
        this.addresses = builder.addresses;
        this.name = builder.name.isEmpty() ? OwnName.find(System.getenv()) : builder.name;
        this.timeout = builder.timeout;
        this.maxAge = builder.maxAge;
        this.whenUnknown = builder.whenUnknown;
        if (timeout.compareTo(maxAge) > 0) {
            throw new IllegalArgumentException("timeout (" + timeout.toMillis() + " ms) must be at most maxAge ("
                    + maxAge.toMillis() + " ms); lower timeout");
        }
    }

    /**
     * Returns a client of the elector whose address is in the environment variables.
     *
     * <p>The variables are {@code ELECTOR_GET_URL} and {@code ELECTOR_SSE_URL}, or the older {@code ELECTOR_PATH}.
     * The scheme of the URL is optional.
     *
     * @throws IllegalStateException if none of these variables is set
     */
    public static Elector fromEnvironment() {
        return builderFromEnvironment().build();
    }

    /**
     * Returns a builder for the elector whose address is in the environment variables.
     *
     * @throws IllegalStateException if none of these variables is set; see {@link #fromEnvironment}
     */
    public static Builder builderFromEnvironment() {
        return builderFrom(System.getenv());
    }

    /**
     * Returns a builder for a client of the elector whose address is in these variables. A framework can provide the
     * variables.
     *
     * @throws IllegalStateException if none of {@code ELECTOR_GET_URL}, {@code ELECTOR_SSE_URL} and
     *     {@code ELECTOR_PATH} is set
     */
    public static Builder builderFrom(Map<String, String> environment) {
        return new Builder(Addresses.of(environment));
    }

    /**
     * Returns a builder for the default election of the elector at {@code url}. The client uses the paths {@code /} and
     * {@code /sse}.
     */
    public static Builder at(String url) {
        return new Builder(Addresses.at(url));
    }

    /**
     * Returns a builder for a named election of the elector at {@code url}. The client uses paths below {@code /v1}.
     * The answers of such an election contain a term.
     */
    public static Builder at(String url, String election) {
        return new Builder(Addresses.at(url, election));
    }

    /** Returns this process's candidate name. */
    public String name() {
        return name;
    }

    /** Returns the maximum age of an answer. */
    public Duration maxAge() {
        return maxAge;
    }

    /**
     * Returns true if the elector reports this process as the leader. The method sends a request and blocks until the
     * answer.
     *
     * <p>If no valid answer arrives within the timeout, the result is false. With {@link WhenUnknown#KEEP}, the method
     * returns the previous result instead. The result is the same if the elector has not found a leader yet. The method
     * logs the first request without a valid answer, and then the next valid answer.
     */
    public boolean isLeader() {
        try {
            Optional<Answer> answer = request();
            if (failing.compareAndSet(true, false)) {
                LOG.log(Level.INFO, "the elector at " + questionUrl() + " answers again");
            }
            if (answer.isPresent()) {
                ledLast = answer.get().leader().filter(name::equals).isPresent();
                return ledLast;
            }
        } catch (ElectorUnavailableException e) {
            if (!Thread.currentThread().isInterrupted() && failing.compareAndSet(false, true)) {
                LOG.log(Level.WARNING, e.getMessage() + "; check the address and that the elector runs");
            }
        }
        return whenUnknown == WhenUnknown.KEEP && ledLast;
    }

    /**
     * Requests the present leader and blocks until the answer.
     *
     * <p>The call fails if the elector has not found a leader yet, for example if a NAIS elector has just started. If
     * the thread is interrupted, the call fails and the interrupt remains set.
     *
     * @throws IllegalStateException if the address came from the environment and only {@code ELECTOR_SSE_URL} was set
     */
    public Answer ask() throws ElectorUnavailableException {
        return request().orElseThrow(() -> unavailable("it has not received a leader yet", null));
    }

    /** Requests the present leader and blocks. The result is empty if the elector has not found a leader yet. */
    private Optional<Answer> request() throws ElectorUnavailableException {
        CompletableFuture<Optional<Answer>> question = question();
        try {
            return question.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw unavailable(Question.why(e), e.getCause());
        } catch (TimeoutException e) {
            throw unavailable("no answer within " + timeout.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable("the thread was interrupted while it waited", e);
        } finally {
            question.cancel(true);
        }
    }

    /**
     * Starts a watch on one daemon thread. The state of the watch is unknown until the first answer.
     *
     * @throws IllegalStateException if the address came from the environment and {@code ELECTOR_SSE_URL} was not set
     */
    public LeaderWatch watch() {
        URI stream = addresses.stream()
                .orElseThrow(() -> new IllegalStateException("no address of a stream is set; set ELECTOR_SSE_URL,"
                        + " beside ELECTOR_GET_URL, or ask with isLeader()"));
        var settings = new WatchSettings(
                name,
                maxAge.toNanos(),
                whenUnknown,
                timeout.toNanos(),
                addresses.question().isPresent() ? CanRequest.YES : CanRequest.NO);
        return new LeaderWatch(settings, Addresses.withHeartbeat(stream, maxAge), this::question);
    }

    /** Sends a request. A cancellation or a timeout closes the connection of the request. */
    private CompletableFuture<Optional<Answer>> question() {
        return addresses
                .question()
                .map(url -> Question.put(url, timeout))
                .orElseThrow(() -> new IllegalStateException(
                        "no address for requests is set; set ELECTOR_GET_URL, or listen with watch()"));
    }

    private ElectorUnavailableException unavailable(String why, @Nullable Throwable cause) {
        return new ElectorUnavailableException("the elector at " + questionUrl() + " names no leader: " + why, cause);
    }

    private String questionUrl() {
        return addresses.question().map(URI::toString).orElse("?");
    }

    /** A builder of an elector client. Each setting has a default. */
    public static final class Builder {
        private final Addresses addresses;
        private String name = "";
        private Duration timeout = DEFAULT_TIMEOUT;
        private Duration maxAge = DEFAULT_MAX_AGE;
        private WhenUnknown whenUnknown = WhenUnknown.FOLLOW;

        Builder(Addresses addresses) {
            this.addresses = addresses;
        }

        /**
         * Sets this process's candidate name. The default is {@code HOSTNAME}, which is the pod's name. If this
         * variable is not set, the default is the host's name.
         */
        public Builder name(String own) {
            if (own.isBlank()) {
                throw new IllegalArgumentException("name must not be blank");
            }
            this.name = own;
            return this;
        }

        /**
         * Sets the timeout of a request and of the start of a stream. The range is 10 ms to 1 min, and at most
         * {@link #maxAge}.
         */
        public Builder timeout(Duration most) {
            this.timeout = Bound.checked("timeout", most, Duration.ofMillis(10), Duration.ofMinutes(1));
            return this;
        }

        /**
         * Sets the age after which an answer is outdated and the state is unknown. The range is 2 s to 10 min.
         *
         * <p>Choose an age below four fifths of the ttl, because a lease lasts for at least four fifths of its ttl
         * after a crash of the elector. After a suspension of the process, the client can mistake an old event in a
         * buffer for a new event. In this case an answer is valid for at most twice this age.
         */
        public Builder maxAge(Duration most) {
            this.maxAge = Bound.checked("maxAge", most, Duration.ofSeconds(2), Duration.ofMinutes(10));
            return this;
        }

        /**
         * Sets the state that the client reports while the leader is unknown. {@link WhenUnknown#KEEP} has a risk,
         * which its description explains.
         */
        public Builder whenUnknown(WhenUnknown choice) {
            this.whenUnknown = choice;
            return this;
        }

        /**
         * Builds the elector client. The method sends no request.
         *
         * @throws IllegalArgumentException if two settings contradict each other
         */
        public Elector build() {
            return new Elector(this);
        }
    }

    private static final class Bound {
        static Duration checked(String what, Duration value, Duration least, Duration most) {
            if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
                // A very long duration would overflow in milliseconds.
                boolean fits = !value.isNegative() && value.compareTo(Duration.ofDays(1000)) <= 0;
                throw new IllegalArgumentException(what + " (" + (fits ? value.toMillis() + " ms" : value)
                        + ") must be from " + least.toMillis() + " ms to " + most.toMillis() + " ms");
            }
            return value;
        }
    }
}
