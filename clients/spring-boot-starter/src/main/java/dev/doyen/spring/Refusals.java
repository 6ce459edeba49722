package dev.doyen.spring;

import java.util.function.Supplier;

/** Says of a refusal of the elections underneath which key it is about. */
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
