package dev.doyen.hub;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The API keys a hub accepts, each written {@code appId.keyId:secret}.
 *
 * <p>Threads: immutable. Secrets appear in no message and in no {@code toString}.
 */
public final class HubKeys {

    private static final byte[] NO_SECRET = new byte[0];

    private final Map<String, byte[]> secretsByName;

    private HubKeys(Map<String, byte[]> secretsByName) {
        this.secretsByName = secretsByName;
    }

    /** Errors: {@link IllegalArgumentException} if there is no key, or one is not spelled like a key, or comes twice. */
    public static HubKeys of(Collection<String> keys) {
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("a hub needs at least one API key, written appId.keyId:secret");
        }
        var secrets = new LinkedHashMap<String, byte[]>();
        int position = 0;
        for (String key : keys) {
            position++;
            int colon = key.indexOf(':');
            String name = colon < 0 ? "" : key.substring(0, colon);
            int dot = name.indexOf('.');
            if (dot < 1 || dot == name.length() - 1 || colon == key.length() - 1) {
                // The key itself is not shown: it is, or is close to, a secret.
                throw new IllegalArgumentException("API key number " + position + " is not written appId.keyId:secret");
            }
            if (secrets.put(name, key.substring(colon + 1).getBytes(StandardCharsets.UTF_8)) != null) {
                throw new IllegalArgumentException("API key " + Quote.of(name) + " comes twice; keep one");
            }
        }
        return new HubKeys(secrets);
    }

    /** The name of the key, {@code appId.keyId}, if name and secret are right. The time taken does not tell which is not. */
    Optional<String> authenticate(String key) {
        int colon = key.indexOf(':');
        String name = colon < 0 ? key : key.substring(0, colon);
        byte[] given = key.substring(colon + 1).getBytes(StandardCharsets.UTF_8);
        byte[] known = secretsByName.get(name);
        boolean same = MessageDigest.isEqual(known == null ? NO_SECRET : known, given);
        return known != null && same && colon >= 0 ? Optional.of(name) : Optional.empty();
    }

    @Override
    public String toString() {
        return "HubKeys" + secretsByName.keySet();
    }
}
