package dev.doyen.hub.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * An API key, written {@code appId.keyId:secret}, and what it allows.
 *
 * <p>Threads: immutable. Its secret is in no message and in no {@code toString}.
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

    /** A key that allows everything. Errors: {@link IllegalArgumentException} if it is not spelled like a key. */
    public static HubKey of(String text) {
        int colon = text.indexOf(':');
        String name = colon < 0 ? "" : text.substring(0, colon);
        int dot = name.indexOf('.');
        if (dot < 1 || dot == name.length() - 1 || colon == text.length() - 1) {
            // The key itself is not shown: it is, or is close to, a secret.
            throw new IllegalArgumentException("an API key is not written appId.keyId:secret");
        }
        return new HubKey(name, text.substring(colon + 1).getBytes(StandardCharsets.UTF_8), Capability.ALL);
    }

    /** The same key, allowed only this. */
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

    /** What its owner has proved. */
    public Access access() {
        return access;
    }

    /** The time taken does not tell where they differ. */
    boolean hasSecret(byte[] given) {
        return MessageDigest.isEqual(secret, given);
    }

    /** A copy, for whoever signs. */
    byte[] secret() {
        return Arrays.copyOf(secret, secret.length);
    }

    @Override
    public String toString() {
        return "HubKey[" + name + "]";
    }
}
