package dev.doyen.benchmarks.contender;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/**
 * Spring Integration's LockRegistryLeaderInitiator on a JdbcLockRegistry.
 *
 * <p>A process has one registry and one pool, and one initiator for each election. The ttl of the registry is the ttl
 * of the benchmark. All other intervals are the defaults. The insert statement is the statement that the documentation
 * recommends for PostgreSQL.
 */
final class SpringLeader implements Contender {

    private final HikariDataSource pool;
    private final GenericApplicationContext context = new GenericApplicationContext();
    private final DefaultLockRepository repository;
    private final JdbcLockRegistry registry;

    SpringLeader(String url, Duration ttl) {
        pool = Pools.open(url);
        Pools.createTable(
                pool,
                "CREATE TABLE IF NOT EXISTS INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL,"
                        + " CLIENT_ID CHAR(36), CREATED_DATE TIMESTAMP NOT NULL, EXPIRED_AFTER TIMESTAMP NOT NULL,"
                        + " CONSTRAINT INT_LOCK_PK PRIMARY KEY (LOCK_KEY, REGION))");
        context.refresh();
        repository = new DefaultLockRepository(pool);
        repository.setTransactionManager(new DataSourceTransactionManager(pool));
        repository.setApplicationContext(context);
        repository.afterPropertiesSet();
        repository.setInsertQuery(repository.getInsertQuery() + " ON CONFLICT DO NOTHING");
        repository.afterSingletonsInstantiated();
        repository.start();
        registry = new JdbcLockRegistry(repository, ttl);
    }

    @Override
    public Participant join(String election, String id, Runnable onElected) {
        var candidate = new DefaultCandidate(id, election) {
            @Override
            public void onGranted(Context granted) {
                onElected.run();
            }
        };
        var initiator = new LockRegistryLeaderInitiator(registry, candidate);
        initiator.start();
        return new InitiatorParticipant(initiator);
    }

    @Override
    public void close() {
        repository.close();
        context.close();
        pool.close();
    }

    private record InitiatorParticipant(LockRegistryLeaderInitiator initiator) implements Participant {
        @Override
        public boolean isLeader() {
            return initiator.getContext().isLeader();
        }

        @Override
        public void close() {
            initiator.stop();
            initiator.destroy();
        }
    }
}
