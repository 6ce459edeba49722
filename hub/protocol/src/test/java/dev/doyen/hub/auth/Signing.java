package dev.doyen.hub.auth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs tokens as an application's server does, without code of the hub. */
public final class Signing {

    private Signing() {}

    /** Returns a JWT with these claims and this header, both in JSON. */
    public static String jwt(String header, String claims, String secret) {
        String signed =
                url(header.getBytes(StandardCharsets.UTF_8)) + "." + url(claims.getBytes(StandardCharsets.UTF_8));
        return signed + "." + url(hmac(secret, signed));
    }

    /** Returns a JWT that names this key and is signed with HS256. */
    public static String jwtOf(String keyName, String claims, String secret) {
        return jwt("{\"typ\":\"JWT\",\"alg\":\"HS256\",\"kid\":\"" + keyName + "\"}", claims, secret);
    }

    static String mac(String secret, String text) {
        return Base64.getEncoder().encodeToString(hmac(secret, text));
    }

    private static String url(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static byte[] hmac(String secret, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
