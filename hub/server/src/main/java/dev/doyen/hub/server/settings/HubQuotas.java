package dev.doyen.hub.server.settings;

import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.settings.Quota;
import dev.doyen.hub.settings.Quotas;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/** The quotas that a settings file can change. Keys, clients and addresses have the same six limits. */
public final class HubQuotas {

    static final HubQuotas NONE = new HubQuotas(List.of());

    private static final Map<String, Owner> OWNERS = owners();
    private static final Map<String, Limit> LIMITS = limits();

    /** The functions that read and replace the quota of one kind of owner. */
    private record Owner(Function<Quotas, Quota> get, BiFunction<Quotas, Quota, Quotas> with) {}

    /** The functions that read and replace one limit of a quota. */
    private record Limit(long most, ToLongFunction<Quota> get, BiFunction<Quota, Long, Quota> with) {}

    private final List<UnaryOperator<Quotas>> changes;

    private HubQuotas(List<UnaryOperator<Quotas>> changes) {
        this.changes = changes;
    }

    static HubQuotas of(Entry entry) throws SettingsException {
        var changes = new ArrayList<UnaryOperator<Quotas>>();
        for (var field : entry.fields(OWNERS.keySet()).entrySet()) {
            Owner owner = known(OWNERS, field.getKey());
            for (var each : field.getValue().fields(LIMITS.keySet()).entrySet()) {
                Limit limit = known(LIMITS, each.getKey());
                long value = each.getValue().number(1, limit.most());
                changes.add(quotas -> owner.with()
                        .apply(quotas, limit.with().apply(owner.get().apply(quotas), value)));
            }
        }
        return new HubQuotas(changes);
    }

    /** Copies the quotas of the file to the builder. */
    void applyTo(HubSettings.Builder builder) {
        changes.forEach(builder::quotas);
    }

    /** Returns all quotas as the settings file shows them: for each owner, the value of each limit. */
    static Map<String, Map<String, Long>> shown(HubSettings settings) {
        var shown = new LinkedHashMap<String, Map<String, Long>>();
        OWNERS.forEach((name, owner) -> {
            var quota = new LinkedHashMap<String, Long>();
            LIMITS.forEach((limit, each) ->
                    quota.put(limit, each.get().applyAsLong(owner.get().apply(settings.quotas()))));
            shown.put(name, quota);
        });
        return shown;
    }

    private static <T> T known(Map<String, T> all, String name) {
        T found = all.get(name);
        if (found == null) {
            throw new IllegalStateException("no part of a quota is named " + name);
        }
        return found;
    }

    private static Map<String, Owner> owners() {
        var owners = new LinkedHashMap<String, Owner>();
        owners.put("key", new Owner(Quotas::key, Quotas::withKey));
        owners.put("client", new Owner(Quotas::client, Quotas::withClient));
        owners.put("address", new Owner(Quotas::address, Quotas::withAddress));
        return owners;
    }

    private static Map<String, Limit> limits() {
        var limits = new LinkedHashMap<String, Limit>();
        limits.put("connections", count(Quota::connections, Quota::withConnections));
        limits.put("channels", count(Quota::channels, Quota::withChannels));
        limits.put("claims", count(Quota::claims, Quota::withClaims));
        limits.put("claims-per-minute", count(Quota::claimsPerMinute, Quota::withClaimsPerMinute));
        limits.put("presence-bytes", new Limit(Quota.MAX_BYTES, Quota::presenceBytes, Quota::withPresenceBytes));
        limits.put("messages-per-second", count(Quota::messagesPerSecond, Quota::withMessagesPerSecond));
        return limits;
    }

    private static Limit count(ToLongFunction<Quota> get, BiFunction<Quota, Integer, Quota> with) {
        return new Limit(Quota.MAX, get, (quota, value) -> with.apply(quota, Math.toIntExact(value)));
    }
}
