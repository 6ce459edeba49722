package dev.doyen.stores.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.testkit.LogLines;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests the rights that the store reads when it is opened. */
class AccountRightsTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    private static final String RULES = """
            {"status": {"resourceRules": [
              {"apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "verbs": ["create", "list", "update"]},
              {"apiGroups": ["*"], "resources": ["*"], "resourceNames": ["orders"], "verbs": ["watch"]}]}}
            """;

    private final AtomicInteger reviews = new AtomicInteger();

    @Test
    void a_watch_starts_without_a_review_of_its_own() throws Exception { // L8
        try (var server = new FakeApiServer(exchange -> answer(exchange, RULES));
                var store = KubernetesLeaseStore.open(server.cluster(), LONG)) {
            assertThat(store.promises().remarks()).noneMatch(remark -> remark.contains("may not"));
            assertThat(store.watch("orders", () -> {})).isPresent();
            assertThat(store.watch("invoices", () -> {}))
                    .as("the account may watch only the Lease orders")
                    .isEmpty();
            assertThat(reviews).hasValue(0);
        }
    }

    @Test
    void the_right_to_update_a_Lease_is_asked_only_if_the_rules_do_not_contain_it() throws Exception { // K8
        try (var server = new FakeApiServer(exchange -> answer(exchange, RULES));
                var store = KubernetesLeaseStore.open(server.cluster(), LONG)) {
            assertThat(store.nonExpiringOnly("orders")).isEmpty();
            assertThat(reviews).hasValue(0);
        }
        String incomplete = RULES.replace("{\"status\": {", "{\"status\": {\"incomplete\": true, ");
        try (var server = new FakeApiServer(exchange -> answer(exchange, incomplete));
                var store = KubernetesLeaseStore.open(server.cluster(), LONG)) {
            assertThat(store.nonExpiringOnly("orders")).isEmpty();
            assertThat(reviews).hasValue(1);
        }
    }

    @Test
    void a_store_that_is_opened_again_and_again_logs_no_missing_verb() throws Exception {
        try (var server = new FakeApiServer(exchange -> FakeApiServer.answer(exchange, 201, "{\"status\": {}}"));
                var log = new LogLines("")) {
            for (int i = 0; i < 2; i++) {
                try (var store = KubernetesLeaseStore.open(server.cluster(), LONG)) {
                    assertThat(store.missingRights()).hasSize(4).allMatch(right -> right.contains("may not"));
                    assertThatThrownBy(() -> store.nonExpiringOnly("orders"))
                            .isInstanceOfSatisfying(StoreRefusedException.class, refused -> {
                                assertThat(refused.refusal()).contains("may do nothing", "in namespace default");
                                assertThat(refused.remedy()).contains("give it a Role");
                            });
                }
            }
            assertThat(log.warnings()).isEmpty();
        }
    }

    /** Returns these rules, and permits each action. */
    private void answer(HttpExchange exchange, String rules) throws IOException {
        String path = exchange.getRequestURI().getPath();
        if (path.endsWith("/selfsubjectrulesreviews")) {
            FakeApiServer.answer(exchange, 201, rules);
        } else if (path.endsWith("/selfsubjectaccessreviews")) {
            reviews.incrementAndGet();
            FakeApiServer.answer(exchange, 201, "{\"status\": {\"allowed\": true}}");
        }
    }
}
