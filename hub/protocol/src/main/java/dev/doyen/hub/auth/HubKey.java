package dev.doyen.hub.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * An API key {@code appId.keyId:secret} with its capability.
 *
 * <p>Threads: immutable. The secret appears in no message and in no {@code toString}.
 */
public final class HubKey {

    private final String name;
    private final byte[] secret;
    private final Access access;

    private HubKey(String name, byte[] secret, Capability capability) {
        this.name = name;
        this.secret = secret;
        this.access = Access.byKey(name, capability);
    }

    /** Creates a key that allows everything. Errors: {@link IllegalArgumentException} for an invalid form. */
    public static HubKey of(String text) {
        int colon = text.indexOf(':');
        String name = colon < 0 ? "" : text.substring(0, colon);
        int dot = name.indexOf('.');
        if (dot < 1 || dot == name.length() - 1 || colon == text.length() - 1) {
            // The text is not shown, because it is or resembles a secret.
            throw new IllegalArgumentException("an API key is not written appId.keyId:secret");
        }
        return new HubKey(name, text.substring(colon + 1).getBytes(StandardCharsets.UTF_8), Capability.ALL);
    }

    /** Returns the same key with this capability only. */
    public HubKey with(Capability allowed) {
        return new HubKey(name, secret, allowed);
    }

    /** {@code appId.keyId}. */
    public String name() {
        return name;
    }

    public String appId() {
        return name.substring(0, name.indexOf('.'));
    }

    public Capability capability() {
        return access.capability();
    }

    /** The access that the key grants. */
    public Access access() {
        return access;
    }

    /** Compares in constant time. */
    boolean hasSecret(byte[] given) {
        return MessageDigest.isEqual(secret, given);
    }

    /** Returns a copy, for signing. */
    byte[] secret() {
        return Arrays.copyOf(secret, secret.length);
    }

    @Override
    public String toString() {
        return "HubKey[" + name + "]";
    }
}
