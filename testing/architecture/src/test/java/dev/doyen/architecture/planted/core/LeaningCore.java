package dev.doyen.architecture.planted.core;

import org.assertj.core.api.Assertions;

/** A planted class of core that depends on a library. */
public final class LeaningCore {
    public void lean(String on) {
        Assertions.assertThat(on).isNotEmpty();
    }
}
