package dev.doyen.client;

import dev.doyen.client.state.Answer;
import dev.doyen.client.state.WatchSettings;
import dev.doyen.client.state.WatchSettings.CanAsk;
import dev.doyen.client.state.WhenUnknown;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A client of an elector: the sidecar, {@code doyen ring}, a hub, or NAIS' elector.
 *
 * <p>{@link #isLeader} and {@link #ask} send one question each. {@link #watch} keeps a stream open, so its answers need
 * no request and arrive at once.
 *
 * <p>Threads: any. This class has no thread. All instances share the JDK's HTTP client, whose threads are daemons.
 */
public final class Elector {

    /** Default timeout of a question. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    /**
     * Default maximum age of an answer.
     *
     * <p>If an elector dies, a lease of the default 10 s that was renewed in time has more than this left.
     */
    public static final Duration DEFAULT_MAX_AGE = Duration.ofSeconds(5);

    private final Addresses addresses;
    private final String name;
    private final Duration timeout;
    private final Duration maxAge;
    private final WhenUnknown whenUnknown;
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
     * Returns the elector that the environment variables name.
     *
     * <p>They are {@code ELECTOR_GET_URL} and {@code ELECTOR_SSE_URL}, or the older {@code ELECTOR_PATH}. The scheme of
     * the URL is optional.
     *
     * @throws IllegalStateException if none of them is set
     */
    public static Elector fromEnvironment() {
        return builderFromEnvironment().build();
    }

    /** Returns a builder for the elector that the environment variables name. */
    public static Builder builderFromEnvironment() {
        return builderFrom(System.getenv());
    }

    /**
     * Returns a builder for the elector that these variables name, for example those of a framework.
     *
     * @throws IllegalStateException if none of {@code ELECTOR_GET_URL}, {@code ELECTOR_SSE_URL} and
     *     {@code ELECTOR_PATH} is set
     */
    public static Builder builderFrom(Map<String, String> environment) {
        return new Builder(Addresses.of(environment));
    }

    /** Returns a builder for the election at {@code /} and {@code /sse} of the elector at this address. */
    public static Builder at(String url) {
        return new Builder(Addresses.at(url));
    }

    /** Returns a builder for a named election at {@code /v1} of this elector. Its answers have a term. */
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
     * Asks whether the elector names this process as the leader. Blocks until the answer.
     *
     * <p>Without an answer within the timeout the result is false. With {@link WhenUnknown#KEEP} it is the previous
     * result.
     */
    public boolean isLeader() {
        try {
            ledLast = ask().leader().filter(name::equals).isPresent();
            return ledLast;
        } catch (ElectorUnavailableException e) {
            return whenUnknown == WhenUnknown.KEEP && ledLast;
        }
    }

    /**
     * Asks who leads. Blocks until the answer.
     *
     * <p>If the elector does not know a leader yet, as NAIS' elector after its start, that counts as no answer. If the
     * thread is interrupted, the call fails and leaves the interrupt set.
     */
    public Answer ask() throws ElectorUnavailableException {
        CompletableFuture<Optional<Answer>> question = question();
        try {
            return question.get(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .orElseThrow(() -> unavailable("it knows of no leader yet", null));
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
     * Starts to watch, on one daemon thread. The state is unknown until the first answer.
     *
     * @throws IllegalStateException if only {@code ELECTOR_GET_URL} was set
     */
    public LeaderWatch watch() {
        URI stream = addresses.stream()
                .orElseThrow(() -> new IllegalStateException("no address of a stream is known; set ELECTOR_SSE_URL,"
                        + " beside ELECTOR_GET_URL, or ask with isLeader()"));
        var settings = new WatchSettings(
                name,
                maxAge.toNanos(),
                whenUnknown,
                timeout.toNanos(),
                addresses.question().isPresent() ? CanAsk.YES : CanAsk.NO);
        return new LeaderWatch(settings, Addresses.withHeartbeat(stream, maxAge), this::question);
    }

    /** Sends a question. A cancel or a timeout closes its connection. */
    private CompletableFuture<Optional<Answer>> question() {
        return addresses
                .question()
                .map(url -> Question.put(url, timeout))
                .orElseThrow(() -> new IllegalStateException(
                        "no address for questions is known; set ELECTOR_GET_URL, or listen with watch()"));
    }

    private ElectorUnavailableException unavailable(String why, @Nullable Throwable cause) {
        return new ElectorUnavailableException(
                "the elector at " + addresses.question().map(URI::toString).orElse("?") + " names no leader: " + why,
                cause);
    }

    /** Builds an elector. Each setting has a default. */
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
         * Sets this process's candidate name. The default is {@code HOSTNAME}, which is the pod's name, or the host's
         * name.
         */
        public Builder name(String own) {
            if (own.isBlank()) {
                throw new IllegalArgumentException("name must not be blank; nobody stands under that");
            }
            this.name = own;
            return this;
        }

        /** Sets the timeout of a question and of the start of a stream: 10 ms to 1 min, and at most {@link #maxAge}. */
        public Builder timeout(Duration most) {
            this.timeout = Bound.checked("timeout", most, Duration.ofMillis(10), Duration.ofMinutes(1));
            return this;
        }

        /**
         * Sets the age after which an answer no longer counts and the state is unknown: 2 s to 10 min.
         *
         * <p>After a pause of the process an answer may count once more, so for up to twice this time. Choose less than
         * a lease has left if the elector dies between two renewals, which is four fifths of the ttl.
         */
        public Builder maxAge(Duration most) {
            this.maxAge = Bound.checked("maxAge", most, Duration.ofSeconds(2), Duration.ofMinutes(10));
            return this;
        }

        /** Sets what the client reports while the state is unknown. First read the risk of {@link WhenUnknown#KEEP}. */
        public Builder whenUnknown(WhenUnknown choice) {
            this.whenUnknown = choice;
            return this;
        }

        /**
         * Builds the elector. Sends nothing yet.
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
                // The milliseconds of a very long duration overflow.
                boolean fits = !value.isNegative() && value.compareTo(Duration.ofDays(1000)) <= 0;
                throw new IllegalArgumentException(what + " (" + (fits ? value.toMillis() + " ms" : value)
                        + ") must be from " + least.toMillis() + " ms to " + most.toMillis() + " ms");
            }
            return value;
        }
    }
}
