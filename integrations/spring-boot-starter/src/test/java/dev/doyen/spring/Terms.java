package dev.doyen.spring;

import dev.doyen.LeaseLeadership;
import dev.doyen.election.Leadership;

/** Returns the terms of leaderships. Tests use this class only for leaderships by lease or by an elector. */
final class Terms {

    private Terms() {}

    static long of(Leadership leadership) {
        return leadership instanceof ElectorLeadership elector
                ? elector.term().orElse(0)
                : ((LeaseLeadership) leadership).term();
    }
}
