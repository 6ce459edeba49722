package dev.doyen.hub;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How fast those may ask who have no connection: whoever asks by HTTP has a budget of messages to publish, and one of
 * other requests. What is proved elsewhere costs nothing, but guesses of credentials count wherever they are made.
 *
 * <p>Who has proved a key or token is known by that, wherever it asks from: a key by its name, a token by its key and client
 * id, and one without a client id of its own by all that it says, so that writing it differently makes nobody new. Requests
 * without credentials, and those whose credentials are no good, count for the address they came from; a guess counts as
 * {@value #GUESS} requests. What was good once, a token that expired or was revoked, is no guess.
 *
 * <p>To limit guesses the hub must not tell a right one from a wrong one: while an address has no budget left for a guess,
 * credentials that were not seen to be good from there before are refused, be they good or not. Those seen there before go on:
 * who guesses takes nothing from them, be it behind the same proxy.
 *
 * <p>There is room for a number of names, and apart from it for as many addresses, so that addresses, which cost least, push
 * out no names. When it is used up whoever has asked for the longest time least is forgotten, and begins with a whole budget
 * when it asks again: it is done no harm by those who come under ever new names. They gain nothing either: each new name had a
 * whole budget already, and one that goes on asking is never the longest silent, so its debt stays.
 *
 * <p>Threads: one at a time, as all of the hub. Units: nanoseconds of any clock that only goes forward.
 */
final class Callers {

    /** What a guess costs, in requests. */
    static final int GUESS = 10;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** From how many addresses a name is remembered to have been good. */
    private static final int MAX_ADDRESSES = 8;

    private final RestRates rates;
    private final int guess;
    private final Map<String, Budget> names;
    private final Map<String, Budget> addresses;

    /** What one may still do. */
    static final class Budget {
        final TokenBucket messages;
        final TokenBucket requests;
        final Set<String> seenFrom = new LinkedHashSet<>();

        Budget(RestRates rates, long nowNanos) {
            messages = new TokenBucket(rates.messagesPerSecond(), rates.messagesAtOnce(), nowNanos);
            requests = new TokenBucket(rates.requestsPerSecond(), rates.requestsAtOnce(), nowNanos);
        }
    }

    /** Least lately used first: the first to go. */
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

    Callers(RestRates rates) {
        this.rates = rates;
        this.guess = Math.min(GUESS, rates.requestsAtOnce());
        this.names = new Book(rates.maxCallers());
        this.addresses = new Book(rates.maxCallers());
    }

    /** Somebody asks who shows no credentials. */
    void unnamed(String address, long nowNanos) throws Refusal {
        if (!addressed(address, nowNanos).requests.take(1, nowNanos)) {
            throw tooMuchFrom(address, 1, nowNanos);
        }
    }

    /** Somebody asks whose credentials are no good. */
    void misnamed(String address, long nowNanos) throws Refusal {
        if (!addressed(address, nowNanos).requests.take(guess, nowNanos)) {
            throw tooMuchFrom(address, guess, nowNanos);
        }
    }

    /** Whether this refuses what may have been a guess. */
    static boolean isGuess(Refusal refusal) {
        int code = refusal.error().code();
        return code != ErrorCode.TOKEN_EXPIRED.code() && code != ErrorCode.TOKEN_REVOKED.code();
    }

    /**
     * A request that has been counted brings a signature, which could be a guess as well.
     *
     * @param asker what it has proved; null if nothing
     */
    void checkGuess(@Nullable Access asker, String address, long nowNanos) throws Refusal {
        if (asker == null) {
            checkGuesses(address, guess - 1, nowNanos);
            return;
        }
        TokenBucket bucket = budget(asker, nowNanos).requests;
        if (bucket.nanosUntil(guess - 1, nowNanos) > 0) {
            throw asksTooFast(asker, bucket, nowNanos);
        }
    }

    /** It was no good. */
    void guessed(@Nullable Access asker, String address, long nowNanos) {
        Budget budget = asker == null ? addressed(address, nowNanos) : budget(asker, nowNanos);
        budget.requests.drain(guess - 1, nowNanos);
    }

    /**
     * Somebody asks who has proved this.
     *
     * @param publishes whether to publish; then this is the first of the messages
     */
    void named(Access access, String address, boolean publishes, long nowNanos) throws Refusal {
        Budget budget = proved(access, address, nowNanos);
        TokenBucket bucket = publishes ? budget.messages : budget.requests;
        if (!bucket.take(1, nowNanos)) {
            throw publishes ? publishesTooFast(access, 1, bucket, nowNanos) : asksTooFast(access, bucket, nowNanos);
        }
    }

    /** Somebody has proved this, in a request or elsewhere; that alone costs nothing. */
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

    /** It is about to publish so many messages more, all or none; if none, the first one does not count either. */
    void publishes(Access access, int messages, long nowNanos) throws Refusal {
        if (messages >= rates.messagesAtOnce()) {
            throw new Refusal(
                    ErrorCode.BAD_REQUEST,
                    "the request publishes " + (messages + 1) + " messages, each channel's counted; at most "
                            + rates.messagesAtOnce() + " at once are taken, so send them in several requests");
        }
        TokenBucket bucket = budget(access, nowNanos).messages;
        if (messages > 0 && !bucket.take(messages, nowNanos)) {
            // Or who tries again and again would use up what it waits for.
            bucket.giveBack();
            throw publishesTooFast(access, messages + 1, bucket, nowNanos);
        }
    }

    /** How many are remembered. */
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

    /** Whose token it is; null if it is not one client's. */
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
