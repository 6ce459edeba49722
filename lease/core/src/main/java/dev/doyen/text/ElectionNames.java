package dev.doyen.text;

/** Checks the names of elections and candidates, which appear in stores, logs and URLs. */
public final class ElectionNames {

    public static final int MAX_LENGTH = 255;

    private ElectionNames() {}

    /**
     * Returns {@code name} if it has 1 to {@value #MAX_LENGTH} characters and no control character.
     *
     * @param what the kind of the name; the message of the exception begins with it
     * @throws IllegalArgumentException if the name breaks this rule or contains an unpaired surrogate
     */
    public static String check(String what, String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException(what + " is empty; it needs 1 to " + MAX_LENGTH + " characters");
        }
        if (name.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(what + " has " + name.length() + " characters; at most " + MAX_LENGTH
                    + " are allowed: " + name.substring(0, 40) + "...");
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isISOControl(c) || (Character.isSurrogate(c) && !isPaired(name, i))) {
                throw new IllegalArgumentException(what + " has the character U+" + String.format("%04X", (int) c)
                        + " at index " + i + "; control characters and lone surrogates are not allowed");
            }
        }
        return name;
    }

    /**
     * Returns {@code name} if it is a valid election name, which does not begin with {@code ~}. Names with the prefix
     * {@code ~} belong to internal records of Doyen.
     *
     * @throws IllegalArgumentException if the name begins with {@code ~} or breaks the rule of {@link #check}
     */
    public static String checkElection(String name) {
        if (isInternal(name)) {
            throw new IllegalArgumentException("election name \"" + name
                    + "\" begins with ~, which is reserved for Doyen's own records; choose another name");
        }
        return check("election name", name);
    }

    /** Returns true if this is the name of an internal record of Doyen. */
    public static boolean isInternal(String name) {
        return name.startsWith("~");
    }

    /**
     * Returns {@code remark} if it is empty or follows the rule of {@link #check}.
     *
     * @throws IllegalArgumentException if the remark breaks this rule
     */
    public static String checkRemark(String what, String remark) {
        return remark.isEmpty() ? remark : check(what, remark);
    }

    private static boolean isPaired(String name, int i) {
        return Character.isHighSurrogate(name.charAt(i))
                ? i + 1 < name.length() && Character.isLowSurrogate(name.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(name.charAt(i - 1));
    }
}
