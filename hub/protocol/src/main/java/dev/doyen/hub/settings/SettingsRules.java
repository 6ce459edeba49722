package dev.doyen.hub.settings;

import java.time.Duration;

/** Checks {@link HubSettings} and creates an error text for each failed check. */
final class SettingsRules {

    private SettingsRules() {}

    /** A named setting. Error texts contain {@code shown}, and the checks compare {@code value}. */
    record Amount(String name, String shown, long value) {}

    static Amount amount(String name, Duration value) {
        return new Amount(name, value.toString(), value.compareTo(Duration.ZERO));
    }

    static Amount amount(String name, long value) {
        return new Amount(name, Long.toString(value), value);
    }

    static void positive(Amount... amounts) {
        for (Amount amount : amounts) {
            if (amount.value() <= 0) {
                throw new IllegalArgumentException(
                        amount.name() + " (" + amount.shown() + ") must be positive; raise it");
            }
        }
    }

    static void atLeast(String name, Duration value, String floorName, Duration floor) {
        if (value.compareTo(floor) < 0) {
            throw tooLow(name, value.toString(), floorName, floor.toString());
        }
    }

    static void atLeast(String name, long value, String floorName, long floor) {
        if (value < floor) {
            throw tooLow(name, Long.toString(value), floorName, Long.toString(floor));
        }
    }

    private static IllegalArgumentException tooLow(String name, String value, String floorName, String floor) {
        return new IllegalArgumentException(name + " (" + value + ") must not be less than " + floorName + " (" + floor
                + "); raise the one or lower the other");
    }
}
