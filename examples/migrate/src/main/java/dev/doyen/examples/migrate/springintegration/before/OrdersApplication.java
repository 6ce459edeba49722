package dev.doyen.examples.migrate.springintegration.before;

import dev.doyen.examples.migrate.Poller;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.jdbc.lock.LockRepository;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Polls orders while it holds the lock. */
@SpringBootApplication
public class OrdersApplication {

    private final Poller poller;

    public OrdersApplication(Poller poller) {
        this.poller = poller;
    }

    @Bean
    static DefaultLockRepository lockRepository(DataSource dataSource) {
        return new DefaultLockRepository(dataSource);
    }

    @Bean
    static JdbcLockRegistry lockRegistry(LockRepository repository) {
        return new JdbcLockRegistry(repository);
    }

    @Bean
    static LockRegistryLeaderInitiator leaderInitiator(JdbcLockRegistry locks, @Value("${orders.id}") String id) {
        return new LockRegistryLeaderInitiator(locks, new DefaultCandidate(id, "orders"));
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
