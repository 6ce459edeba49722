package dev.doyen.hub.ratelimit;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.settings.RestRates;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Refusal;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rate limiter for HTTP requests and for guessed credentials.
 *
 * <p>Each caller has two token buckets. The first bucket limits published messages; the second bucket limits other
 * requests. Messages that are published over a WebSocket do not count. Wrong credentials always count, even when a
 * client opens a socket with them.
 *
 * <p>A valid key or token identifies its caller ({@link Access#caller}); the caller's address has no effect. Requests
 * without credentials and requests with wrong credentials count for their {@linkplain ClientNetwork network}. Wrong
 * credentials count as {@value #GUESS} requests. An expired or revoked token does not count as a guess.
 *
 * <p>While an address has too few tokens for a guess, the hub rejects all credentials from this address, even valid
 * credentials. Otherwise an attacker would learn which credentials are valid. A caller that has sent valid credentials
 * from the address before is not affected, even if the caller shares the address of a proxy with the attacker.
 *
 * <p>Callers and addresses are stored in two tables of limited size. The tables are separate because an attacker can
 * easily change addresses, and addresses must not displace callers. A full table drops the entry that was idle for the
 * longest time. A dropped caller starts with a full budget when it returns, so a flood of new callers slows down no
 * other caller. An attacker gains nothing from such a flood, because each new caller has a full budget anyway. The
 * entry of an active caller is never the longest idle entry, so a flood never resets the budget of an active caller.
 *
 * <p>One thread at a time may use an instance. Times are nanoseconds of any monotonic clock.
 */
public final class RateLimits {

    /** Wrong credentials count as this number of requests, or as the maximum burst if the burst is smaller. */
    static final int GUESS = 10;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /**
     * The maximum number of addresses that are stored for a caller. The hub stores addresses from which the caller has
     * sent valid credentials.
     */
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
            messages = TokenBucket.perSecond(rates.messagesPerSecond(), rates.messagesAtOnce(), nowNanos);
            requests = TokenBucket.perSecond(rates.requestsPerSecond(), rates.requestsAtOnce(), nowNanos);
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

    /** Counts a request that has no credentials. */
    public void unnamed(String address, long nowNanos) throws Refusal {
        if (!addressed(address, nowNanos).requests.take(1, nowNanos)) {
            throw tooMuchFrom(address, 1, nowNanos);
        }
    }

    /** Counts a request that has wrong credentials. */
    public void misnamed(String address, long nowNanos) throws Refusal {
        if (!addressed(address, nowNanos).requests.take(guess, nowNanos)) {
            throw tooMuchFrom(address, guess, nowNanos);
        }
    }

    /** Returns true if the rejected credentials can be a guess. */
    public static boolean isGuess(Refusal refusal) {
        int code = refusal.error().code();
        return code != ErrorCode.TOKEN_EXPIRED.code() && code != ErrorCode.TOKEN_REVOKED.code();
    }

    /**
     * Checks the budget before the hub verifies the signature of a token request.
     *
     * <p>A client can guess signatures as well as keys. The hub has already taken one token for the request itself.
     *
     * @param caller the proven credential of the request; null if the request has none
     */
    public void checkGuess(@Nullable Access caller, String address, long nowNanos) throws Refusal {
        if (caller == null) {
            checkGuesses(address, guess - 1, nowNanos);
            return;
        }
        TokenBucket bucket = budget(caller, nowNanos).requests;
        if (bucket.nanosUntil(guess - 1, nowNanos) > 0) {
            throw requestsTooFast(caller, bucket, nowNanos);
        }
    }

    /** Counts a rejected token request as a guess, because its signature can be a guess. */
    public void guessed(@Nullable Access caller, String address, long nowNanos) {
        Budget budget = caller == null ? addressed(address, nowNanos) : budget(caller, nowNanos);
        budget.requests.drain(guess - 1, nowNanos);
    }

    /**
     * Counts a request with valid credentials.
     *
     * @param publishes true if the request publishes; this method then counts the first message
     */
    public void named(Access access, String address, boolean publishes, long nowNanos) throws Refusal {
        Budget budget = proved(access, address, nowNanos);
        TokenBucket bucket = publishes ? budget.messages : budget.requests;
        if (!bucket.take(1, nowNanos)) {
            throw publishes ? publishesTooFast(access, 1, bucket, nowNanos) : requestsTooFast(access, bucket, nowNanos);
        }
    }

    /** Records the valid credentials of a request or a socket. This method takes no tokens from the budget. */
    Budget proved(Access access, String address, long nowNanos) throws Refusal {
        String name = access.caller();
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
     * Counts all messages of a request after the first message, or none of them. If the budget has too few tokens now,
     * this method also refunds the first message. A request with more messages than the maximum burst gets no refund.
     */
    public void publishes(Access access, int messages, long nowNanos) throws Refusal {
        if (messages >= rates.messagesAtOnce()) {
            throw new Refusal(
                    ErrorCode.BAD_REQUEST,
                    "the request publishes " + (messages + 1) + " messages, counted for each channel; at most "
                            + rates.messagesAtOnce() + " at once are allowed, so send them in several requests");
        }
        TokenBucket bucket = budget(access, nowNanos).messages;
        if (messages > 0 && !bucket.take(messages, nowNanos)) {
            // Refund the first message. Otherwise each rejected attempt would cost a token, and a client that retries
            // could never collect enough tokens.
            bucket.refund();
            throw publishesTooFast(access, messages + 1, bucket, nowNanos);
        }
    }

    /** Returns the number of stored callers and addresses. */
    int count() {
        return names.size() + addresses.size();
    }

    private void checkGuesses(String address, int price, long nowNanos) throws Refusal {
        Budget from = addresses.get(ClientNetwork.of(address));
        if (from != null && from.requests.nanosUntil(price, nowNanos) > 0) {
            throw tooMuchFrom(address, price, nowNanos);
        }
    }

    private Budget budget(Access access, long nowNanos) {
        return budgetOf(access.caller(), nowNanos);
    }

    private Budget budgetOf(String name, long nowNanos) {
        return names.computeIfAbsent(name, any -> new Budget(rates, nowNanos));
    }

    private Budget addressed(String address, long nowNanos) {
        return addresses.computeIfAbsent(ClientNetwork.of(address), any -> new Budget(rates, nowNanos));
    }

    private Refusal tooMuchFrom(String address, int tokens, long nowNanos) {
        return tooFast(
                "too many requests without valid credentials come from "
                        + ClientNetwork.shown(ClientNetwork.of(address))
                        + bound(rates.requestsPerSecond(), rates.requestsAtOnce(), "requests")
                        + ", of which wrong credentials, here or on a socket, count as " + guess,
                addressed(address, nowNanos).requests.nanosUntil(tokens, nowNanos));
    }

    private Refusal requestsTooFast(Access access, TokenBucket bucket, long nowNanos) {
        return tooFast(
                access.shownCaller() + " asks too fast"
                        + bound(rates.requestsPerSecond(), rates.requestsAtOnce(), "requests"),
                bucket.nanosUntil(1, nowNanos));
    }

    private Refusal publishesTooFast(Access access, int messages, TokenBucket bucket, long nowNanos) {
        return tooFast(
                access.shownCaller() + " publishes too fast"
                        + bound(rates.messagesPerSecond(), rates.messagesAtOnce(), "messages"),
                bucket.nanosUntil(messages, nowNanos));
    }

    private static String bound(int perSecond, int atOnce, String what) {
        return "; at most " + perSecond + " " + what + " a second, and " + atOnce + " at once, are allowed by HTTP";
    }

    private static Refusal tooFast(String sentence, long waitNanos) {
        long seconds = Math.max(1, (waitNanos + NANOS_PER_SECOND - 1) / NANOS_PER_SECOND);
        return new Refusal(
                ErrorCode.RATE_LIMITED.because(sentence + "; try again in " + seconds + " s"), (int) seconds);
    }
}
