package dev.doyen.benchmarks.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A quorum without separate processes. Each candidate is one of the three members. */
final class EmbeddedQuorum implements Server {

    private final List<String> addresses;
    private final Path folder;
    private final String url;
    private @Nullable QuorumCommits commits;

    EmbeddedQuorum(Path data) throws IOException {
        addresses = FreePorts.find(CANDIDATES).stream()
                .map(port -> "127.0.0.1:" + port)
                .toList();
        folder = Files.createDirectories(data.resolve("quorum"));
        url = "quorum://" + String.join(",", addresses);
    }

    @Override
    public String url() {
        return url;
    }

    @Override
    public String url(int candidate) {
        return url + folder.resolve("member-" + candidate) + "?id=" + addresses.get(candidate);
    }

    @Override
    public String version() {
        return "quorum of " + CANDIDATES + " members of Doyen";
    }

    /**
     * Returns the number of commits of the log. The first call opens a connection, which requires a majority of the
     * members.
     */
    @Override
    public long requests() {
        if (commits == null) {
            commits = new QuorumCommits(url);
        }
        return commits.count();
    }

    @Override
    public List<ProcessHandle> processes() {
        return List.of();
    }

    @Override
    public void close() {
        if (commits != null) {
            commits.close();
        }
    }
}
