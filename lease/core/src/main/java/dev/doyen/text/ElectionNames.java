package dev.doyen.text;

/** Checks the names of elections and candidates, which appear in stores, logs and URLs. */
public final class ElectionNames {

    public static final int MAX_LENGTH = 255;

    private ElectionNames() {}

    /**
     * Returns {@code name} if it has 1 to {@value #MAX_LENGTH} characters, none of them a control character.
     *
     * @param what begins the message of the exception
     * @throws IllegalArgumentException if the name breaks this rule or contains a lone surrogate
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

    /** Checks an election's name, which must not begin with {@code ~}. Such names are Doyen's own records. */
    public static String checkElection(String name) {
        if (name.startsWith("~")) {
            throw new IllegalArgumentException("election name \"" + name
                    + "\" begins with ~, which is kept for Doyen's own records; choose another");
        }
        return check("election name", name);
    }

    /** Checks a text for people like a name, but allows an empty one. */
    public static String checkRemark(String what, String remark) {
        return remark.isEmpty() ? remark : check(what, remark);
    }

    private static boolean isPaired(String name, int i) {
        return Character.isHighSurrogate(name.charAt(i))
                ? i + 1 < name.length() && Character.isLowSurrogate(name.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(name.charAt(i - 1));
    }
}
