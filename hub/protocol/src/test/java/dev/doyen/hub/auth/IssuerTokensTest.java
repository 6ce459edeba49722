package dev.doyen.hub.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.hub.wire.Refusal;
import java.nio.charset.StandardCharsets;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.keys.HmacKey;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests tokens of trusted issuers. An independent library makes the tokens and the key sets. */
final class IssuerTokensTest {

    private static final long NOW = 1_700_000_000_000L;

    private static final PublicJsonWebKey RSA = key("RSA", "rsa");
    private static final PublicJsonWebKey EC = key("EC", "ec");
    private static final PublicJsonWebKey ED = key("Ed25519", "ed");

    private Authenticator authenticator;

    @BeforeEach
    void trust() throws Refusal {
        authenticator = new Authenticator(HubKeys.of(List.of("app.key:secret")), new ClientIdRule(20));
        authenticator.trust(
                new TrustedIssuer(
                        "login", "https://login", "hub", Capability.parse("{\"orders:*\":[\"publish\",\"lead\"]}")),
                IssuerKeys.parse(keySet(RSA, EC, ED)));
    }

    private static PublicJsonWebKey key(String type, String kid) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(type);
            if (type.equals("RSA")) {
                generator.initialize(2_048);
            } else if (type.equals("EC")) {
                generator.initialize(new ECGenParameterSpec("secp256r1"));
            }
            var pair = generator.generateKeyPair();
            PublicJsonWebKey key = PublicJsonWebKey.Factory.newPublicJwk(pair.getPublic());
            key.setPrivateKey(pair.getPrivate());
            key.setKeyId(kid);
            return key;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static PublicJsonWebKey keyOf(String kid) {
        return switch (kid) {
            case "rsa" -> RSA;
            case "ec" -> EC;
            default -> ED;
        };
    }

    private static String keySet(JsonWebKey... keys) {
        return new JsonWebKeySet(keys).toJson(JsonWebKey.OutputControlLevel.PUBLIC_ONLY);
    }

    private static JwtClaims claims() {
        var claims = new JwtClaims();
        claims.setIssuer("https://login");
        claims.setAudience("others", "hub");
        claims.setIssuedAt(NumericDate.fromMilliseconds(NOW));
        claims.setExpirationTime(NumericDate.fromMilliseconds(NOW + 60_000));
        claims.setStringClaim("x-ably-clientId", "ann");
        return claims;
    }

    private static String token(String kid, String algorithm) {
        return token(kid, algorithm, claims -> {});
    }

    private static String token(String kid, String algorithm, Consumer<JwtClaims> change) {
        JwtClaims claims = claims();
        change.accept(claims);
        var jws = new JsonWebSignature();
        jws.setPayload(claims.toJson());
        jws.setKey(keyOf(kid).getPrivateKey());
        jws.setKeyIdHeaderValue(kid);
        return signed(jws, algorithm);
    }

