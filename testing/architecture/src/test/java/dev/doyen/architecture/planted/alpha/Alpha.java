package dev.doyen.architecture.planted.alpha;

import dev.doyen.architecture.planted.beta.BetaManager;

/** The first half of a planted dependency cycle. */
public final class Alpha {
    public BetaManager beta() {
        return new BetaManager();
    }
}
