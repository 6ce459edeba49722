package dev.doyen.hub.settings;

/**
 * The quotas of keys, clients and addresses.
 *
 * <p>A connection with a token counts for the key that signed the token, for the token's client, and for the client's
 * address. A connection with a key counts only for the key. The quota of a client would not limit the owner of a key,
 * because the owner can issue tokens for any number of client ids.
 *
 * @param key the quota of each key, together with the tokens that it has signed
 * @param client the quota of each client id under one key; each token without a client id counts as a separate client
 * @param address the quota of each IPv4 address, and of each IPv6 network of 64 bits
 */
public record Quotas(Quota key, Quota client, Quota address) {

    /**
     * The default quotas. They far exceed the needs of a person with many open pages, and of an office behind one
     * address.
     */
    public static final Quotas DEFAULT = new Quotas(
            Quota.UNLIMITED,
            new Quota(100, 200, 100, 240, 4_194_304, 250),
            new Quota(2_000, 4_000, 2_000, 4_800, 33_554_432, 5_000));

    public Quotas withKey(Quota value) {
        return new Quotas(value, client, address);
    }

    public Quotas withClient(Quota value) {
        return new Quotas(key, value, address);
    }

    public Quotas withAddress(Quota value) {
        return new Quotas(key, client, value);
    }

    void check() {
        key.check(" of a key");
        client.check(" of a client");
        address.check(" of an address");
    }
}
