package dev.doyen.hub.quota;

import dev.doyen.hub.settings.Quota;

/** A resource of which each key, client and address may use a limited amount. */
public enum Resource {
    CONNECTIONS("connections"),
    CHANNELS("channels"),
    CLAIMS("claims"),
    PRESENCE_BYTES("bytes of presence");

    private final String shown;

    Resource(String shown) {
        this.shown = shown;
    }

    long limit(Quota quota) {
        return switch (this) {
            case CONNECTIONS -> quota.connections();
            case CHANNELS -> quota.channels();
            case CLAIMS -> quota.claims();
            case PRESENCE_BYTES -> quota.presenceBytes();
        };
    }

    /** Returns the unit in error texts. */
    @Override
    public String toString() {
        return shown;
    }
}
