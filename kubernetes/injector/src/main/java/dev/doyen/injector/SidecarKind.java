package dev.doyen.injector;

/** The kind of container in which the elector runs beside the application. */
public enum SidecarKind {
    /**
     * An init container that always restarts (KEP-753). The container starts before the application and ends after the
     * application.
     */
    NATIVE,
    /** An additional container, for Kubernetes below 1.29. */
    PLAIN;

    private static final int NATIVE_FROM_MINOR = 29;

    /**
     * Returns the best kind for a server version, as reported at {@code /version}.
     *
     * @param minor the minor version. Some vendors append text to the number, as in {@code 29+}
     * @throws IllegalArgumentException if {@code major} does not start with a number of 1 to 6 digits, or if {@code
     *     major} is 1 and {@code minor} does not start with such a number
     */
    public static SidecarKind of(String major, String minor) {
        int majorNumber = leadingNumber("major", major);
        boolean isNative = majorNumber > 1 || (majorNumber == 1 && leadingNumber("minor", minor) >= NATIVE_FROM_MINOR);
        return isNative ? NATIVE : PLAIN;
    }

    private static int leadingNumber(String what, String text) {
        var digits = text.replaceFirst("[^0-9].*", "");
        if (digits.isEmpty() || digits.length() > 6) {
            throw new IllegalArgumentException(
                    "the Kubernetes server's " + what + " version is \"" + text + "\", which begins with no number");
        }
        return Integer.parseInt(digits);
    }
}
