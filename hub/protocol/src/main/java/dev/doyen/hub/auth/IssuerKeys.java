package dev.doyen.hub.auth;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.doyen.hub.wire.Quote;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The public keys of a token issuer, from a JSON Web Key Set (RFC 7517).
 *
 * <p>The class uses RSA keys for RS256, P-256 keys for ES256, and Ed25519 keys (RFC 8037) for EdDSA. It ignores all
 * other keys, as RFC 7517 recommends.
 *
 * <p>Instances are immutable.
 */
public final class IssuerKeys {

    /** The maximum size of a key set in characters. */
    public static final int MAX_LENGTH = 262_144;

    /** The maximum number of keys in a key set. */
    public static final int MAX_KEYS = 100;

    /** The keys of an issuer whose key set is not known yet. */
    public static final IssuerKeys NONE = new IssuerKeys(Map.of());

    private static final int MIN_RSA_BITS = 2_048;
    private static final int MAX_RSA_BITS = 4_096;
    private static final int COORDINATE_BYTES = 32;
    private static final byte[] ED25519_PREFIX = {0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00
    };
    private static final Pattern KID = Pattern.compile("[!-~]{1,200}");
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final Map<String, IssuerKey> byKid;

    private IssuerKeys(Map<String, IssuerKey> byKid) {
        this.byKid = byKid;
    }

    /**
     * Parses a key set.
     *
     * @throws IllegalArgumentException if the text is malformed or too large, or contains a private key, two usable
     *     keys with the same {@code kid}, or no usable key. The message is a sentence without key material
     */
    public static IssuerKeys parse(String text) {
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "the key set has " + text.length() + " characters; at most " + MAX_LENGTH + " are allowed");
        }
        JsonNode keys = tree(text).path("keys");
        if (!keys.isArray() || keys.size() > MAX_KEYS) {
            throw new IllegalArgumentException("a key set is an object with a list \"keys\" of at most " + MAX_KEYS
                    + " keys" + (keys.isArray() ? "; this one has " + keys.size() : ""));
        }
        var byKid = new LinkedHashMap<String, IssuerKey>();
        for (JsonNode jwk : keys) {
            if (jwk.has("d")) {
                throw new IllegalArgumentException(
                        "the key set contains a private key; replace that key, and publish only public keys");
            }
            Optional<IssuerKey> key = key(jwk);
            String kid = jwk.path("kid").asText();
            if (key.isPresent() && KID.matcher(kid).matches() && byKid.put(kid, key.get()) != null) {
                throw new IllegalArgumentException(
                        "the key set contains two keys with the kid " + Quote.of(kid) + "; give each its own kid");
            }
        }
        if (byKid.isEmpty()) {
            throw new IllegalArgumentException("the key set has no usable key; it needs a key with a kid of at most 200"
                    + " characters for RS256 (from " + MIN_RSA_BITS + " to " + MAX_RSA_BITS
                    + " bits), ES256 or EdDSA (Ed25519)");
        }
        return new IssuerKeys(byKid);
    }

    @Nullable
    IssuerKey find(String kid) {
        return byKid.get(kid);
    }

    /** Returns the values of {@code kid} of all keys. */
    public Set<String> kids() {
        return Set.copyOf(byKid.keySet());
    }

    private static JsonNode tree(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the key set is not JSON", e);
        }
    }

    /** Returns the key, or an empty result if the hub cannot use it. */
    private static Optional<IssuerKey> key(JsonNode jwk) {
        String use = jwk.path("use").asText("sig");
        String type = jwk.path("kty").asText() + "/" + jwk.path("crv").asText();
        String algorithm = switch (type) {
            case "RSA/" -> IssuerKey.RS256;
            case "EC/P-256" -> IssuerKey.ES256;
            case "OKP/Ed25519" -> IssuerKey.EDDSA;
            default -> "";
        };
        if (algorithm.isEmpty()
                || !use.equals("sig")
                || !jwk.path("alg").asText(algorithm).equals(algorithm)) {
            return Optional.empty();
        }
        try {
            PublicKey key = switch (algorithm) {
                case IssuerKey.RS256 -> rsa(number(jwk, "n"), number(jwk, "e"));
                case IssuerKey.ES256 -> p256(number(jwk, "x"), number(jwk, "y"));
                default -> ed25519(bytes(jwk, "x"));
            };
            return Optional.of(new IssuerKey(algorithm, key));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static PublicKey rsa(BigInteger modulus, BigInteger exponent) throws GeneralSecurityException {
        // An exponent of 1 would make every text its own signature.
        if (modulus.bitLength() < MIN_RSA_BITS
                || modulus.bitLength() > MAX_RSA_BITS
                || exponent.compareTo(BigInteger.TWO) <= 0
                || exponent.bitLength() > 64
                || !exponent.testBit(0)) {
            throw new GeneralSecurityException("this size of an RSA key is not supported");
        }
        return KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(modulus, exponent));
    }

    private static PublicKey p256(BigInteger x, BigInteger y) throws GeneralSecurityException {
        var parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(new ECGenParameterSpec("secp256r1"));
        ECParameterSpec curve = parameters.getParameterSpec(ECParameterSpec.class);
        BigInteger p = ((ECFieldFp) curve.getCurve().getField()).getP();
        BigInteger right = x.pow(3)
                .add(curve.getCurve().getA().multiply(x))
                .add(curve.getCurve().getB());
        // The JDK does not check that the point is on the curve.
        if (x.compareTo(p) >= 0
                || y.compareTo(p) >= 0
                || y.pow(2).subtract(right).mod(p).signum() != 0) {
            throw new GeneralSecurityException("the point is not on the curve");
        }
        return KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(new ECPoint(x, y), curve));
    }

    private static PublicKey ed25519(byte[] point) throws GeneralSecurityException {
        if (point.length != COORDINATE_BYTES) {
            throw new GeneralSecurityException("an Ed25519 key has " + COORDINATE_BYTES + " bytes");
        }
        byte[] encoded = new byte[ED25519_PREFIX.length + point.length];
        System.arraycopy(ED25519_PREFIX, 0, encoded, 0, ED25519_PREFIX.length);
        System.arraycopy(point, 0, encoded, ED25519_PREFIX.length, point.length);
        return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
    }

    private static BigInteger number(JsonNode jwk, String name) {
        return new BigInteger(1, bytes(jwk, name));
    }

    private static byte[] bytes(JsonNode jwk, String name) {
        return Base64.getUrlDecoder().decode(jwk.path(name).asText());
    }
}
