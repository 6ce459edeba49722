package dev.doyen.examples.migrate.springintegration.both;

import dev.doyen.examples.migrate.Poller;
import dev.doyen.spring.LeaderElections;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.jdbc.lock.LockRepository;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Polls orders while it holds the lock and the lease. */
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

    /**
     * Creates the initiator with a provider of the elections instead of the elections.
     *
     * <p>Spring would stop the initiator before the elections if the initiator depended on them. With a provider, the
     * initiator's phase makes it stop after the elections. So polling has stopped when the lock is free.
     */
    @Bean
    static LockRegistryLeaderInitiator leaderInitiator(
            JdbcLockRegistry locks, @Value("${orders.id}") String id, ObjectProvider<LeaderElections> elections) {
        var initiator = new LockRegistryLeaderInitiator(locks, new LeadsWithLock(id, "orders", elections));
        initiator.setLeaderEventPublisher(new NoEvents());
        return initiator;
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
