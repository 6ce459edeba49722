package dev.doyen.cli;

import dev.doyen.elector.AdminAccess;
import dev.doyen.elector.AdminKey;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;

/** Reads the admin key from the environment, or creates a key for this run. */
final class AdminKeyOption {

    private static final System.Logger LOG = System.getLogger("dev.doyen");
    /** The number of random bytes in a key: 128 bits. */
    private static final int RANDOM_BYTES = 16;

    static final String VARIABLE = "DOYEN_ADMIN_KEY";

    private AdminKeyOption() {}

    /** Returns true if the user has chosen the admin key. */
    static boolean isSet(Map<String, String> environment) {
        return !environment.getOrDefault(VARIABLE, "").isEmpty();
    }

    /**
     * Returns the chosen key, or a random key if the user has chosen none.
     *
     * @throws IllegalArgumentException if the chosen key is not allowed
     */
    static AdminKey of(Map<String, String> environment) {
        String chosen = environment.getOrDefault(VARIABLE, "");
        if (chosen.isEmpty()) {
            var bytes = new byte[RANDOM_BYTES];
            new SecureRandom().nextBytes(bytes);
            return AdminKey.of(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
        }
        try {
            return AdminKey.of(chosen);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(VARIABLE + " cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * Logs the random key of this run. The method logs nothing if the user has chosen the key, or if admin commands
     * need no key.
     *
     * @param root the root URL of the elector API
     * @param hasConsole true if the program has a console at {@code root}
     */
    static void log(
            Map<String, String> environment, AdminAccess access, AdminKey key, String root, boolean hasConsole) {
        if (access.needsKey() && !isSet(environment)) {
            String sentence = hasConsole
                    ? "the console is at " + console(root, key, environment)
                            + "; it and admin commands need this admin key"
                    : "admin commands at " + root + "v1 need the admin key " + key.text() + " as Authorization: Bearer";
            LOG.log(
                    System.Logger.Level.INFO,
                    sentence + "; it is valid until this process ends, unless you set " + VARIABLE);
        }
    }

    /** Returns the address of the console. If the key is random, the address contains it in the fragment. */
    static String console(String root, AdminKey key, Map<String, String> environment) {
        return root + "console/" + fragment(key, environment);
    }

    /** Returns the URL fragment with the random key; empty for a chosen key. */
    static String fragment(AdminKey key, Map<String, String> environment) {
        return isSet(environment) ? "" : "#key=" + key.text();
    }
}
