package dev.doyen.examples.migrate.springintegration.after;

import dev.doyen.examples.migrate.Poller;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.event.EventListener;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;

/** Polls orders while it holds the lease. */
@SpringBootApplication
public class OrdersApplication {

    private final Poller poller;

    public OrdersApplication(Poller poller) {
        this.poller = poller;
    }

    @EventListener
    public void granted(OnGrantedEvent event) {
        poller.start();
    }

    @EventListener
    public void revoked(OnRevokedEvent event) {
        poller.stop();
    }
}
