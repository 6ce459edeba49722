package dev.doyen.architecture.planted.core;

import org.assertj.core.api.Assertions;

/** A planted class that counts as a class of the core, and depends on a library. */
public final class LeaningCore {
    public void lean(String on) {
        Assertions.assertThat(on).isNotEmpty();
    }
}
