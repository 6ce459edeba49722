package dev.doyen.injector;

/** How the elector runs beside the application. */
public enum SidecarKind {
    /** An init container that is always restarted: starts before the application and ends after it (KEP-753). */
    NATIVE,
    /** One more container: all that Kubernetes below 1.29 has. */
    PLAIN;

    private static final int NATIVE_FROM_MINOR = 29;

    /** What a server of this version runs, as its {@code /version} says it; a vendor may add to the minor ({@code 29+}). */
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
