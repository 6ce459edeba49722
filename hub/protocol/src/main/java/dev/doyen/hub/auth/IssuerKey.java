package dev.doyen.hub.auth;

import com.auth0.jwt.algorithms.Algorithm;
import com.auth0.jwt.exceptions.SignatureVerificationException;
import com.auth0.jwt.interfaces.DecodedJWT;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;

/**
 * A public key of a token issuer. Each type of key permits exactly one signature algorithm.
 *
 * @param algorithm the name of the algorithm in a JWT's header
 */
record IssuerKey(String algorithm, PublicKey key) {

    static final String RS256 = "RS256";
    static final String ES256 = "ES256";
    static final String EDDSA = "EdDSA";

    /** Returns true if the key has signed the token with the algorithm of the key. */
    boolean hasSigned(DecodedJWT jwt) {
        // The token's header must not choose the algorithm. Otherwise a forged token could use the public key as the
        // secret of an HMAC.
        if (!algorithm.equals(jwt.getAlgorithm())) {
            return false;
        }
        return switch (algorithm) {
            case RS256 -> verifies(Algorithm.RSA256((RSAPublicKey) key, null), jwt);
            case ES256 -> verifies(Algorithm.ECDSA256((ECPublicKey) key, null), jwt);
            case EDDSA -> hasEd25519Signature(jwt);
            default -> false;
        };
    }

    private static boolean verifies(Algorithm algorithm, DecodedJWT jwt) {
        try {
            algorithm.verify(jwt);
            return true;
        } catch (SignatureVerificationException e) {
            return false;
        }
    }

    /** Verifies the signature with the JDK, because the JWT library does not support EdDSA. */
    private boolean hasEd25519Signature(DecodedJWT jwt) {
        try {
            Signature verifier = Signature.getInstance("Ed25519");
            verifier.initVerify(key);
            verifier.update((jwt.getHeader() + "." + jwt.getPayload()).getBytes(StandardCharsets.US_ASCII));
            return verifier.verify(Base64.getUrlDecoder().decode(jwt.getSignature()));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return false;
        }
    }
}
