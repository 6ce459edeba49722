package dev.doyen.hub.server.websocket;

import java.security.SecureRandom;
import java.util.Base64;

/**
 * Creates the random text that the hub receives with its inputs. The hub uses the text for keys and ids. One thread at
 * a time may call an instance.
 */
final class Entropy {

    private static final int BYTES = 18;

    private final SecureRandom random = new SecureRandom();

    /** Returns 144 random bits in the URL-safe base64 alphabet. */
    String next() {
        var bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
