package dev.doyen.hub.auth;

import dev.doyen.hub.wire.Quote;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The API keys that a hub accepts.
 *
 * <p>Instances are immutable. Secrets appear in no error message and in no {@code toString}.
 */
public final class HubKeys {

    private static final byte[] NO_SECRET = new byte[0];

    private final Map<String, HubKey> byName;

    private HubKeys(Map<String, HubKey> byName) {
        this.byName = byName;
    }

    /**
     * Creates keys that allow everything, each from {@code appId.keyId:secret}.
     *
     * <p>Throws {@link IllegalArgumentException} in the same cases as {@link #ofKeys}, and if the form of a text is
     * invalid.
     */
    public static HubKeys of(Collection<String> texts) {
        var keys = new ArrayList<HubKey>();
        for (String text : texts) {
            try {
                keys.add(HubKey.of(text));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "API key number " + (keys.size() + 1) + " is not written appId.keyId:secret", e);
            }
        }
        return ofKeys(keys);
    }

    /**
     * Creates the keys of a hub.
     *
     * <p>Throws {@link IllegalArgumentException} if the list is empty, repeats a name, or contains keys of several
     * apps. The channels of a hub belong to one app, so a key of another app would also give access to these channels.
     */
    public static HubKeys ofKeys(List<HubKey> keys) {
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("a hub needs at least one API key, written appId.keyId:secret");
        }
        var byName = new LinkedHashMap<String, HubKey>();
        for (HubKey key : keys) {
            if (!key.appId().equals(keys.get(0).appId())) {
                throw new IllegalArgumentException(
                        "API keys " + Quote.of(keys.get(0).name()) + " and " + Quote.of(key.name())
                                + " belong to two apps, but a hub serves one; give both the same appId");
            }
            if (byName.put(key.name(), key) != null) {
                throw new IllegalArgumentException("API key " + Quote.of(key.name()) + " occurs twice; remove one");
            }
        }
        return new HubKeys(byName);
    }

    /**
     * Returns the change from these keys to {@code next}. The change affects only clients whose key is one of these
     * keys.
     */
    KeyChange to(HubKeys next) {
        return former -> {
            HubKey before = byName.get(former.keyName());
            HubKey after = next.byName.get(former.keyName());
            if (before == null) {
                return Optional.of(former);
            }
            if (after == null || !after.hasSecretOf(before)) {
                return Optional.empty();
            }
            return Optional.of(after.capability().equals(before.capability()) ? former : former.limitedBy(after));
        };
    }

    Optional<HubKey> find(@Nullable String name) {
        return Optional.ofNullable(name == null ? null : byName.get(name));
    }

    /**
     * Returns the key if name and secret are correct. The running time does not reveal whether the name or the secret
     * is wrong.
     */
    Optional<HubKey> authenticate(String text) {
        int colon = text.indexOf(':');
        HubKey known = byName.get(colon < 0 ? text : text.substring(0, colon));
        byte[] given = text.substring(colon + 1).getBytes(StandardCharsets.UTF_8);
        boolean same = known == null ? MessageDigest.isEqual(NO_SECRET, given) : known.hasSecret(given);
        return known != null && same && colon >= 0 ? Optional.of(known) : Optional.empty();
    }

    @Override
    public String toString() {
        return "HubKeys" + byName.keySet();
    }
}
