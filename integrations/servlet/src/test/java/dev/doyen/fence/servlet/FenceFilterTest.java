package dev.doyen.fence.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.doyen.fence.Fence;
import dev.doyen.fence.FenceHeaders;
import dev.doyen.store.StoreUnavailableException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the filter over HTTP in a real servlet container. */
class FenceFilterTest {

    private final HttpClient client = HttpClient.newHttpClient();
    private final Fence fence = Fence.inMemory(3);
    private GuardedServer server;

    @BeforeEach
    void start() throws Exception {
        server = GuardedServer.with(FenceFilterSettings.guarding("orders", fence));
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    @Test
    void a_lower_term_is_rejected_with_both_numbers() throws Exception {
        assertThat(send("POST", "orders", 8).statusCode()).isEqualTo(200);
        HttpResponse<String> refused = send("POST", "orders", 7);
        assertThat(refused.statusCode()).isEqualTo(412);
        assertThat(refused.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/problem+json");
        assertThat(refused.headers().firstValue("Cache-Control")).contains("no-store");
        JsonNode problem = problem(refused);
        assertThat(problem.get("title").asText()).isEqualTo("Stale term");
        assertThat(problem.get("status").asInt()).isEqualTo(412);
        assertThat(problem.get("detail").asText())
                .isEqualTo("\"orders\" refuses term 7: fence 7 < 8; a later leader has written already");
        assertThat(problem.get("offered").asLong()).isEqualTo(7);
        assertThat(problem.get("seen").asLong()).isEqualTo(8);
        assertThat(server.reached()).containsExactly("POST orders/8 REQUEST");
    }

    @Test
    void the_same_and_higher_terms_are_admitted_and_passed_to_the_servlet() throws Exception {
        for (long term : new long[] {1, 1, 5}) {
            assertThat(send("PUT", "orders", term).body()).isEqualTo("written\n");
        }
        assertThat(server.reached())
                .containsExactly("PUT orders/1 REQUEST", "PUT orders/1 REQUEST", "PUT orders/5 REQUEST");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE", "MKCOL", "get"})
    void a_guarded_request_without_a_term_is_rejected(String method) throws Exception {
        HttpResponse<String> refused = answer(request(method));
        assertThat(refused.statusCode()).isEqualTo(428);
        assertThat(problem(refused).get("detail").asText())
                .isEqualTo(method + " is rejected without a term; send X-Fencing-Token: <the leader's term>");
        assertThat(server.reached()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS"})
    void safe_methods_pass_with_or_without_a_term(String method) throws Exception {
        send("POST", "orders", 8);
        assertThat(answer(request(method)).statusCode()).isEqualTo(200);
        assertThat(send(method, "orders", 7).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "seven", "9223372036854775808", "7;8", "\"7\""})
    void a_malformed_term_is_rejected_with_a_sentence_and_not_stored(String token) throws Exception {
        HttpResponse<String> refused = answer(request("POST").header(FenceHeaders.TOKEN, token));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(problem(refused).get("detail").asText())
                .isEqualTo("X-Fencing-Token is \"" + token
                        + "\"; it is a term: a whole number from 1 to 9223372036854775807");
        assertThat(send("POST", "orders", 1).statusCode()).isEqualTo(200);
    }

    @Test
    void two_terms_in_one_request_are_rejected() throws Exception {
        HttpResponse<String> refused =
                answer(request("POST").header(FenceHeaders.TOKEN, "7").header(FenceHeaders.TOKEN, "8"));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(problem(refused).get("detail").asText())
                .isEqualTo("X-Fencing-Token occurs more than once; send it once");
    }

    @Test
    void a_different_resource_is_rejected_and_the_resource_is_optional() throws Exception {
        HttpResponse<String> refused = send("POST", "billing", 9);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(problem(refused).get("detail").asText())
                .isEqualTo("X-Fencing-Resource is \"billing\", but the guarded resource is \"orders\"; "
                        + "send that name, or leave the header out");
        assertThat(answer(request("POST").header(FenceHeaders.TOKEN, "1")).statusCode())
                .isEqualTo(200);
    }

    @Test
    void an_admitted_request_stays_admitted_in_a_new_dispatch() throws Exception {
        server.beforeDispatch(() -> fence.admit("orders", 4));
        HttpRequest.Builder async = HttpRequest.newBuilder(server.uri("/async"))
                .POST(HttpRequest.BodyPublishers.noBody())
                .header(FenceHeaders.TOKEN, "3");
        assertThat(answer(async).statusCode()).isEqualTo(200);
        assertThat(server.reached()).containsExactly("POST orders/3 REQUEST", "POST orders/3 ASYNC");
    }

    @Test
    void resources_named_by_requests_are_guarded_separately_and_limited_in_number() throws Exception {
        restart(FenceFilterSettings.guardingWhatIsNamed(fence));
        for (String resource : new String[] {"orders", "Aufträge", "a, b"}) {
            assertThat(send("POST", resource, 5).statusCode()).as(resource).isEqualTo(200);
            assertThat(send("POST", resource, 4).statusCode()).as(resource).isEqualTo(412);
        }
        HttpResponse<String> full = send("POST", "one more", 5);
        assertThat(full.statusCode()).isEqualTo(503);
        assertThat(problem(full).get("detail").asText()).contains("remembers 3 resources, which is its limit");
        assertThat(send("POST", "orders", 4).statusCode())
                .as("the term of each resource is still stored")
                .isEqualTo(412);
    }

    @Test
    void a_request_without_a_required_resource_is_rejected() throws Exception {
        restart(FenceFilterSettings.guardingWhatIsNamed(fence));
        HttpResponse<String> refused = answer(request("POST").header(FenceHeaders.TOKEN, "7"));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(problem(refused).get("detail").asText()).startsWith("X-Fencing-Resource is missing");
        assertThat(problem(answer(request("POST"))).get("detail").asText()).endsWith(" and X-Fencing-Resource");
        HttpResponse<String> malformed =
                answer(request("POST").header(FenceHeaders.TOKEN, "7").header(FenceHeaders.RESOURCE, "%zz"));
        assertThat(malformed.statusCode()).isEqualTo(400);
    }

    @Test
    void an_optional_term_is_still_checked() throws Exception {
        restart(FenceFilterSettings.guarding("orders", fence).withTermRequired(false));
        assertThat(answer(request("POST")).statusCode()).isEqualTo(200);
        assertThat(send("POST", "orders", 8).statusCode()).isEqualTo(200);
        assertThat(send("POST", "orders", 7).statusCode()).isEqualTo(412);
        assertThat(server.reached()).containsExactly("POST no term REQUEST", "POST orders/8 REQUEST");
    }

    @Test
    void an_unavailable_fence_rejects_requests_and_leaks_no_secret() throws Exception {
        restart(FenceFilterSettings.guarding("orders", (resource, term) -> {
            throw new StoreUnavailableException("jdbc:postgresql://db.internal/fences?password=geheim is unavailable");
        }));
        HttpResponse<String> refused = send("POST", "orders", 8);
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).doesNotContain("geheim").contains("the request is rejected");
        assertThat(server.reached()).isEmpty();
    }

    @Test
    void a_descriptor_configures_it_by_init_parameters() throws Exception {
        restart(Map.of("resource", "orders", "unguarded", "GET, POST", "term-required", "false", "resources", "1"));
        assertThat(answer(request("POST")).statusCode()).isEqualTo(200);
        assertThat(answer(request("PUT")).statusCode()).isEqualTo(200);
        assertThat(send("PUT", "orders", 2).statusCode()).isEqualTo(200);
        assertThat(send("PUT", "orders", 1).statusCode()).isEqualTo(412);
        assertThat(send("POST", "orders", 1).statusCode()).as("unguarded").isEqualTo(200);
    }

    @Test
    void without_init_parameters_it_protects_the_named_resource() throws Exception {
        restart(Map.of());
        assertThat(answer(request("DELETE")).statusCode()).isEqualTo(428);
        assertThat(send("DELETE", "orders", 2).statusCode()).isEqualTo(200);
        assertThat(send("DELETE", "orders", 1).statusCode()).isEqualTo(412);
    }

    @ParameterizedTest
    @ValueSource(strings = {"term-required=yes", "resources=many", "resources=0", "resource="})
    void an_invalid_descriptor_stops_the_start_with_a_sentence(String parameter) {
        String[] pair = parameter.split("=", 2);
        assertThatThrownBy(() -> restart(Map.of(pair[0], pair[1])))
                .hasMessageContaining("filter \"fence\": ")
                .hasMessageMatching(".*(write true or false|write a whole number|guards nothing|is empty).*");
    }

    private void restart(FenceFilterSettings settings) throws Exception {
        server.close();
        server = GuardedServer.with(settings);
    }

    private void restart(Map<String, String> initParameters) throws Exception {
        server.close();
        server = GuardedServer.with(initParameters);
    }

    private HttpRequest.Builder request(String method) {
        return HttpRequest.newBuilder(server.uri("/ledger"))
                .timeout(Duration.ofSeconds(20))
                .method(method, HttpRequest.BodyPublishers.noBody());
    }

    private HttpResponse<String> send(String method, String resource, long term) throws Exception {
        HttpRequest.Builder request = request(method);
        FenceHeaders.put(resource, term, request::header);
        return answer(request);
    }

    private HttpResponse<String> answer(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode problem(HttpResponse<String> response) throws IOException {
        return new ObjectMapper().readTree(response.body());
    }
}