    private static String signed(JsonWebSignature jws, String algorithm) {
        try {
            jws.setAlgorithmHeaderValue(algorithm);
            jws.setDoKeyValidation(false);
            jws.setAlgorithmConstraints(AlgorithmConstraints.NO_CONSTRAINTS);
            return jws.getCompactSerialization();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void refused(ThrowingCallable call, int code, String sentence) {
        assertThatThrownBy(call).isInstanceOfSatisfying(Refusal.class, refusal -> {
            assertThat(refusal.error().code()).isEqualTo(code);
            assertThat(refusal.error().message()).contains(sentence);
        });
    }

    @ParameterizedTest
    @CsvSource({"rsa,RS256", "ec,ES256", "ed,EdDSA"})
    void a_token_of_an_issuer_is_accepted_and_limited_by_the_capability_of_the_issuer(String kid, String algorithm)
            throws Refusal {
        Access access = authenticator.ofToken(token(kid, algorithm), NOW);
        assertThat(access.keyName()).isEqualTo("login:" + kid);
        assertThat(access.clientId()).isEqualTo("ann");
        assertThat(access.expiresMillis()).hasValue(NOW + 60_000);
        assertThat(access.capability().text()).isEqualTo("{\"orders:*\":[\"lead\",\"publish\"]}");

        String wide = token(
                kid,
                algorithm,
                claims -> claims.setStringClaim("x-ably-capability", "{\"*\":[\"publish\",\"admin\"]}"));
        assertThat(authenticator.ofToken(wide, NOW).capability().text()).isEqualTo("{\"orders:*\":[\"publish\"]}");
    }

    @ParameterizedTest
    @CsvSource({"rsa,RS256", "ec,ES256", "ed,EdDSA"})
    void a_changed_token_is_rejected(String kid, String algorithm) {
        String[] parts = token(kid, algorithm).split("\\.", -1);
        String payload =
                new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8).replace("ann", "eve");
        String changed =
                Base64.getUrlEncoder().withoutPadding().encodeToString(payload.getBytes(StandardCharsets.UTF_8));
        for (String forged : List.of(
                parts[0] + "." + changed + "." + parts[2],
                parts[0] + "." + parts[1] + ".",
                parts[0] + "." + parts[1] + "." + "A".repeat(parts[2].length()))) {
            refused(() -> authenticator.ofToken(forged, NOW), 40144, "is not signed by the key it names");
        }
    }

    @Test
    void a_public_key_verifies_no_other_algorithm() throws Exception {
        byte[] encoded = RSA.getPublicKey().getEncoded();
        String pem = "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded) + "\n-----END PUBLIC KEY-----\n";
        for (byte[] secret : List.of(encoded, pem.getBytes(StandardCharsets.US_ASCII))) {
            var jws = new JsonWebSignature();
            jws.setPayload(claims().toJson());
            jws.setKey(new HmacKey(secret));
            jws.setKeyIdHeaderValue("rsa");
            String forged = signed(jws, AlgorithmIdentifiers.HMAC_SHA256);
            refused(() -> authenticator.ofToken(forged, NOW), 40400, "is no key of this hub");
        }
        var none = new JsonWebSignature();
        none.setPayload(claims().toJson());
        none.setKeyIdHeaderValue("rsa");
        String unsigned = signed(none, AlgorithmIdentifiers.NONE);
        refused(() -> authenticator.ofToken(unsigned, NOW), 40400, "is no key of this hub");
        refused(() -> authenticator.ofToken(token("rsa", "PS256"), NOW), 40400, "is no key of this hub");
        refused(() -> authenticator.ofToken(token("rsa", "RS512"), NOW), 40400, "is no key of this hub");
    }

    @Test
    void the_type_of_the_key_decides_the_algorithm() {
        var jws = new JsonWebSignature();
        jws.setPayload(claims().toJson());
        jws.setKey(EC.getPrivateKey());
        jws.setKeyIdHeaderValue("rsa");
        String forged = signed(jws, "ES256");
        refused(() -> authenticator.ofToken(forged, NOW), 40144, "is not signed by the key it names with RS256");
    }

    @Test
    void a_valid_signature_under_the_name_of_another_algorithm_is_rejected() throws Exception {
        String payload = token("rsa", "RS256").split("\\.", -1)[1];
        String header = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString("{\"alg\":\"ES256\",\"kid\":\"rsa\"}".getBytes(StandardCharsets.UTF_8));
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(RSA.getPrivateKey());
        signature.update((header + "." + payload).getBytes(StandardCharsets.US_ASCII));
        String forged = header + "." + payload + "."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
        refused(() -> authenticator.ofToken(forged, NOW), 40144, "is not signed by the key it names with RS256");
    }

    @Test
    void the_keys_of_the_hub_and_of_issuers_are_separate() throws Refusal {
        String own =
                Signing.jwtOf("app.key", "{\"iat\":" + NOW / 1_000 + ",\"exp\":" + (NOW / 1_000 + 60) + "}", "secret");
        assertThat(authenticator.ofToken(own, NOW).keyName()).isEqualTo("app.key");
        var jws = new JsonWebSignature();
        jws.setPayload(claims().toJson());
        jws.setKey(RSA.getPrivateKey());
        jws.setKeyIdHeaderValue("app.key");
        String forged = signed(jws, "RS256");
        refused(() -> authenticator.ofToken(forged, NOW), 40143, "\"app.key\", which is no known key of");
    }

    @Test
    void issuer_and_audience_must_match() {
        refused(
                () -> authenticator.ofToken(token("ec", "ES256", claims -> claims.setIssuer("https://evil")), NOW),
                40144,
                "is of the issuer \"https://evil\" (claim iss)");
        refused(
                () -> authenticator.ofToken(token("ec", "ES256", claims -> claims.unsetClaim("iss")), NOW),
                40144,
                "(claim iss)");
        refused(
                () -> authenticator.ofToken(token("ec", "ES256", claims -> claims.setAudience("others")), NOW),
                40144,
                "is not for the audience \"hub\" (claim aud)");
        refused(
                () -> authenticator.ofToken(token("ec", "ES256", claims -> claims.unsetClaim("aud")), NOW),
                40144,
                "is not for the audience");
    }

    @Test
    void the_other_rules_of_tokens_apply_too() {
        refused(() -> authenticator.ofToken(token("ec", "ES256"), NOW + 61_000), 40142, "the token expired");
        refused(
                () -> authenticator.ofToken(
                        token(
                                "ec",
                                "ES256",
                                claims -> claims.setExpirationTime(NumericDate.fromMilliseconds(NOW + 90_000_000))),
                        NOW),
                40144,
                "at most 86400 s");
        refused(
                () -> authenticator.ofToken(
                        token(
                                "ec",
                                "ES256",
                                claims -> claims.setStringClaim("x-ably-capability", "{\"log\":[\"publish\"]}")),
                        NOW),
                40160,
                "nothing in common with that of its key \"login:ec\"");
    }

    @Test
    void an_unknown_key_is_reported_once() {
        assertThat(authenticator.takeUnknownKey("login")).isFalse();
        authenticator.replaceIssuerKeys("login", IssuerKeys.parse(keySet(RSA)));
        refused(
                () -> authenticator.ofToken(token("ec", "ES256"), NOW),
                40143,
                "the token's kid is \"ec\", which is no known key of the token issuer \"login\"");
        assertThat(authenticator.takeUnknownKey("login")).isTrue();
        assertThat(authenticator.takeUnknownKey("login")).isFalse();
    }

    @Test
    void removed_keys_end_their_clients_and_others_stay() throws Refusal {
        Access rsa = authenticator.ofToken(token("rsa", "RS256"), NOW);
        Access ec = authenticator.ofToken(token("ec", "ES256"), NOW);
        Access own = authenticator.ofQuery(Map.of("key", "app.key:secret"), NOW);
        KeyChange change = authenticator.replaceIssuerKeys("login", IssuerKeys.parse(keySet(key("EC", "ec"), RSA)));
        assertThat(change.applyTo(rsa)).contains(rsa);
        assertThat(change.applyTo(ec))
                .as("a client ends if the key of its kid has changed")
                .isEmpty();
        assertThat(change.applyTo(own)).contains(own);
    }

    @Test
    void without_issuers_only_the_keys_of_the_hub_count() {
        var alone = new Authenticator(HubKeys.of(List.of("app.key:secret")), new ClientIdRule(20));
        refused(() -> alone.ofToken(token("rsa", "RS256"), NOW), 40400, "is no key of this hub");
    }

    @Test
    void keys_for_other_purposes_are_ignored() {
        PublicJsonWebKey encryption = key("EC", "enc");
        encryption.setUse("enc");
        PublicJsonWebKey other = key("RSA", "other");
        other.setAlgorithm("PS256");
        String text = keySet(encryption, other, EC)
                .replace(
                        "{\"keys\":[",
                        "{\"keys\":[{\"kty\":\"oct\",\"kid\":\"o\",\"k\":\"c2VjcmV0\"},"
                                + "{\"kty\":\"EC\",\"kid\":\"off\",\"crv\":\"P-256\",\"x\":\"AQ\",\"y\":\"AQ\"},"
                                + "{\"kty\":\"RSA\",\"kid\":\"small\",\"n\":\"AQAB\",\"e\":\"AQAB\"},"
                                + "{\"kty\":\"OKP\",\"kid\":\"short\",\"crv\":\"Ed25519\",\"x\":\"AQ\"},");
        assertThat(IssuerKeys.parse(text).kids()).containsExactly("ec");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[", "[]", "{}", "{\"keys\":7}", "{\"keys\":[]}", "{\"keys\":[{\"kty\":\"oct\"}]}"})
    void a_text_without_usable_keys_is_rejected(String text) {
        assertThatThrownBy(() -> IssuerKeys.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key set");
    }

    @Test
    void a_private_key_a_repeated_kid_and_too_many_keys_are_rejected() {
        String withPrivate = new JsonWebKeySet(EC).toJson(JsonWebKey.OutputControlLevel.INCLUDE_PRIVATE);
        assertThatThrownBy(() -> IssuerKeys.parse(withPrivate)).hasMessageContaining("contains a private key");
        assertThatThrownBy(() -> IssuerKeys.parse(keySet(EC, key("EC", "ec"))))
                .hasMessageContaining("two keys with the kid \"ec\"");
        String one = keySet(EC).replace("{\"keys\":[", "").replace("]}", "");
        String many = "{\"keys\":[" + (one + ",").repeat(IssuerKeys.MAX_KEYS) + one + "]}";
        assertThatThrownBy(() -> IssuerKeys.parse(many)).hasMessageContaining("at most 100 keys; this one has 101");
        assertThatThrownBy(() -> IssuerKeys.parse(" ".repeat(IssuerKeys.MAX_LENGTH + 1)))
                .hasMessageContaining("262145 characters");
    }
}
