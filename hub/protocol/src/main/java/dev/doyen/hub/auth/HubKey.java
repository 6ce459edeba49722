package dev.doyen.hub.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * An API key {@code appId.keyId:secret} with its capability.
 *
 * <p>Instances are immutable. The secret appears in no error message and in no {@code toString}.
 */
public final class HubKey {

    /** The minimum length of a strong secret, in bytes. In base64url this length contains 128 random bits. */
    public static final int MIN_STRONG_SECRET = 22;

    private final String name;
    private final byte[] secret;
    private final Access access;

    private HubKey(String name, byte[] secret, Access access) {
        this.name = name;
        this.secret = secret;
        this.access = access;
    }

    /** Creates a key that allows everything. Throws {@link IllegalArgumentException} if the form is invalid. */
    public static HubKey of(String text) {
        int colon = text.indexOf(':');
        String name = colon < 0 ? "" : text.substring(0, colon);
        int dot = name.indexOf('.');
        if (dot < 1 || dot == name.length() - 1 || colon == text.length() - 1) {
            // The message omits the text, because the text is or resembles a secret.
            throw new IllegalArgumentException("an API key is not written appId.keyId:secret");
        }
        byte[] secret = text.substring(colon + 1).getBytes(StandardCharsets.UTF_8);
        return new HubKey(name, secret, Access.byKey(name, AppChannels.NONE, Capability.ALL));
    }

    /** Returns a copy of this key with the given capability. */
    public HubKey with(Capability allowed) {
        return new HubKey(name, secret, Access.byKey(name, access.app(), allowed));
    }

    /** Returns a copy of this key for the channels of its app only. */
    public HubKey inSandbox() {
        return new HubKey(name, secret, Access.byKey(name, appId(), capability()));
    }

    /** Returns {@code appId.keyId}. */
    public String name() {
        return name;
    }

    public String appId() {
        return name.substring(0, name.indexOf('.'));
    }

    public Capability capability() {
        return access.capability();
    }

    /** Returns the access that the key grants. */
    public Access access() {
        return access;
    }

    /** Returns true if the secret is long enough for a hub on a network. */
    public boolean hasStrongSecret() {
        return secret.length >= MIN_STRONG_SECRET;
    }

    /** Compares the given secret with the key's secret in constant time. */
    boolean hasSecret(byte[] given) {
        return MessageDigest.isEqual(secret, given);
    }

    /** Compares the secrets of two keys in constant time. */
    boolean hasSecretOf(HubKey other) {
        return hasSecret(other.secret);
    }

    /** Returns a copy of the secret for signing. */
    byte[] secret() {
        return Arrays.copyOf(secret, secret.length);
    }

    @Override
    public String toString() {
        return "HubKey[" + name + "]";
    }
}
