package dev.doyen.hub.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.wire.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests keys, tokens and token requests in the forms that clients send. The class is long because the cases belong
 * together.
 */
class AuthenticatorTest {

    private static final long NOW = 1_700_000_000_000L;
    private static final long SECONDS = NOW / 1_000;

    private Authenticator authenticator;

    @BeforeEach
    void open() throws Refusal {
        authenticator = new Authenticator(
                HubKeys.ofKeys(List.of(
                        HubKey.of("app.key:secret"),
                        HubKey.of("app.orders:hush").with(Capability.parse("{\"orders:*\":[\"publish\",\"lead\"]}")))),
                new ClientIdRule(20));
    }

    @Test
    void a_key_is_accepted_in_a_query_and_in_a_header() throws Refusal {
        var byQuery = authenticator.ofQuery(Map.of("key", "app.orders:hush"), NOW);
        var byHeader = authenticator.ofHeader("Basic " + base64("app.orders:hush"), NOW);

        assertThat(byQuery).isEqualTo(byHeader);
        assertThat(byQuery.resolveClientId("ann")).isEqualTo("ann");
        assertThat(byQuery.resolveClientId(null)).isEqualTo(Access.ANYBODY);
        assertThat(byQuery.isToken()).isFalse();
        assertThat(byQuery.allows("orders:eu", Operation.LEAD)).isTrue();
        assertThat(byQuery.allows("orders:eu", Operation.SUBSCRIBE)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Basic !!!", "Basic ", "Basic", "Digest x", "app.key:secret", ""})
    void an_unknown_authorization_scheme_is_rejected(String header) {
        refused(() -> authenticator.ofHeader(header, NOW), 40101, 401);
    }

    @Test
    void an_unknown_key_in_a_header_has_another_error_than_a_wrong_secret() {
        refused(() -> authenticator.ofHeader("Basic " + base64("app.nobody:secret"), NOW), 40400, 401);
        refused(() -> authenticator.ofHeader("Basic " + base64("app.key:wrong"), NOW), 40101, 401);
        refused(() -> authenticator.ofHeader("Basic " + base64("app.key"), NOW), 40101, 401);
        refused(() -> authenticator.ofQuery(Map.of("key", "app.nobody:secret"), NOW), 40101, 401);
    }

    @Test
    void a_jwt_signed_by_a_key_is_limited_by_that_key_and_bound_to_its_client() throws Refusal {
        String token = Signing.jwtOf(
                "app.orders",
                "{\"iat\":" + SECONDS + ",\"exp\":" + (SECONDS + 60)
                        + ",\"x-ably-clientId\":\"ann\",\"x-ably-capability\":\"{\\\"*\\\":[\\\"publish\\\"]}\"}",
                "hush");
        for (String param : List.of("access_token", "accessToken")) {
            var access = authenticator.ofQuery(Map.of(param, token), NOW);

            assertThat(access.keyName()).isEqualTo("app.orders");
            assertThat(access.capability().text()).isEqualTo("{\"orders:*\":[\"publish\"]}");
            assertThat(access.expiresMillis()).hasValue((SECONDS + 60) * 1_000);
            assertThat(access.resolveClientId(null)).isEqualTo("ann");
            assertThat(access.resolveClientId("ann")).isEqualTo("ann");
            refused(() -> access.resolveClientId("bob"), 40102, 401);
        }
        assertThat(authenticator.ofHeader("Bearer " + token, NOW).clientId()).isEqualTo("ann");
        assertThat(authenticator.ofHeader("bearer " + base64(token), NOW).clientId())
                .isEqualTo("ann");
    }

    @Test
    void a_jwt_without_claims_has_the_capability_of_its_key() throws Refusal {
        var access = authenticator.ofToken(
                Signing.jwtOf("app.orders", "{\"iat\":" + SECONDS + ",\"exp\":" + (SECONDS + 60) + "}", "hush"), NOW);

        assertThat(access.capability().text()).isEqualTo("{\"orders:*\":[\"lead\",\"publish\"]}");
        assertThat(access.resolveClientId(null)).isNull();
        refused(() -> access.resolveClientId("ann"), 40102, 401);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'iat':0,'exp':60} | 40142 | the token expired",
                "{'exp':1700000060} | 40144 | the token has no claim iat",
                "{'iat':1700000000} | 40144 | the token has no claim exp",
                "{'iat':1700000200,'exp':1700000300} | 40144 | the token is issued 200000 ms from now",
                "{'iat':1700000000,'exp':1700086401} | 40144 | the token lasts 86401 s",
                "{'iat':1700000120,'exp':1700086521} | 40144 | the token lasts 86401 s",
                "{'iat':1700000000,'exp':253402300799} | 40144 | the token lasts",
                "{'iat':1700000000,'exp':253402300800} | 40144 | the token has a claim exp of 253402300800;",
                "{'iat':1700000000,'exp':9999999999999} | 40144 | the token has a claim exp of 9999999999999;",
                "{'iat':-1,'exp':60} | 40144 | the token has a claim iat of -1; give seconds since the epoch",
                "{'iat':1700000000,'exp':1700000060,'x-ably-clientId':7} | 40144 | the token has a claim x-ably-clientId",
                "{'iat':1700000000,'exp':1700000060,'x-ably-clientId':''} | 40012 | the client id is empty",
                "{'iat':1700000000,'exp':1700000060,'x-ably-capability':'x'} | 40000 | the capability is not JSON",
                "{'iat':1700000000,'exp':1700000060,'x-ably-capability':'{\"b\":[\"*\"]}'} | 40160 | the token's capability"
            })
    void an_invalid_jwt_is_rejected_with_its_error_code(String claims, int code, String sentence) {
        String json = claims.replace("\"", "\\\"").replace('\'', '"');
        assertThatThrownBy(() -> authenticator.ofToken(Signing.jwtOf("app.orders", json, "hush"), NOW))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.error().code()).isEqualTo(code))
                .hasMessageStartingWith(sentence);
    }

    @ParameterizedTest
    @CsvSource({"0,86400", "120,180"})
    void a_jwt_is_valid_up_to_its_bounds(int issuedAfter, int expiresAfter) throws Refusal {
        String claims = "{\"iat\":" + (SECONDS + issuedAfter) + ",\"exp\":" + (SECONDS + expiresAfter) + "}";

        assertThat(authenticator
                        .ofToken(Signing.jwtOf("app.key", claims, "secret"), NOW)
                        .expiresMillis())
                .hasValue((SECONDS + expiresAfter) * 1_000);
    }

    @Test
    void a_jwt_is_valid_only_with_an_hs256_signature_of_its_key() {
        String claims = "{\"iat\":" + SECONDS + ",\"exp\":" + (SECONDS + 60) + "}";

        refused(() -> authenticator.ofToken(Signing.jwtOf("app.key", claims, "wrong"), NOW), 40144, 401);
        refused(() -> authenticator.ofToken(Signing.jwtOf("app.nobody", claims, "secret"), NOW), 40400, 404);
        refused(() -> authenticator.ofToken(Signing.jwt("{\"alg\":\"HS256\"}", claims, "secret"), NOW), 40400, 404);
        for (String algorithm : List.of("none", "HS512", "RS256")) {
            String header = "{\"alg\":\"" + algorithm + "\",\"kid\":\"app.key\"}";
            refused(() -> authenticator.ofToken(Signing.jwt(header, claims, "secret"), NOW), 40144, 401);
        }
        refused(() -> authenticator.ofToken("xyz", NOW), 40101, 401);
        refused(() -> authenticator.ofToken("a.b.c", NOW), 40144, 401);
        refused(() -> authenticator.ofToken("x".repeat(16_384), NOW), 40101, 401);
        refused(() -> authenticator.ofToken("x".repeat(16_385), NOW), 40144, 401);
    }

    @Test
    void a_signed_request_gets_a_token_that_is_valid_until_its_expiry() throws Refusal {
        var request = request("app.key", "secret", "1500", "{\"a\":[\"publish\"]}", "ann", NOW, "nonce-nonce-nonce-1");

        TokenDetails details = authenticator.issue("app.key", request, null, NOW);

        assertThat(details.access().issuedMillis()).hasValue(NOW);
        assertThat(details.access().expiresMillis()).hasValue(NOW + 1_500);
        assertThat(authenticator.ofToken(details.token(), NOW + 1_499)).isEqualTo(details.access());
        refused(() -> authenticator.ofToken(details.token(), NOW + 1_500), 40142, 401);
        assertThat(details.toString()).startsWith("TokenDetails[Access[").doesNotContain(details.token());
    }

    @Test
    void a_plain_request_gets_an_hour_and_the_capability_of_the_key() throws Refusal {
        var request = request("app.orders", "hush", null, null, null, NOW, "nonce-nonce-nonce-1");

        var access = authenticator.issue("app.orders", request, null, NOW).access();

        assertThat(access.expiresMillis()).hasValue(NOW + 3_600_000);
        assertThat(access.capability().text()).isEqualTo("{\"orders:*\":[\"lead\",\"publish\"]}");
        assertThat(access.clientId()).isNull();
    }

    @Test
    void a_request_is_valid_once_within_two_minutes() throws Refusal {
        var request = request("app.key", "secret", null, null, null, NOW, "nonce-nonce-nonce-1");
        refused(() -> authenticator.issue("app.key", request, null, NOW + 120_001), 40104, 401);
        refused(() -> authenticator.issue("app.key", request, null, NOW - 120_001), 40104, 401);

        authenticator.issue("app.key", request, null, NOW - 120_000);

        refused(() -> authenticator.issue("app.key", request, null, NOW + 120_000), 40105, 401);
    }

    @Test
    void a_nonce_is_accepted_again_with_another_timestamp() throws Refusal {
        for (long timestamp = NOW; timestamp < NOW + 2; timestamp++) {
            var request = request("app.key", "secret", null, null, null, timestamp, "nonce-nonce-nonce-1");
            authenticator.issue("app.key", request, null, NOW);
            refused(() -> authenticator.issue("app.key", request, null, NOW), 40105, 401);
        }
    }

    @Test
    void any_field_changed_after_signing_is_detected() {
        for (var change : Map.of(
                        "ttl", "61", "capability", "{\"*\":[\"*\"]}", "clientId", "bob", "nonce", "0123456789abcdef1")
                .entrySet()) {
            var request = request("app.key", "secret", "60", "{\"a\":[\"publish\"]}", "ann", NOW, "0123456789abcdef0");
            request.put(change.getKey(), change.getValue());
            refused(() -> authenticator.issue("app.key", request, null, NOW), 40101, 401);
        }
    }

    @ParameterizedTest
    @CsvSource({"0,40003", "-1,40003", "x,40003", "86400001,40003", "999999999999999999999,40003"})
    void a_ttl_out_of_bounds_is_rejected(String ttl, int code) {
        var request = request("app.key", "secret", ttl, null, null, NOW, "nonce-nonce-nonce-1");
        refused(() -> authenticator.issue("app.key", request, null, NOW), code, 400);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 86_400_000})
    void a_ttl_at_its_bounds_is_accepted(long ttl) throws Refusal {
        var request = request("app.key", "secret", Long.toString(ttl), null, null, NOW, "nonce-nonce-nonce-1");

        assertThat(authenticator.issue("app.key", request, null, NOW).access().expiresMillis())
                .hasValue(NOW + ttl);
    }

    @ParameterizedTest
    @CsvSource({"15,false", "16,true", "255,true", "256,false"})
    void a_nonce_has_16_to_255_characters(int length, boolean good) throws Refusal {
        var request = request("app.key", "secret", null, null, null, NOW, "n".repeat(length));
        if (good) {
            assertThat(authenticator.issue("app.key", request, null, NOW).token())
                    .isNotEmpty();
        } else {
            refused(() -> authenticator.issue("app.key", request, null, NOW), 40000, 400);
        }
    }

    @Test
    void a_capability_can_be_an_object_and_other_fields_are_text_or_numbers() throws Refusal {
        var key = authenticator.ofQuery(Map.of("key", "app.key:secret"), NOW);
        var request = object();
        request.putObject("capability").putArray("a").add("publish");

        assertThat(authenticator
                        .issue("app.key", request, key, NOW)
                        .access()
                        .capability()
                        .text())
                .isEqualTo("{\"a\":[\"publish\"]}");
        var ofObject = object();
        ofObject.putObject("ttl");
        refused(() -> authenticator.issue("app.key", ofObject, key, NOW), 40000, 400);
        var ofList = object();
        ofList.putArray("clientId").add("ann");
        refused(() -> authenticator.issue("app.key", ofList, key, NOW), 40000, 400);
    }

    @Test
    void a_token_is_not_accepted_before_its_claim_nbf() throws Refusal {
        String times = "\"iat\":" + SECONDS + ",\"exp\":" + (SECONDS + 600);
        String later = "{" + times + ",\"nbf\":" + (SECONDS + 121) + "}";
        refused(() -> authenticator.ofToken(Signing.jwtOf("app.key", later, "secret"), NOW), 40144, 401);
        String withinTolerance = "{" + times + ",\"nbf\":" + (SECONDS + 119) + "}";
        assertThat(authenticator
                        .ofToken(Signing.jwtOf("app.key", withinTolerance, "secret"), NOW)
                        .keyName())
                .isEqualTo("app.key");
    }

    @Test
    void a_token_with_a_critical_extension_is_rejected() {
        String claims = "{\"iat\":" + SECONDS + ",\"exp\":" + (SECONDS + 60) + "}";
        for (String crit : List.of("[\"exp\"]", "[\"b64\"]", "[]")) {
            String header = "{\"alg\":\"HS256\",\"kid\":\"app.key\",\"crit\":" + crit + "}";
            refused(() -> authenticator.ofToken(Signing.jwt(header, claims, "secret"), NOW), 40144, 401);
        }
    }

    @Test
    void a_capability_that_is_a_list_is_rejected() {
        var request = object();
        request.putArray("capability").add("publish");

        assertThatThrownBy(() -> {
                    var key = authenticator.ofQuery(Map.of("key", "app.key:secret"), NOW);
                    authenticator.issue("app.key", request, key, NOW);
                })
                .isInstanceOf(Refusal.class)
                .hasMessageStartingWith("the capability is not an object of channels");
    }

    @Test
    void the_fields_of_a_request_are_limited_in_length() throws Refusal {
        var key = authenticator.ofQuery(Map.of("key", "app.key:secret"), NOW);
        String longest = "x".repeat(16_384);

        assertThat(authenticator
                        .issue("app.key", object().put("revocationKey", longest), key, NOW)
                        .access()
                        .revocationKey())
                .isEqualTo(longest);
        refused(
                () -> authenticator.issue("app.key", object().put("revocationKey", longest + "x"), key, NOW),
                40000,
                400);
    }

    @Test
    void a_request_is_printed_without_its_signature() throws Refusal {
        assertThat(TokenRequest.read("app.key", object().put("mac", "s1gned").put("nonce", "n0nce")))
                .hasToString("TokenRequest[app.key]");
    }

    @Test
    void other_faults_of_a_request_are_reported() {
        refused(() -> authenticator.issue("app.nobody", object(), null, NOW), 40400, 401);
        refused(() -> authenticator.issue("app.key", JsonNodeFactory.instance.arrayNode(), null, NOW), 40000, 400);
        refused(() -> authenticator.issue("app.key", object().put("keyName", "app.orders"), null, NOW), 40000, 400);
        refused(
                () -> authenticator.issue(
                        "app.key", request("app.key", "secret", null, null, "", NOW, "nonce-nonce-nonce-1"), null, NOW),
                40012,
                400);
        refused(
                () -> authenticator.issue(
                        "app.key", request("app.key", "secret", null, null, null, NOW, "short"), null, NOW),
                40000,
                400);
        refused(
                () -> authenticator.issue(
                        "app.orders",
                        request("app.orders", "hush", null, "{\"b\":[\"publish\"]}", null, NOW, "nonce-nonce-nonce-1"),
                        null,
                        NOW),
                40160,
                401);
    }

    @Test
    void without_a_signature_only_the_key_itself_can_request_a_token() throws Refusal {
        var key = authenticator.ofQuery(Map.of("key", "app.key:secret"), NOW);
        var token = authenticator.issue("app.key", object(), key, NOW);

        assertThat(authenticator.ofToken(token.token(), NOW).keyName()).isEqualTo("app.key");
        refused(() -> authenticator.issue("app.orders", object(), key, NOW), 40101, 401);
        refused(() -> authenticator.issue("app.key", object(), token.access(), NOW), 40101, 401);
        refused(() -> authenticator.issue("app.key", object(), null, NOW), 40101, 401);
    }

    @Test
    void a_revocation_applies_to_earlier_tokens_of_its_target() throws Refusal {
        var key = authenticator.ofQuery(Map.of("key", "app.key:secret"), NOW);
        var ann = authenticator.issue("app.key", object().put("clientId", "ann"), key, NOW);
        var bob = authenticator.issue(
                "app.key", object().put("clientId", "bob").put("revocationKey", "team-1"), key, NOW);

        authenticator.revoke("app.key", "clientId:ann", NOW + 1, NOW + 1);

        refused(() -> authenticator.ofToken(ann.token(), NOW + 1), 40141, 401);
        assertThat(authenticator.isRevoked(ann.access())).isTrue();
        assertThat(authenticator.isRevoked(key)).isFalse();
        assertThat(authenticator.ofToken(bob.token(), NOW + 1).clientId()).isEqualTo("bob");
        var next = authenticator.issue("app.key", object().put("clientId", "ann"), key, NOW + 1);
        assertThat(authenticator.ofToken(next.token(), NOW + 1).clientId()).isEqualTo("ann");

        authenticator.revoke("app.key", "revocationKey:team-1", NOW + 1, NOW + 1);

        refused(() -> authenticator.ofToken(bob.token(), NOW + 1), 40141, 401);
        refused(() -> authenticator.revoke("app.key", "channel:x", NOW, NOW), 40000, 400);
        refused(() -> authenticator.revoke("app.key", "clientId:", NOW, NOW), 40000, 400);
        refused(() -> authenticator.revoke("app.key", "clientId:x", NOW + 1, NOW), 40003, 400);
    }

    @Test
    void a_later_revocation_never_reverts_an_earlier_one() throws Refusal {
        var key = authenticator.ofQuery(Map.of("key", "app.key:secret"), NOW);
        var ann = authenticator.issue("app.key", object().put("clientId", "ann"), key, NOW);
        authenticator.revoke("app.key", "clientId:ann", NOW + 5, NOW + 5);
        authenticator.revoke("app.key", "clientId:ann", NOW - 5, NOW + 5);

        refused(() -> authenticator.ofToken(ann.token(), NOW + 5), 40141, 401);
    }

    @Test
    void nonces_and_revocations_are_limited_and_expire() throws Refusal {
        var nonces = new Nonces(2);
        nonces.use("a", NOW);
        nonces.use("b", NOW);
        refused(() -> nonces.use("c", NOW + 240_000), 50003, 503);
        assertThatThrownBy(() -> nonces.use("c", NOW + 240_000))
                .hasMessage("the hub has had 2 token requests in 240 s, its limit; try again later");
        nonces.use("c", NOW + 240_001);

        var revocations = new Revocations(1);
        revocations.revoke(RevocationTarget.read("app.key", "clientId:a"), NOW, NOW);
        var other = RevocationTarget.read("app.key", "clientId:b");
        refused(() -> revocations.revoke(other, NOW, NOW), 50003, 503);
        assertThatThrownBy(() -> revocations.revoke(other, NOW, NOW))
                .hasMessage(
                        "the hub remembers 1 revocations, its limit; revoke \"clientId:b\" by giving its key another"
                                + " secret");
        refused(() -> revocations.revoke(other, NOW, NOW + 86_400_000L + 120_000L), 50003, 503);
        revocations.revoke(other, NOW, NOW + 86_400_000L + 120_001L);
        var old = new Access(
                "app.key", AppChannels.NONE, "a", Capability.ALL, null, OptionalLong.of(NOW - 1), OptionalLong.of(NOW));
        assertThat(revocations.isRevoked(old)).isFalse();
    }

    private static ObjectNode request(
            String keyName,
            String secret,
            @Nullable String ttl,
            @Nullable String capability,
            @Nullable String clientId,
            long timestamp,
            String nonce) {
        var request =
                object().put("keyName", keyName).put("timestamp", timestamp).put("nonce", nonce);
        // SDKs send a ttl as a number or as text.
        if (ttl != null && ttl.matches("[0-9]{1,9}")) {
            request.put("ttl", Long.parseLong(ttl));
        } else if (ttl != null) {
            request.put("ttl", ttl);
        }
        request.put("capability", capability).put("clientId", clientId);
        String text = keyName + "\n" + (ttl == null ? "" : ttl) + "\n" + (capability == null ? "" : capability) + "\n"
                + (clientId == null ? "" : clientId) + "\n" + timestamp + "\n" + nonce + "\n";
        return request.put("mac", Signing.mac(secret, text));
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void refused(ThrowingCallable attempt, int code, int status) {
        assertThatThrownBy(attempt)
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(List.of(
                                        refusal.error().code(), refusal.error().statusCode()))
                                .isEqualTo(List.of(code, status)));
    }
}
