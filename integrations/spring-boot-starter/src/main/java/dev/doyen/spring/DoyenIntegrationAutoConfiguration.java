package dev.doyen.spring;

import dev.doyen.election.Candidate;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;

/**
 * Publishes the leadership events of Spring Integration, as the leader initiators of Spring Integration do.
 *
 * <p>Therefore Spring Integration starts the endpoints of a role when this application is elected in the election of
 * the same name, and stops them when the term has ended. The endpoints have stopped before the candidate releases the
 * lease.
 */
@AutoConfiguration(after = DoyenAutoConfiguration.class)
@ConditionalOnClass(OnGrantedEvent.class)
public final class DoyenIntegrationAutoConfiguration {

    @Bean
    ApplicationListener<ElectedEvent> doyenGranted(ApplicationEventPublisher publisher) {
        return new Granted(publisher);
    }

    @Bean
    ApplicationListener<RevokedEvent> doyenRevoked(ApplicationEventPublisher publisher) {
        return new Revoked(publisher);
    }

    /**
     * A listener for elected events. It is a class and not a lambda, because Spring reads the event's type from the
     * class.
     */
    private record Granted(ApplicationEventPublisher publisher) implements ApplicationListener<ElectedEvent> {
        @Override
        public void onApplicationEvent(ElectedEvent event) {
            publisher.publishEvent(new OnGrantedEvent(this, new ElectionStatus(event.candidate()), event.election()));
        }
    }

    private record Revoked(ApplicationEventPublisher publisher) implements ApplicationListener<RevokedEvent> {
        @Override
        public void onApplicationEvent(RevokedEvent event) {
            publisher.publishEvent(new OnRevokedEvent(this, new ElectionStatus(event.candidate()), event.election()));
        }
    }

    /** Adapts a candidate to Spring Integration. */
    private record ElectionStatus(Candidate<?> candidate) implements Context {
        @Override
        public boolean isLeader() {
            return candidate.isLeader();
        }

        @Override
        public String getRole() {
            return candidate.election();
        }

        @Override
        public void yield() {
            CompletableFuture<Void> unused = Refusals.local(candidate).resign();
        }
    }
}
