package dev.doyen.spring;

import java.util.function.Supplier;

/** Adds the name of the setting to an exception of the underlying elections. */
final class Refusals {

    private Refusals() {}

    static <T> T under(String key, Supplier<T> check) {
        try {
            return check.get();
        } catch (DoyenRefusedException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new DoyenRefusedException(key + ": " + e.getMessage(), e);
        }
    }
}
