package dev.doyen.hub;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import java.util.Map;

/** Decides whether a socket's query proves that it may connect. */
final class Authenticator {

    private static final String TOKENS_ARE_NOT_ENABLED = "this hub takes API keys; token authentication is not enabled";

    private final HubKeys keys;

    Authenticator(HubKeys keys) {
        this.keys = keys;
    }

    /** Every refusal is worth an ERROR frame: an SDK retries a refused handshake for ever. */
    void authenticate(Map<String, String> query) throws Refusal {
        String key = query.get("key");
        if (key == null && (query.containsKey("access_token") || query.containsKey("accessToken"))) {
            throw new Refusal(ErrorCode.BAD_CREDENTIALS, TOKENS_ARE_NOT_ENABLED);
        }
        if (key == null) {
            throw new Refusal(ErrorCode.BAD_CREDENTIALS, "no credentials; connect with an API key, appId.keyId:secret");
        }
        if (keys.authenticate(key).isEmpty()) {
            throw new Refusal(ErrorCode.BAD_CREDENTIALS, "the API key is unknown, or its secret is wrong");
        }
    }

    /** To a client that sends a token in a frame. */
    static ErrorInfo tokensAreNotEnabled() {
        return ErrorCode.BAD_CREDENTIALS.because(TOKENS_ARE_NOT_ENABLED);
    }
}
