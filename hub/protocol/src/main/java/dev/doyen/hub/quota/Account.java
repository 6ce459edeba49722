package dev.doyen.hub.quota;

import dev.doyen.hub.ratelimit.TokenBucket;
import dev.doyen.hub.settings.Quota;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The resources that one key, client or address uses now. */
final class Account {

    /** The number of messages allowed at once, divided by the number allowed per second. */
    private static final int BURST_SECONDS = 5;

    final String key;
    /** The owner of the account in error texts, such as {@code the address 192.0.2.1}. */
    final String owner;

    final Quota quota;
    private final Map<Resource, Long> used = new EnumMap<>(Resource.class);
    private @Nullable TokenBucket messages;
    private @Nullable TokenBucket claims;

    Account(String key, String owner, Quota quota) {
        this.key = key;
        this.owner = owner;
        this.quota = quota;
    }

    boolean hasRoom(Resource resource, long more) {
        return used(resource) + more <= resource.limit(quota);
    }

    long used(Resource resource) {
        return used.getOrDefault(resource, 0L);
    }

    void add(Resource resource, long amount) {
        used.merge(resource, amount, Long::sum);
    }

    boolean isUnused() {
        return used.values().stream().allMatch(amount -> amount == 0);
    }

    TokenBucket messages(long nowNanos) {
        TokenBucket bucket = messages;
        if (bucket == null) {
            int perSecond = quota.messagesPerSecond();
            bucket = TokenBucket.perSecond(perSecond, perSecond * BURST_SECONDS, nowNanos);
            messages = bucket;
        }
        return bucket;
    }

    TokenBucket claims(long nowNanos) {
        TokenBucket bucket = claims;
        if (bucket == null) {
            bucket = TokenBucket.perMinute(quota.claimsPerMinute(), quota.claimsPerMinute(), nowNanos);
            claims = bucket;
        }
        return bucket;
    }
}
