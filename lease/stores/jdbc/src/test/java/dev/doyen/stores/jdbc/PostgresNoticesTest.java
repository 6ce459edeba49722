package dev.doyen.stores.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.postgresserver.PostgresServer;
import dev.doyen.store.LeaseStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Tests what happens to the listening connection when the store is closed. */
class PostgresNoticesTest {

    private final BlockingQueue<Connection> lent = new LinkedBlockingQueue<>();
    private final BlockingQueue<Connection> givenBack = new LinkedBlockingQueue<>();
    private final String name = Leases.fresh();

    @Test
    void a_pool_gets_its_connection_back_unchanged() throws Exception {
        Database.Servers.postgres();
        Connection listened;
        try (LeaseStore store = JdbcLeaseStore.open(pool(Database.POSTGRESQL::connect), JdbcSettings.DEFAULT)) {
            listened = listening(store);
        }
        assertThat(List.copyOf(givenBack))
                .as("the pool has its connection before the close returns")
                .contains(listened);
        try (listened) {
            assertThat(listened.isValid(5)).isTrue();
            assertThat(listened.getAutoCommit())
                    .as("the auto-commit mode is the mode of the pool")
                    .isFalse();
            assertThat(Dialect.query(listened, "SELECT count(*) FROM pg_listening_channels()"))
                    .isEqualTo("0");
        }
    }

    @Test
    void a_silent_server_is_disconnected_in_time() throws Exception {
        try (var wire = new TcpProxy(Database.Servers.postgres().port())) {
            String url = PostgresServer.url("127.0.0.1", wire.port());
            LeaseStore store = JdbcLeaseStore.open(pool(() -> DriverManager.getConnection(url)), JdbcSettings.DEFAULT);
            Connection listened = listening(store);
            wire.answers(TcpProxy.Answers.SWALLOWED);
            long began = System.nanoTime();
            store.close();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(60));
            assertThat(listened.isClosed()).isTrue();
        }
    }

    private Connection listening(LeaseStore store) throws InterruptedException {
        lent.clear();
        var announced = new Semaphore(0);
        assertThat(store.watch(name, announced::release)).isPresent();
        assertThat(announced.tryAcquire(60, TimeUnit.SECONDS))
                .as("the start of the listener is announced")
                .isTrue();
        return lent.remove();
    }

    /** Returns a pool whose connections stay open when their user closes them. */
    private DataSource pool(Connections.Opener opener) {
        return TransactionalPool.of(() -> {
            Connection real = opener.open();
            lent.add(real);
            return (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("close")) {
                            givenBack.add(real);
                            return null;
                        }
                        try {
                            return method.invoke(real, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        });
    }
}
