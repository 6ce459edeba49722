package dev.doyen.stores.kubernetes;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Converts names of elections to names of Lease objects.
 *
 * <p>A name that Kubernetes accepts (a DNS-1123 subdomain, RFC 1123 section 2.1) is not changed, unless the name begins
 * with {@code doyen--}. So {@code kubectl get lease orders} finds the Lease of the election "orders", and other
 * electors can share this Lease. Any other name is replaced by a text of three parts: {@code doyen--}, the beginning of
 * the name, and half of the name's SHA-256. In the second part, upper-case letters become lower-case letters, and each
 * sequence of characters other than a to z and 0 to 9 becomes one hyphen. The record in the Lease contains the original
 * name.
 */
final class LeaseObjectNames {

    private static final String ENCODED = "doyen--";
    private static final int MAX_LENGTH = 253;
    private static final int KEPT = 40;
    private static final int HASH_BYTES = 16;
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private LeaseObjectNames() {}

    static String of(String election) {
        if (isObjectName(election) && !election.startsWith(ENCODED)) {
            return election;
        }
        String kept =
                election.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        return ENCODED
                + (kept.isEmpty() ? "" : kept.substring(0, Math.min(KEPT, kept.length())) + "-")
                + hash(election);
    }

    /** Returns true if Kubernetes accepts the name. Such a name needs no escaping in the path of a URL. */
    static boolean isObjectName(String name) {
        return name.length() <= MAX_LENGTH && SUBDOMAIN.matcher(name).matches();
    }

    private static String hash(String election) {
        try {
            byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(election.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sha256, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
