package dev.doyen.examples.migrate.springintegration.both;

import dev.doyen.spring.LeaderElections;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;

/** Campaigns for the lease only while it holds the lock. */
final class LeadsWithLock extends DefaultCandidate {

    private final ObjectProvider<LeaderElections> elections;

    LeadsWithLock(String id, String role, ObjectProvider<LeaderElections> elections) {
        super(id, role);
        this.elections = elections;
    }

    @Override
    public void onGranted(Context context) {
        elections.getObject().join(getRole());
    }

    /** Leaves the election, and returns after the poller has stopped. */
    @Override
    public void onRevoked(Context context) {
        elections.getObject().leave(getRole());
    }
}
