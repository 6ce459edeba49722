package dev.doyen.stores.azureblob;

import dev.doyen.store.LeaseStore;
import dev.doyen.stores.objects.Azurite;
import dev.doyen.stores.objects.ObjectFence;
import dev.doyen.stores.objects.ObjectLeaseStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A blob container in an Azurite process. All tests share the container. */
final class AzuriteContainer {

    static final String NAME = "doyen-tests";

    static final Map<String, String> ENVIRONMENT =
            Map.of("AZURE_STORAGE_ACCOUNT", Azurite.ACCOUNT, "AZURE_STORAGE_KEY", Azurite.KEY);

    private static final Optional<Azurite> ONE = start();

    private AzuriteContainer() {}

    static boolean isThere() {
        return ONE.isPresent();
    }

    static URI server() {
        return ONE.orElseThrow().server();
    }

    /** Returns the URL of a store on this server, or on a proxy in front of it. */
    static String url(URI server, String prefix) {
        return "azblob://" + NAME + "/" + prefix + "?endpoint=" + server + "/" + Azurite.ACCOUNT;
    }

    static LeaseStore open(String url) {
        BlobPlace place = BlobPlace.of(url, ENVIRONMENT);
        return ObjectLeaseStore.open(place.open(), place.prefix(), BlobObjects.PROMISES);
    }

    static ObjectFence fence(String url) {
        return BlobFence.open(BlobPlace.of(url, ENVIRONMENT));
    }

    private static Optional<Azurite> start() {
        try {
            Path directory = Files.createTempDirectory("azurite");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
            Optional<Azurite> azurite = Azurite.start(directory);
            azurite.ifPresent(started -> BlobPlace.of(url(started.server(), "p") + "&timeout-millis=20000", ENVIRONMENT)
                    .client()
                    .create());
            return azurite;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            // Azurite may still be writing files to this directory. These files can remain, because the directory is
            // temporary.
        }
    }
}
