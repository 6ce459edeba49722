package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.doyen.postgresserver.PostgresServer;
import dev.doyen.spring.readme.ReportsApplication;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Runs two instances of the README's application with one PostgreSQL database and the full auto-configuration of
 * Spring Boot.
 */
class TwoApplicationsTest {

    private final BlockingQueue<ElectedEvent> elected = new LinkedBlockingQueue<>();
    private final BlockingQueue<RevokedEvent> revoked = new LinkedBlockingQueue<>();

    @Test
    void one_application_leads_and_the_other_follows_after_its_stop(@TempDir Path data) throws Exception {
        try (var database = PostgresServer.start(data);
                var first = start("first", database)) {
            ListAppender<ILoggingEvent> pools = logOfPools();
            ElectedEvent began = elected.poll(30, TimeUnit.SECONDS);
            assertThat(began).isNotNull();
            assertThat(began.candidate().id()).isEqualTo("first");
            try (var second = start("second", database)) {
                assertThat(second.getBean(LeaderElections.class).isLeader("reports"))
                        .isFalse();
                assertThat(get(first, "/leadership/reports")).contains("\"leading\":true", "\"leader\":\"first\"");
                assertThat(post(first, "/leadership/reports")).isEqualTo(405);
                assertThat(get(second, "/health")).contains("\"status\":\"UP\"", "\"leadership\":{");
                assertThat(get(second, "/health/leadership")).contains("\"status\":\"UP\"", "\"leading\":[]");
                assertThat(get(first, "/health/leadership")).contains("\"leading\":[\"reports\"]");
                assertThat(get(second, "/metrics/doyen.is.leader")).contains("reports");
                first.close();
                RevokedEvent ended = revoked.poll(30, TimeUnit.SECONDS);
                assertThat(ended).isNotNull();
                assertThat(Terms.of(ended.leadership())).isEqualTo(Terms.of(began.leadership()));
                ElectedEvent next = elected.poll(30, TimeUnit.SECONDS);
                assertThat(next).isNotNull();
                assertThat(next.candidate().id()).isEqualTo("second");
                assertThat(Terms.of(next.leadership())).isGreaterThan(Terms.of(ended.leadership()));
                assertThat(List.copyOf(pools.list))
                        .as("the pool of the first application is closed")
                        .anyMatch(event -> event.getFormattedMessage().contains("Shutdown completed"))
                        .as("the pool logs no warning")
                        .noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.WARN));
            }
        }
    }

    /**
     * Returns an appender with the log lines of the connection pools. Call this method after the start of the first
     * application, because that start resets the logging.
     */
    private static ListAppender<ILoggingEvent> logOfPools() {
        var appender = new ListAppender<ILoggingEvent>();
        appender.start();
        ((Logger) LoggerFactory.getLogger("com.zaxxer.hikari")).addAppender(appender);
        return appender;
    }

    private ConfigurableApplicationContext start(String id, PostgresServer database) {
        var application = new SpringApplication(ReportsApplication.class);
        application.addListeners(
                (ApplicationListener<ElectedEvent>) event -> elected.add(event),
                (ApplicationListener<RevokedEvent>) event -> revoked.add(event));
        return application.run(List.of(
                        "--spring.datasource.url=" + database.url(),
                        "--doyen.store=datasource:",
                        "--doyen.candidate-id=" + id,
                        "--server.port=0",
                        "--server.address=127.0.0.1",
                        "--spring.jmx.enabled=false",
                        "--management.endpoint.health.show-details=always",
                        "--management.endpoints.web.exposure.include=leadership,health,info,metrics")
                .toArray(String[]::new));
    }

    private static String get(ConfigurableApplicationContext application, String path) throws Exception {
        return send(HttpRequest.newBuilder(uri(application, path)).build()).body();
    }

    private static int post(ConfigurableApplicationContext application, String path) throws Exception {
        return send(HttpRequest.newBuilder(uri(application, path))
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build())
                .statusCode();
    }

    private static HttpResponse<String> send(HttpRequest request) throws Exception {
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static URI uri(ConfigurableApplicationContext application, String path) {
        String port = application.getEnvironment().getProperty("local.server.port");
        return URI.create("http://127.0.0.1:" + port + "/actuator" + path);
    }
}
