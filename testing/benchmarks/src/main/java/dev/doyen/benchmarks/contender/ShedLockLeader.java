package dev.doyen.benchmarks.contender;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A leader election that the benchmark implements with ShedLock. ShedLock itself has no leader election.
 *
 * <p>Each candidate tries to acquire the lock every ttl/10. The holder extends the lock every ttl/2. The holder leads
 * until one ttl after the start of its last successful call, or until a call fails.
 */
final class ShedLockLeader implements Contender {

    private static final int THREADS = 8;

    private final HikariDataSource pool;
    private final JdbcTemplateLockProvider locks;
    private final Duration ttl;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS, task -> {
        var thread = new Thread(task, "shedlock");
        thread.setDaemon(true);
        return thread;
    });

    ShedLockLeader(String url, Duration ttl) {
        this.ttl = ttl;
        this.pool = Pools.open(url);
        Pools.createTable(
                pool,
                "CREATE TABLE IF NOT EXISTS shedlock (name VARCHAR(64) NOT NULL, lock_until TIMESTAMP NOT NULL,"
                        + " locked_at TIMESTAMP NOT NULL, locked_by VARCHAR(255) NOT NULL, PRIMARY KEY (name))");
        this.locks = new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(pool))
                .usingDbTime()
                .build());
    }

    @Override
    public Participant join(String election, String id, Runnable onElected) {
        return new LockParticipant(election, onElected);
    }

    @Override
    public void close() {
        threads.shutdownNow();
        pool.close();
    }

    private final class LockParticipant implements Participant {
        private final String election;
        private final Runnable onElected;
        private @Nullable SimpleLock held;
        private boolean closed;
        private @Nullable Future<?> next;

        /** The end of the leadership by {@link System#nanoTime}; valid only while {@code leads} is true. */
        private volatile long leadsUntil;

        private volatile boolean leads;

        LockParticipant(String election, Runnable onElected) {
            this.election = election;
            this.onElected = onElected;
            schedule(Duration.ZERO);
        }

        @Override
        public boolean isLeader() {
            return leads && System.nanoTime() - leadsUntil < 0;
        }

        @Override
        public synchronized void close() {
            closed = true;
            leads = false;
            if (next != null) {
                next.cancel(false);
            }
            if (held != null) {
                held.unlock();
                held = null;
            }
        }

        private synchronized void schedule(Duration pause) {
            if (!closed && !threads.isShutdown()) {
                next = threads.schedule(this::attempt, pause.toNanos(), TimeUnit.NANOSECONDS);
            }
        }

        private synchronized void attempt() {
            if (closed) {
                return;
            }
            long sent = System.nanoTime();
            boolean before = held != null;
            try {
                Optional<SimpleLock> got = held == null
                        ? locks.lock(new LockConfiguration(Instant.now(), election, ttl, Duration.ZERO))
                        : held.extend(ttl, Duration.ZERO);
                held = got.orElse(null);
            } catch (RuntimeException e) {
                held = null;
            }
            leadsUntil = sent + ttl.toNanos();
            leads = held != null;
            if (leads && !before) {
                onElected.run();
            }
            schedule(leads ? ttl.dividedBy(2) : ttl.dividedBy(10));
        }
    }
}
