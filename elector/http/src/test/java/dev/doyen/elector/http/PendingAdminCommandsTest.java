package dev.doyen.elector.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.testkit.RefusableThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class PendingAdminCommandsTest {

    @Test
    void without_a_thread_a_command_is_rejected_and_the_next_one_is_run() throws Exception { // L8
        var refusing = new AtomicBoolean(true);
        var orders = new PendingAdminCommands(new RefusableThreads(refusing::get));
        HttpReply done = PendingAdminCommands.done(200, "done");
        assertThat(orders.carryOut(() -> CompletableFuture.completedFuture(done))
                        .get(30, TimeUnit.SECONDS))
                .isNotSameAs(done);
        refusing.set(false);

        assertThat(orders.carryOut(() -> CompletableFuture.completedFuture(done))
                        .get(30, TimeUnit.SECONDS))
                .isSameAs(done);
    }
}
