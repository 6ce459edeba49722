package dev.doyen.examples.migrate.springintegration.both;

import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.LeaderEventPublisher;

/** To have the lock is not to lead; the events come from the lease. */
final class NoEvents implements LeaderEventPublisher {

    @Override
    public void publishOnGranted(Object source, Context context, String role) {}

    @Override
    public void publishOnRevoked(Object source, Context context, String role) {}

    @Override
    public void publishOnFailedToAcquire(Object source, Context context, String role) {}
}
