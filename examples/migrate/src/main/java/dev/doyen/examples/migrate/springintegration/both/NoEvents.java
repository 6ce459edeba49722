package dev.doyen.examples.migrate.springintegration.both;

import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.LeaderEventPublisher;

/** Publishes nothing, because the holder of the lock does not lead yet. Doyen publishes the events. */
final class NoEvents implements LeaderEventPublisher {

    @Override
    public void publishOnGranted(Object source, Context context, String role) {}

    @Override
    public void publishOnRevoked(Object source, Context context, String role) {}

    @Override
    public void publishOnFailedToAcquire(Object source, Context context, String role) {}
}
