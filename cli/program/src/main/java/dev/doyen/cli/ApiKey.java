package dev.doyen.cli;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;

/** The hub's API key, written {@code appId.keyId:secret}. No message of this program contains the secret. */
record ApiKey(String text) {

    private static final Pattern SPELLING = Pattern.compile("[A-Za-z0-9_-]{1,64}\\.[A-Za-z0-9_-]{1,64}:[!-~]{1,128}");
    private static final int SECRET_BYTES = 24;

    ApiKey {
        if (!SPELLING.matcher(text).matches()) {
            throw new IllegalArgumentException("it is not written appId.keyId:secret, in letters, digits, - and _");
        }
    }

    /** Creates a key whose secret is random. */
    static ApiKey random(SecureRandom random) {
        var secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        return new ApiKey(
                "doyen.demo:" + Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
    }

    @Override
    public String toString() {
        return "ApiKey[" + text.substring(0, text.indexOf(':')) + "]";
    }
}
