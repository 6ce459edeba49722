package dev.doyen.stores.kubernetes;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Elections' names as names of Lease objects. A name that Kubernetes takes (a DNS-1123 subdomain, RFC 1123 section 2.1) is
 * kept, so that {@code kubectl get lease orders} finds it and others' electors meet Doyen there; any other becomes
 * {@code doyen--}, what can be kept of it, and half of its SHA-256. The name itself stands in the record.
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

    /** True for what an object of Kubernetes may be called; such a name needs no escaping in a URL's path. */
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
