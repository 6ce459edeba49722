package dev.doyen.hub.server.issuers;

import dev.doyen.elector.reload.ReloadedFiles;
import dev.doyen.elector.reload.RepeatedTask;
import dev.doyen.hub.Hub;
import dev.doyen.hub.auth.IssuerKeys;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Reads the key sets of all trusted token issuers, and passes changes to the hub.
 *
 * <p>One thread for each issuer reads its key set.
 */
public final class IssuerKeySources implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(IssuerKeySources.class.getName());

    /** The time between two checks whether a download is due. */
    private static final Duration DOWNLOAD_CHECK = Duration.ofSeconds(1);

    private final List<IssuerSource> sources;
    private final Map<IssuerSource, ReloadedFiles<String, IssuerKeys>> files = new LinkedHashMap<>();
    private final List<RepeatedTask> downloads = new ArrayList<>();

    /** Receives changed keys. The threads of this class call the methods. */
    public interface Receiver {

        /** Replaces the keys of an issuer. */
        void issuerKeysChanged(String issuer, IssuerKeys keys);

        /** Returns true if a token named an unknown key of this issuer since the last call. */
        boolean takeUnknownKey(String issuer);
    }

    private IssuerKeySources(List<IssuerSource> sources) {
        this.sources = sources;
    }

    /**
     * Reads the files of key sets.
     *
     * @throws IOException if a file cannot be used; the message contains the file and the reason
     */
    public static IssuerKeySources open(List<IssuerSource> sources) throws IOException {
        var opened = new IssuerKeySources(List.copyOf(sources));
        for (IssuerSource source : sources) {
            if (source.url().isEmpty()) {
                opened.files.put(source, ReloadedFiles.open(subject(source), new KeySetFile(Path.of(source.jwks()))));
            }
        }
        return opened;
    }

    /** Lets a new hub trust the issuers. The hub has the keys of files at once, and no keys of URLs yet. */
    public void trustedBy(Hub hub) {
        for (IssuerSource source : sources) {
            ReloadedFiles<String, IssuerKeys> file = files.get(source);
            hub.trust(source.issuer(), file == null ? IssuerKeys.NONE : file.current());
        }
    }

    /** Starts to check the files, and to download the key sets of URLs. */
    public void start(Receiver hub) {
        start(hub, ReloadedFiles.CHECK_INTERVAL);
    }

    void start(Receiver hub, Duration fileInterval) {
        for (IssuerSource source : sources) {
            String name = source.issuer().name();
            Consumer<IssuerKeys> changed = keys -> {
                hub.issuerKeysChanged(name, keys);
                LOG.log(
                        Level.INFO,
                        "read the " + subject(source) + ": " + String.join(", ", new TreeSet<>(keys.kids())));
            };
            ReloadedFiles<String, IssuerKeys> file = files.get(source);
            if (file != null) {
                file.start(fileInterval, changed);
            }
            source.url()
                    .ifPresent(url -> downloads.add(new RepeatedTask(
                            "downloading the " + subject(source),
                            DOWNLOAD_CHECK,
                            new KeySetUrl(url, System::nanoTime, () -> hub.takeUnknownKey(name), changed))));
        }
    }

    @Override
    public void close() {
        files.values().forEach(ReloadedFiles::close);
        downloads.forEach(RepeatedTask::close);
    }

    private static String subject(IssuerSource source) {
        return "keys of the token issuer " + source.issuer().name();
    }
}
