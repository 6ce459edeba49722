package dev.doyen.architecture.planted.beta;

import dev.doyen.architecture.planted.alpha.Alpha;

/** The other half of a planted cycle, under a name that says nothing. */
public final class BetaManager {
    public Alpha alpha() {
        return new Alpha();
    }
}
