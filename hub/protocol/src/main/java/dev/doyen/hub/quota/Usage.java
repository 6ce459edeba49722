package dev.doyen.hub.quota;

import dev.doyen.hub.ratelimit.TokenBucket;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Refusal;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The resources that one connection or request uses, counted in its accounts.
 *
 * <p>A client with a token uses the accounts of the token's key, of the client and of the client's address. A client
 * with a key uses only the account of the key.
 *
 * <p>Instances that belong to the same {@link Accounts} share state. Only one thread at a time may use these
 * instances.
 */
public final class Usage {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** The usage of connections at other nodes and of sandbox apps. No account counts this usage. */
    public static final Usage UNCOUNTED = new Usage(new Accounts(), "", List.of());

    private final Accounts table;
    String address;
    private List<Account> accounts;
    private final Map<Resource, Long> used = new EnumMap<>(Resource.class);

    Usage(Accounts table, String address, List<Account> accounts) {
        this.table = table;
        this.address = address;
        this.accounts = accounts;
    }

    /**
     * Rejects a use that would exceed a quota.
     *
     * @param more the additional amount; the call changes no account
     */
    public void check(Resource resource, long more) throws Refusal {
        for (Account account : accounts) {
            if (!account.hasRoom(resource, more)) {
                throw new Refusal(
                        ErrorCode.QUOTA_EXCEEDED,
                        account.owner + " uses " + account.used(resource) + " " + resource + ", and " + more
                                + " more would exceed its quota of " + resource.limit(account.quota)
                                + "; release some, or ask the operator of the hub for a higher quota");
            }
        }
    }

    /**
     * Returns true if both usages count in the same exhausted account. An account is exhausted if it has no room for
     * one more of this resource.
     */
    public boolean isExhaustedTogetherWith(Usage other, Resource resource) {
        for (Account account : accounts) {
            if (!account.hasRoom(resource, 1) && other.accounts.contains(account)) {
                return true;
            }
        }
        return false;
    }

    /** Counts a use. A negative amount ends an earlier use. */
    public void add(Resource resource, long amount) {
        if (amount == 0 || accounts.isEmpty()) {
            return;
        }
        used.merge(resource, amount, Long::sum);
        for (Account account : accounts) {
            account.add(resource, amount);
            table.settle(account);
        }
    }

    /** Counts messages for the rate limits, or rejects all of them. */
    public void takeMessages(int messages, long nowNanos) throws Refusal {
        take(
                messages,
                nowNanos,
                account -> account.messages(nowNanos),
                account -> "sends too many messages; at most " + account.quota.messagesPerSecond()
                        + " messages a second are allowed");
    }

    /** Counts a claim for the rate limits, or rejects it. */
    public void takeClaim(long nowNanos) throws Refusal {
        take(
                1,
                nowNanos,
                account -> account.claims(nowNanos),
                account -> "claims too often; at most " + account.quota.claimsPerMinute()
                        + " claims a minute are allowed");
    }

    private void take(
            int tokens, long nowNanos, Function<Account, TokenBucket> bucketOf, Function<Account, String> what)
            throws Refusal {
        for (Account account : accounts) {
            long wait = bucketOf.apply(account).nanosUntil(tokens, nowNanos);
            if (wait > 0) {
                long seconds = (wait + NANOS_PER_SECOND - 1) / NANOS_PER_SECOND;
                throw new Refusal(
                        ErrorCode.RATE_LIMITED.because(
                                account.owner + " " + what.apply(account) + "; try again in " + seconds + " s"),
                        (int) seconds);
            }
        }
        for (Account account : accounts) {
            bucketOf.apply(account).take(tokens, nowNanos);
        }
    }

    /**
     * Moves this usage to the accounts of another usage. The method rejects nothing, even if a quota is then exceeded.
     */
    public void moveTo(Usage other) {
        List<Account> next = other.accounts;
        address = other.address;
        used.forEach((resource, amount) -> {
            accounts.forEach(account -> account.add(resource, -amount));
            next.forEach(account -> account.add(resource, amount));
        });
        accounts.forEach(table::settle);
        accounts = next;
        accounts.forEach(table::settle);
    }
}
