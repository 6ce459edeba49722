package dev.doyen.client;

import dev.doyen.client.sight.Answer;
import dev.doyen.client.sight.WatchSettings;
import dev.doyen.client.sight.WatchSettings.CanAsk;
import dev.doyen.client.sight.WhenUnknown;
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
 * An elector, as one process sees it: the sidecar, {@code doyen ring}, a hub, or NAIS' own.
 *
 * <p>{@link #isLeader} and {@link #ask} put one question each. {@link #watch} listens all the time; its answers cost
 * nothing and come at once.
 *
 * <p>Threads: any. Of its own it has none; the JDK's HTTP client, one for all electors, has daemon threads.
 */
public final class Elector {

    /** How long a question may take, unless {@link Builder#timeout} says otherwise. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    /**
     * How old an elector's word may be, unless {@link Builder#maxAge} says otherwise. A lease of the default 10 s that was
     * renewed in time has more than that left when its elector dies.
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
     * The elector that {@code ELECTOR_GET_URL} and {@code ELECTOR_SSE_URL} name, or {@code ELECTOR_PATH}, which is older;
     * a scheme may be missing.
     *
     * @throws IllegalStateException if none of them is set
     */
    public static Elector fromEnvironment() {
        return builderFromEnvironment().build();
    }

    /** The same, with settings of one's own. */
    public static Builder builderFromEnvironment() {
        return builderFrom(System.getenv());
    }

    /**
     * The same of other variables, such as those that a framework has collected.
     *
     * @throws IllegalStateException if none of {@code ELECTOR_GET_URL}, {@code ELECTOR_SSE_URL} and {@code ELECTOR_PATH} is there
     */
    public static Builder builderFrom(Map<String, String> environment) {
        return new Builder(Addresses.of(environment));
    }

    /** The election that the elector at this address speaks for at {@code /} and {@code /sse}. */
    public static Builder at(String url) {
        return new Builder(Addresses.at(url));
    }

    /** The election of this name, at {@code /v1} of the elector at this address; its answers have a term. */
    public static Builder at(String url, String election) {
        return new Builder(Addresses.at(url, election));
    }

    /** The name this process stands under. */
    public String name() {
        return name;
    }

    /** How old the elector's word may be. */
    public Duration maxAge() {
        return maxAge;
    }

    /**
     * True if the elector names this process as the leader. Without an answer within the timeout it is false, or what it
     * was before with {@link WhenUnknown#KEEP}. Waits for the answer.
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
     * Asks who leads. An elector that does not know yet (NAIS' own, in the beginning) counts as none that answers.
     * Interrupted, it gives up, and leaves the interrupt set.
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
     * Listens from now on, in one daemon thread of its own. The first answer comes a moment later; nothing is known until
     * then.
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

    /** Cancelled or timed out, it leaves no connection behind. */
    private CompletableFuture<Optional<Answer>> question() {
        return addresses
                .question()
                .map(url -> Question.put(url, timeout))
                .orElseThrow(() -> new IllegalStateException(
                        "no address for questions is known; set ELECTOR_GET_URL, or listen with watch()"));
    }

    private ElectorUnavailableException unavailable(String why, @Nullable Throwable cause) {
        return new ElectorUnavailableException(
                "the elector at " + addresses.question().map(URI::toString).orElse("?") + " does not say who leads: "
                        + why,
                cause);
    }

    /** Settings; each has a default. */
    public static final class Builder {
        private final Addresses addresses;
        private String name = "";
        private Duration timeout = DEFAULT_TIMEOUT;
        private Duration maxAge = DEFAULT_MAX_AGE;
        private WhenUnknown whenUnknown = WhenUnknown.FOLLOW;

        Builder(Addresses addresses) {
            this.addresses = addresses;
        }

        /** The name this process stands under; by default {@code HOSTNAME}, which is the pod's name, or the host's name. */
        public Builder name(String own) {
            if (own.isBlank()) {
                throw new IllegalArgumentException("name must not be blank; nobody stands under that");
            }
            this.name = own;
            return this;
        }

        /** How long a question, and the beginning of a stream, may take: 10 ms to 1 min, and at most {@link #maxAge}. */
        public Builder timeout(Duration most) {
            this.timeout = Bound.checked("timeout", most, Duration.ofMillis(10), Duration.ofMinutes(1));
            return this;
        }

        /**
         * How old the elector's word may be before nothing is known: 2 s to 10 min. A process that stood still may take the
         * word for fresh once more when it goes on, so for up to twice that. Choose less than the lease has left when an
         * elector dies between two renewals: four fifths of its ttl.
         */
        public Builder maxAge(Duration most) {
            this.maxAge = Bound.checked("maxAge", most, Duration.ofSeconds(2), Duration.ofMinutes(10));
            return this;
        }

        /** What this process takes itself for while nothing is known; read what {@link WhenUnknown#KEEP} costs. */
        public Builder whenUnknown(WhenUnknown choice) {
            this.whenUnknown = choice;
            return this;
        }

        /**
         * An elector with these settings; nothing is sent yet.
         *
         * @throws IllegalArgumentException if two settings do not fit, with a sentence
         */
        public Elector build() {
            return new Elector(this);
        }
    }

    private static final class Bound {
        static Duration checked(String what, Duration value, Duration least, Duration most) {
            if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
                // Milliseconds of a very long duration overflow.
                boolean fits = !value.isNegative() && value.compareTo(Duration.ofDays(1000)) <= 0;
                throw new IllegalArgumentException(what + " (" + (fits ? value.toMillis() + " ms" : value)
                        + ") must be from " + least.toMillis() + " ms to " + most.toMillis() + " ms");
            }
            return value;
        }
    }
}
