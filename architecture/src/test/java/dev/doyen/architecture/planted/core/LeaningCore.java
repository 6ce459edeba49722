package dev.doyen.architecture.planted.core;

import org.assertj.core.api.Assertions;

/** A piece of core that leans on a library: planted. */
public final class LeaningCore {
    public void lean(String on) {
        Assertions.assertThat(on).isNotEmpty();
    }
}
