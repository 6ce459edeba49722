package dev.doyen.elector;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * The key with which a client sends admin commands and opens the console.
 *
 * <p>If the user has chosen no key, a program creates a random key at each start and prints it. A hub that other
 * machines can reach creates no key. A client sends the key as {@code Authorization: Bearer KEY}. The page of the
 * console sends the key in Base64.
 *
 * <p>Threads: any.
 */
public final class AdminKey implements Admins {

    /** The minimum length of a key. 22 characters of base64url contain 128 random bits. */
    public static final int MIN_LENGTH = 22;

    /** The maximum length of a key. */
    public static final int MAX_LENGTH = 200;

    private static final AdminCheck ACCEPTED = AdminCheck.accepted("the admin key");
    private static final String BEARER = "Bearer ";
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9_.~-]+");

    private final String text;

    private AdminKey(String text) {
        this.text = text;
    }

    /**
     * Returns the key with this text.
     *
     * @throws IllegalArgumentException if the key is too short, too long, or contains other characters than letters,
     *     digits and {@code - _ . ~}. The message does not contain the key
     */
    public static AdminKey of(String text) {
        if (text.length() < MIN_LENGTH || text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("the admin key has " + text.length() + " characters; it needs "
                    + MIN_LENGTH + " to " + MAX_LENGTH + ", such as the output of: openssl rand -hex 16");
        }
        if (!ALLOWED.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "the admin key contains a character that is not allowed; use letters, digits and - _ . ~");
        }
        return new AdminKey(text);
    }

    /** Returns the key. The caller prints the key to the user who started the program, and nowhere else. */
    public String text() {
        return text;
    }

    /** Returns true if this {@code Authorization} header contains the key. The comparison takes constant time. */
    public boolean isIn(String authorization) {
        if (!authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return false;
        }
        String sent = authorization.substring(BEARER.length()).strip();
        return isSame(sent.getBytes(StandardCharsets.UTF_8)) || isSame(decoded(sent));
    }

    @Override
    public boolean acceptsForAll(String authorization) {
        return isIn(authorization);
    }

    @Override
    public AdminCheck check(String authorization, String address, String election) {
        return isIn(authorization)
                ? ACCEPTED
                : AdminCheck.rejected("the admin key is wrong; send the key that the program printed when it started"
                        + " (or DOYEN_ADMIN_KEY, if it is set) as Authorization: Bearer KEY");
    }

    /** Returns a rule that accepts this key, and everything that the other rule accepts. */
    public Admins or(Admins other) {
        return new Admins() {
            @Override
            public boolean acceptsForAll(String authorization) {
                return isIn(authorization) || other.acceptsForAll(authorization);
            }

            @Override
            public AdminCheck check(String authorization, String address, String election) {
                return isIn(authorization) ? ACCEPTED : other.check(authorization, address, election);
            }
        };
    }

    private boolean isSame(byte[] sent) {
        return MessageDigest.isEqual(sent, text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] decoded(String sent) {
        try {
            return Base64.getDecoder().decode(sent);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    /** Returns a text without the key. */
    @Override
    public String toString() {
        return "AdminKey";
    }
}
