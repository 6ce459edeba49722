package dev.doyen.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is set under {@code doyen.elector.}: elections by the word of an elector beside this application.
 *
 * @param url The address of the elector beside this application, such as http://localhost:4040. Without it, and without a store,
 *     ELECTOR_GET_URL and ELECTOR_SSE_URL of the environment name one.
 * @param speaks Which of this application's elections the elector is asked about: each by its name, or the one that it speaks
 *     for at its root, in the place of all. By default by name if the url is set here, and of one if the environment has it.
 * @param maxAge How old the elector's word may be before this application does not lead. 2 s to 10 min; less than four fifths of
 *     the ttl of the elector's lease.
 * @param timeout How long a question may take. 10 ms to 1 min, at most max-age.
 */
public record ElectorSettings(
        @Nullable String url,
        @Nullable Speaks speaks,
        @DefaultValue("5s") Duration maxAge,
        @DefaultValue("2s") Duration timeout) {

    /** What an elector is asked about. */
    public enum Speaks {
        /** Each election at {@code /v1/elections/NAME}, with terms: the sidecar, {@code doyen ring}, a hub. */
        BY_NAME,
        /** The one election of {@code /} and {@code /sse}, for every name: NAIS' elector, which gives no terms. */
        OF_ONE
    }
}
