package dev.doyen.hub.ratelimit;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.Digests;
import dev.doyen.hub.settings.RestRates;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rate limiter for HTTP requests and for guessed credentials.
 *
 * <p>Each caller has two token buckets: one for published messages, one for other requests. Publishing over a WebSocket
 * does not count here. Wrong credentials count wherever they are presented, also when a socket is opened.
 *
 * <p>A caller with a valid key or token is identified by it, from whichever address it comes. A key counts by its name.
 * A token counts by its key and client id. A token without a client id counts by its whole content, so that writing it
 * differently does not make it a new caller. Requests without credentials and requests with wrong credentials count for
 * their address. Wrong credentials cost {@value #GUESS} requests. An expired or revoked token is no guess.
 *
 * <p>While an address has no budget for a guess, the hub rejects all credentials from it that have not been valid from
 * there before. It rejects valid ones as well, because a different answer would tell a guesser which ones are right.
 * RateLimits that have been valid from there before are not affected, even behind the same proxy.
 *
 * <p>RateLimits and addresses are stored in two tables of limited size. They are separate because addresses are cheap to
 * change and must not displace callers. A full table drops the entry that was idle for the longest time. That caller
 * starts with a full budget when it returns. So a flood of new names harms nobody. It gains nothing either: each new
 * name has a full budget anyway, and a caller that keeps sending requests is never the longest idle one, so its debt
 * stays.
 *
 * <p>Threads: one at a time, as everywhere in the hub. Units: nanoseconds of any monotonic clock.
 */
public final class RateLimits {

    /** Cost of wrong credentials, in requests. */
    static final int GUESS = 10;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** Number of addresses per caller from which its credentials are remembered as valid. */
    private static final int MAX_ADDRESSES = 8;

    private final RestRates rates;
    private final int guess;
    private final Map<String, Budget> names;
    private final Map<String, Budget> addresses;

    /** The token buckets of one caller or address. */
    static final class Budget {
        final TokenBucket messages;
        final TokenBucket requests;
        final Set<String> seenFrom = new LinkedHashSet<>();

        Budget(RestRates rates, long nowNanos) {
            messages = new TokenBucket(rates.messagesPerSecond(), rates.messagesAtOnce(), nowNanos);
            requests = new TokenBucket(rates.requestsPerSecond(), rates.requestsAtOnce(), nowNanos);
        }
    }

    /** A table that drops the least recently used entry when it is full. */
    private static final class Book extends LinkedHashMap<String, Budget> {
        private static final long serialVersionUID = 1;
        private final int most;

        Book(int most) {
            super(16, 0.75f, true);
            this.most = most;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Budget> eldest) {
            return size() > most;
        }
    }

    public RateLimits(RestRates rates) {
        this.rates = rates;
        this.guess = Math.min(GUESS, rates.requestsAtOnce());
        this.names = new Book(rates.maxCallers());
        this.addresses = new Book(rates.maxCallers());
    }

    /** Counts a request without credentials. */
    public void unnamed(String address, long nowNanos) throws Refusal {
        if (!addressed(address, nowNanos).requests.take(1, nowNanos)) {
            throw tooMuchFrom(address, 1, nowNanos);
        }
    }

    /** Counts a request with wrong credentials. */
    public void misnamed(String address, long nowNanos) throws Refusal {
        if (!addressed(address, nowNanos).requests.take(guess, nowNanos)) {
            throw tooMuchFrom(address, guess, nowNanos);
        }
    }

    /** Whether the rejected credentials may have been guessed. */
    public static boolean isGuess(Refusal refusal) {
        int code = refusal.error().code();
        return code != ErrorCode.TOKEN_EXPIRED.code() && code != ErrorCode.TOKEN_REVOKED.code();
    }

    /**
     * Checks the budget before a signature is verified.
     *
     * <p>A client can guess signatures as well as keys. The request itself has been counted already.
     *
     * @param asker what the request has proved; null if nothing
     */
    public void checkGuess(@Nullable Access asker, String address, long nowNanos) throws Refusal {
        if (asker == null) {
            checkGuesses(address, guess - 1, nowNanos);
            return;
        }
        TokenBucket bucket = budget(asker, nowNanos).requests;
        if (bucket.nanosUntil(guess - 1, nowNanos) > 0) {
            throw asksTooFast(asker, bucket, nowNanos);
        }
    }

    /** Charges for a signature that was wrong. */
    public void guessed(@Nullable Access asker, String address, long nowNanos) {
        Budget budget = asker == null ? addressed(address, nowNanos) : budget(asker, nowNanos);
        budget.requests.drain(guess - 1, nowNanos);
    }

    /**
     * Counts a request with valid credentials.
     *
     * @param publishes whether the request publishes; then this counts its first message
     */
    public void named(Access access, String address, boolean publishes, long nowNanos) throws Refusal {
        Budget budget = proved(access, address, nowNanos);
        TokenBucket bucket = publishes ? budget.messages : budget.requests;
        if (!bucket.take(1, nowNanos)) {
            throw publishes ? publishesTooFast(access, 1, bucket, nowNanos) : asksTooFast(access, bucket, nowNanos);
        }
    }

    /** Records valid credentials, of a request or a socket. This costs nothing. */
    Budget proved(Access access, String address, long nowNanos) throws Refusal {
        String name = name(access);
        Budget known = names.get(name);
        if (known == null || !known.seenFrom.contains(address)) {
            checkGuesses(address, guess, nowNanos);
        }
        Budget budget = known != null ? known : budgetOf(name, nowNanos);
        budget.seenFrom.add(address);
        if (budget.seenFrom.size() > MAX_ADDRESSES) {
            budget.seenFrom.remove(budget.seenFrom.iterator().next());
        }
        return budget;
    }

    /**
     * Counts the messages of a request after the first one, all or none. If they exceed the budget, the first one is
     * refunded too.
     */
    public void publishes(Access access, int messages, long nowNanos) throws Refusal {
        if (messages >= rates.messagesAtOnce()) {
            throw new Refusal(
                    ErrorCode.BAD_REQUEST,
                    "the request publishes " + (messages + 1) + " messages, each channel's counted; at most "
                            + rates.messagesAtOnce() + " at once are taken, so send them in several requests");
        }
        TokenBucket bucket = budget(access, nowNanos).messages;
        if (messages > 0 && !bucket.take(messages, nowNanos)) {
            // Refund the first message. Otherwise a client that retries uses up the tokens it waits for.
            bucket.giveBack();
            throw publishesTooFast(access, messages + 1, bucket, nowNanos);
        }
    }

    /** Number of stored callers and addresses. */
    int count() {
        return names.size() + addresses.size();
    }

    private void checkGuesses(String address, int price, long nowNanos) throws Refusal {
        Budget from = addresses.get(address);
        if (from != null && from.requests.nanosUntil(price, nowNanos) > 0) {
            throw tooMuchFrom(address, price, nowNanos);
        }
    }

    private Budget budget(Access access, long nowNanos) {
        return budgetOf(name(access), nowNanos);
    }

    private Budget budgetOf(String name, long nowNanos) {
        return names.computeIfAbsent(name, any -> new Budget(rates, nowNanos));
    }

    private Budget addressed(String address, long nowNanos) {
        return addresses.computeIfAbsent(address, any -> new Budget(rates, nowNanos));
    }

    private static String name(Access access) {
        if (!access.isToken()) {
            return "key " + access.keyName();
        }
        String client = oneClient(access);
        return client == null ? "token " + Digests.of(access.toString()) : "client " + access.keyName() + " " + client;
    }

    private static String shown(Access access) {
        String key = "the key " + Quote.of(access.keyName());
        if (!access.isToken()) {
            return key;
        }
        String client = oneClient(access);
        return client == null ? "this token of " + key : "the client " + Quote.of(client) + " of " + key;
    }

    /** The one client id to which the token is bound; null if none. */
    private static @Nullable String oneClient(Access access) {
        String clientId = access.clientId();
        return Access.ANYBODY.equals(clientId) ? null : clientId;
    }

    private Refusal tooMuchFrom(String address, int tokens, long nowNanos) {
        return tooFast(
                "too many requests without good credentials come from "
                        + (address.isEmpty() ? "unknown addresses" : "the address " + address)
                        + bound(rates.requestsPerSecond(), rates.requestsAtOnce(), "requests")
                        + ", of which wrong credentials, here or on a socket, count as " + guess,
                addressed(address, nowNanos).requests.nanosUntil(tokens, nowNanos));
    }

    private Refusal asksTooFast(Access access, TokenBucket bucket, long nowNanos) {
        return tooFast(
                shown(access) + " asks too fast" + bound(rates.requestsPerSecond(), rates.requestsAtOnce(), "requests"),
                bucket.nanosUntil(1, nowNanos));
    }

    private Refusal publishesTooFast(Access access, int messages, TokenBucket bucket, long nowNanos) {
        return tooFast(
                shown(access) + " publishes too fast"
                        + bound(rates.messagesPerSecond(), rates.messagesAtOnce(), "messages"),
                bucket.nanosUntil(messages, nowNanos));
    }

    private static String bound(int perSecond, int atOnce, String what) {
        return "; at most " + perSecond + " " + what + " a second, and " + atOnce + " at once, are taken by HTTP";
    }

    private static Refusal tooFast(String sentence, long waitNanos) {
        long seconds = Math.max(1, (waitNanos + NANOS_PER_SECOND - 1) / NANOS_PER_SECOND);
        return new Refusal(
                ErrorCode.RATE_LIMITED.because(sentence + "; try again in " + seconds + " s"), (int) seconds);
    }
}
