package dev.doyen;

import dev.doyen.driver.LoopContext;
import dev.doyen.text.ElectionNames;

/** Settings of an election that {@link Election#lease} prepares. */
public final class LeaseElectionBuilder extends LeaseSettings<LeaseElectionBuilder> {

    private final String name;

    LeaseElectionBuilder(String name) {
        this.name = ElectionNames.checkElection(name);
    }

    /**
     * Opens the election.
     *
     * @throws IllegalArgumentException if no store is set, if the URL of the store is invalid, or if fencing is
     *     required and the store does not promise durable terms
     * @throws dev.doyen.store.StoreUnavailableException if the store cannot be used
     * @throws IllegalStateException if the JVM is shutting down, unless {@link #closeOnShutdown} is set to false
     */
    public Election open() {
        return open("election \"" + name + "\"", opened -> {
            var context = LoopContext.renewing(opened.threads(), opened.store(), opened.timing(), opened.seeds());
            return new LeaseElection(name, context, opened.candidature(), opened::closeAfter);
        });
    }

    @Override
    LeaseElectionBuilder self() {
        return this;
    }
}
