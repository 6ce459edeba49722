package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.spring.readme.ReportsApplication;
import dev.doyen.store.LeaseStore;
import dev.doyen.testkit.HeldPorts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;

/** Tests two applications that are clients of a quorum of three members. */
@Timeout(300)
class QuorumStoreTest {

    private final BlockingQueue<ElectedEvent> elected = new LinkedBlockingQueue<>();

    @Test
    void one_application_leads_and_the_other_follows_after_its_stop(@TempDir Path folder) throws Exception {
        List<LeaseStore> members = new ArrayList<>();
        try (var ports = HeldPorts.withAnother(1)) {
            List<Integer> taken = ports.take(3);
            String clients = "quorum://"
                    + taken.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
            for (int port : taken) {
                ports.release(port);
                members.add(LeaseStore.open(
                        clients + folder.resolve("member-" + port) + "?timeout-millis=500&id=127.0.0.1:" + port));
            }
            try (var first = start("first", clients)) {
                ElectedEvent began = elected();
                assertThat(began.candidate().id()).isEqualTo("first");
                try (var second = start("second", clients)) {
                    assertThat(second.getBean(LeaderElections.class).isLeader("reports"))
                            .isFalse();
                    first.close();
                    ElectedEvent next = elected();
                    assertThat(next.candidate().id()).isEqualTo("second");
                    assertThat(Terms.of(next.leadership())).isGreaterThan(Terms.of(began.leadership()));
                }
            }
        } finally {
            members.forEach(LeaseStore::close);
        }
    }

    private ElectedEvent elected() throws InterruptedException {
        ElectedEvent event = elected.poll(60, TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        return event;
    }

    private ConfigurableApplicationContext start(String id, String clients) {
        var application = new SpringApplication(ReportsApplication.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.addListeners((ApplicationListener<ElectedEvent>) event -> elected.add(event));
        return application.run(
                "--doyen.store=" + clients + "?timeout-millis=10000",
                "--doyen.candidate-id=" + id,
                "--spring.datasource.url=jdbc:none",
                "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
                "--spring.jmx.enabled=false");
    }
}
