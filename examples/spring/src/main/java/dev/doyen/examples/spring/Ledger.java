package dev.doyen.examples.spring;

import dev.doyen.fence.StaleTermException;
import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * The accounts, and the last paid period.
 *
 * <p>Every write contains the leader's term and has no effect if a later leader has written.
 */
@Component
public class Ledger {

    private final JdbcClient database;

    Ledger(JdbcClient database) {
        this.database = database;
    }

    /**
     * Raises the fence to this term and returns the last paid period.
     *
     * <p>One statement does both. The statement waits for an open transaction of an earlier leader. Afterwards, that
     * leader cannot write.
     *
     * @throws StaleTermException if a later leader has raised the fence
     */
    public long goOn(long term) {
        return database.sql("UPDATE checkpoint SET term = :term WHERE term <= :term RETURNING period")
                .param("term", term)
                .query(Long.class)
                .optional()
                .orElseThrow(() -> stale(term));
    }

    /**
     * Pays one period and advances the checkpoint, or does neither.
     *
     * @throws StaleTermException if a later leader has raised the fence
     */
    @Transactional
    public void pay(long period, long term, String me) {
        int fenced = database.sql("UPDATE checkpoint SET period = :period WHERE term = :term")
                .param("period", period)
                .param("term", term)
                .update();
        if (fenced == 0) {
            throw stale(term);
        }
        database.sql("UPDATE account SET cents = cents + round(cents * 0.001)").update();
        database.sql("INSERT INTO payment (period, term, paid_by) VALUES (:period, :term, :me)")
                .param("period", period)
                .param("term", term)
                .param("me", me)
                .update();
    }

    /**
     * Returns the number of ended periods. The method uses the database's clock, because the clocks of the instances
     * can differ.
     */
    public long due(Duration period) {
        return database.sql("SELECT floor(extract(epoch FROM now() - began) * 1000 / :millis)::bigint FROM checkpoint")
                .param("millis", period.toMillis())
                .query(Long.class)
                .single();
    }

    private StaleTermException stale(long term) {
        long seen =
                database.sql("SELECT term FROM checkpoint").query(Long.class).single();
        return new StaleTermException("interest", term, seen);
    }
}
