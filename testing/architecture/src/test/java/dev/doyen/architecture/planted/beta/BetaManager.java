package dev.doyen.architecture.planted.beta;

import dev.doyen.architecture.planted.alpha.Alpha;

/** The second half of a planted dependency cycle, with a forbidden name. */
public final class BetaManager {
    public Alpha alpha() {
        return new Alpha();
    }
}
