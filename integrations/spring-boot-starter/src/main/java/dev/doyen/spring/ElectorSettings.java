package dev.doyen.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code doyen.elector.}, for elections that an elector beside this application decides.
 *
 * @param url The address of the elector, such as http://localhost:4040. If neither this setting nor a store is set, the
 *     addresses of the elector come from the environment variables ELECTOR_GET_URL and ELECTOR_SSE_URL.
 * @param api The API that this application uses. The default is {@code v1} if the url is set here, and {@code nais}
 *     if the environment contains the addresses of the elector.
 * @param maxAge The maximum age of the elector's last answer. If the answer is older, this application does not lead.
 *     2 s to 10 min; less than four fifths of the ttl of the elector's lease.
 * @param timeout The timeout of a request to the elector. 10 ms to 1 min, at most max-age.
 */
public record ElectorSettings(
        @Nullable String url,
        @Nullable Api api,
        @DefaultValue("5s") Duration maxAge,
        @DefaultValue("2s") Duration timeout) {

    /** The APIs that an elector can provide. */
    public enum Api {
        /**
         * The API at {@code /v1/elections/NAME}, with one election per name and with terms. The sidecar,
         * {@code doyen ring} and hubs provide this API.
         */
        V1,
        /**
         * The API at {@code /} and {@code /sse}, which has no terms.
         *
         * <p>The leader is the same for every name. The NAIS elector provides this API.
         */
        NAIS
    }
}
