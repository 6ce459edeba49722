package dev.doyen.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code doyen.elector.}, for elections that an elector beside this application decides.
 *
 * @param url The address of the elector, such as http://localhost:4040. Without it and without a store, the environment
 *     variables ELECTOR_GET_URL and ELECTOR_SSE_URL name the elector.
 * @param speaks Which election of the elector decides: the one with the same name, or the one at its root for all
 *     names. The default is by-name if the url is set here, and of-one if the environment names the elector.
 * @param maxAge How old the elector's last answer may be before this application does not lead. 2 s to 10 min; less
 *     than four fifths of the ttl of the elector's lease.
 * @param timeout The timeout of a question. 10 ms to 1 min, at most max-age.
 */
public record ElectorSettings(
        @Nullable String url,
        @Nullable Speaks speaks,
        @DefaultValue("5s") Duration maxAge,
        @DefaultValue("2s") Duration timeout) {

    /** Which election of the elector decides. */
    public enum Speaks {
        /** The election at {@code /v1/elections/NAME}, with terms. For the sidecar, {@code doyen ring} and a hub. */
        BY_NAME,
        /** The one election at {@code /} and {@code /sse}, for every name, without terms. For NAIS' elector. */
        OF_ONE
    }
}
