package dev.doyen.hub.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.auth.Capability;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.auth.TrustedIssuer;
import dev.doyen.hub.server.HubServer;
import dev.doyen.hub.server.RunningServer;
import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.hub.server.issuers.IssuerKeySources;
import dev.doyen.hub.server.issuers.IssuerSource;
import dev.doyen.hub.server.sdk.AblyClient.Wire;
import dev.doyen.hub.settings.HubSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the official Java SDK connects with a token of a trusted issuer. */
@Timeout(180)
final class TrustedIssuerTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(Wire.class)
    void a_client_connects_with_a_token_of_a_trusted_issuer(Wire wire) throws Exception {
        PublicJsonWebKey key = key("2026-11");
        Path file = Files.writeString(folder.resolve("jwks.json"), new JsonWebKeySet(key).toJson());
        try (HubServer server = start(file);
                var ann = AblyClient.withToken(server.hubAddress(), wire, token(key))
                        .connected()) {
            var room = ann.attached("room");
            room.enter("hello");
            assertThat(room.present()).containsExactly("ann hello");
        }
    }

    private static HubServer start(Path file) throws Exception {
        var sources = IssuerKeySources.open(List.of(
                new IssuerSource(new TrustedIssuer("login", "https://login", null, Capability.ALL), file.toString())));
        return RunningServer.withIssuers(
                HubSettings.defaults(),
                HubKeys.of(List.of(RunningServer.KEY)),
                sources,
                StrictClaims.withElection(RunningServer.CHANNEL));
    }

    private static PublicJsonWebKey key(String kid) throws Exception {
        PublicJsonWebKey key = RsaJwkGenerator.generateJwk(2_048);
        key.setKeyId(kid);
        return key;
    }

    private static String token(PublicJsonWebKey key) throws Exception {
        var claims = new JwtClaims();
        claims.setIssuer("https://login");
        claims.setIssuedAtToNow();
        claims.setExpirationTimeMinutesInTheFuture(10);
        claims.setStringClaim("x-ably-clientId", "ann");
        var jws = new JsonWebSignature();
        jws.setPayload(claims.toJson());
        jws.setKey(key.getPrivateKey());
        jws.setKeyIdHeaderValue(key.getKeyId());
        jws.setAlgorithmHeaderValue("RS256");
        return jws.getCompactSerialization();
    }
}
