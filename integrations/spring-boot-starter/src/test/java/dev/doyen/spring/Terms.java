package dev.doyen.spring;

import dev.doyen.LeaseLeadership;
import dev.doyen.election.Leadership;

/** Reads the term of a leadership that tests know to be by lease or an elector's. */
final class Terms {

    private Terms() {}

    static long of(Leadership leadership) {
        return leadership instanceof ElectorLeadership elector
                ? elector.term().orElse(0)
                : ((LeaseLeadership) leadership).term();
    }
}
