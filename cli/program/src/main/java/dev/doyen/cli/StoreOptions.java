package dev.doyen.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options {@code --store} and {@code --json}, which several commands share.
 *
 * <p>These options select the store and the format of the output.
 */
final class StoreOptions {

    private final Map<String, String> environment;

    @Option(
            names = "--store",
            paramLabel = "URL",
            description = "The URL of the store, such as file:/var/lib/doyen or quorum://a:7800,b:7800,c:7800."
                    + " Default: $$DOYEN_STORE")
    private @Nullable String url;

    @Option(names = "--json", description = "Prints one JSON object per line.")
    private boolean json;

    StoreOptions(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Returns the URL of the store; an empty string if no URL is set. */
    String url() {
        return url == null ? environment.getOrDefault("DOYEN_STORE", "") : url;
    }

    boolean json() {
        return json;
    }
}
